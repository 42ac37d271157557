"""Plain text: paragraphs between blank lines, and a title if the first line is one."""

import re

from zhiji.ingest.blocks import Document, DocumentBuilder, title_from_name
from zhiji.ingest.decode import decode

_RULE = re.compile(r"^\s*([-=_*~#+])\1{2,}\s*$")
_TITLE_END = re.compile(r"[^。！？；，,;:：]$")
_MAX_TITLE = 40  # characters


class TextParser:
    """Reads plain text; structure is not guessed, except for a short first line that stands alone."""

    suffixes: tuple[str, ...] = (".txt", ".text")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """The paragraphs of the file; lines that only draw a rule separate like blank ones."""
        decoded = decode(data)
        build = DocumentBuilder()
        paragraphs = _paragraphs(decoded.text)
        title = _title(paragraphs)
        if title:
            build.add("heading", paragraphs.pop(0), level=1)
        for paragraph in paragraphs:
            build.add("paragraph", paragraph)
        return Document(
            source=source,
            title=title or title_from_name(source),
            text=build.text,
            blocks=build.blocks,
            encoding=decoded.encoding,
            notes=(decoded.note,) if decoded.note else (),
        )


def _paragraphs(text: str) -> list[str]:
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        if not line.strip() or _RULE.match(line):
            paragraphs.append([])
        else:
            paragraphs[-1].append(line.rstrip())
    return ["\n".join(lines) for lines in paragraphs if lines]


def _title(paragraphs: list[str]) -> str:
    """The first paragraph, if it is one short line without a full stop and something follows it."""
    if len(paragraphs) < 2:
        return ""
    line = paragraphs[0].strip()
    is_title = "\n" not in line and len(line) <= _MAX_TITLE and _TITLE_END.search(line) and not line.endswith(".")
    return line if is_title else ""
