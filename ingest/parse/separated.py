"""CSV and TSV: one table."""

import csv
from io import StringIO

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.decode import decode
from zhiji.ingest.grids import add_grid

_DELIMITERS = ",;\t|，"
_LOOKED_AT = 64 * 1024  # characters
_MAX_FIELD = 2**20


class CsvParser:
    """Reads separated values in any encoding; the separator is told from the first lines."""

    suffixes: tuple[str, ...] = (".csv", ".tsv", ".tab")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """The rows as a table of which the first is the header."""
        decoded = decode(data)
        csv.field_size_limit(_MAX_FIELD)
        build = DocumentBuilder()
        try:
            rows = list(csv.reader(StringIO(decoded.text), delimiter=_delimiter(decoded.text, source)))
        except csv.Error:  # a quotation mark that is never closed, or the like
            rows = [line.split(_delimiter(decoded.text, source)) for line in decoded.text.split("\n")]
            build.notes.append("its quotation marks do not match; read line by line")
        add_grid(build, rows)
        return build.document(source, encoding=decoded.encoding, notes=[decoded.note])


def _delimiter(text: str, source: str) -> str:
    """The separator that cuts the first lines into most columns of equal number."""
    if source.lower().endswith((".tsv", ".tab")):
        return "\t"
    lines = [line for line in text[:_LOOKED_AT].split("\n") if line.strip()][:50]
    counts = {mark: [line.count(mark) for line in lines] for mark in _DELIMITERS}
    return max(_DELIMITERS, key=lambda mark: (min(counts[mark], default=0), sum(counts[mark])))
