"""Excel workbooks (.xlsx): read row by row, so that a sheet's stated size costs nothing."""

import posixpath
import re
import warnings
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from zhiji.ingest.archives import member_bytes, opened_zip
from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.extras import needs
from zhiji.ingest.parse.sheets import MAX_CELLS, Range, Sheet, add_sheets, bounded, cell_text
from zhiji.ingest.report import ParseFailed

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_RELATION = re.compile(rb"<Relationship\s[^>]*>")
_TARGET = re.compile(rb'Target="([^"]+)"')
_UNCOMPUTED = re.compile(rb"(?:</f>|<f\b[^>]*/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")


class XlsxParser:
    """Reads the values of cells; a formula that was never computed shows itself."""

    suffixes: tuple[str, ...] = (".xlsx", ".xlsm")
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The tables of all sheets; a sheet's number is its page.

        Raises:
            MissingExtra: `zhiji[documents]` is not installed.
            ParseFailed: the file is damaged.
        """
        with needs("documents"):
            import openpyxl
        build = DocumentBuilder()
        with opened_zip(data) as archive:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # what is said of styles and extensions does not concern the text
                    book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
                    sheets = list(_sheets(book, archive, data))
            except ParseFailed:
                raise
            except Exception as broken:  # openpyxl raises whatever its XML and its types lead to
                raise ParseFailed("the workbook is damaged or incomplete") from broken
        if sum(len(row) for sheet in sheets for row in sheet.rows.values()) >= MAX_CELLS:
            build.notes.append(f"more than {MAX_CELLS:,} cells; the rest were left out")
        add_sheets(build, sheets)
        return build.document(source, pages=len(sheets))


def _sheets(book: Any, archive: ZipFile, data: bytes) -> Iterator[Sheet]:
    used = 0
    for page in book.worksheets:
        sheet = Sheet(page.title)
        path = page._worksheet_path  # where the reader found it; merged cells are not read in this mode
        xml = member_bytes(archive, path)
        sheet.merged = [_range(found) for found in _MERGED.findall(xml)]
        page.reset_dimensions()
        used = bounded(_cells(page), sheet, used)
        if _UNCOMPUTED.search(xml):
            used = bounded(_uncomputed(data, page.title, sheet), sheet, used)
        sheet.pictures = list(_pictures(archive, path))
        yield sheet
    book.close()


def _cells(page: Any) -> Iterator[tuple[int, int, str]]:
    for row in page.iter_rows():
        for cell in row:
            if cell.value is not None:
                yield cell.row - 1, cell.column - 1, cell_text(cell.value, cell.number_format)


def _uncomputed(data: bytes, title: str, sheet: Sheet) -> Iterator[tuple[int, int, str]]:
    """The formulas of cells that have no value."""
    import openpyxl

    book = openpyxl.load_workbook(BytesIO(data), read_only=True)
    page = book[title]
    page.reset_dimensions()
    for row, column, text in _cells(page):
        if text.startswith("=") and column not in sheet.rows.get(row, {}):
            yield row, column, text
    book.close()


def _range(found: tuple[bytes, ...]) -> Range:
    left, top, right, bottom = found
    return int(top) - 1, _column(left), int(bottom) - 1, _column(right)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1


def _pictures(archive: ZipFile, path: str) -> Iterator[bytes]:
    """The pictures that lie on a sheet."""
    for drawing in _targets(archive, path, b"/drawing"):
        for picture in _targets(archive, drawing, b"/image"):
            if picture in archive.namelist():
                yield member_bytes(archive, picture)


def _targets(archive: ZipFile, path: str, kind: bytes) -> list[str]:
    """The parts of one kind that a part of the archive refers to."""
    folder, name = posixpath.split(path)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.namelist():
        return []
    found = [one for one in _RELATION.findall(member_bytes(archive, relations)) if kind + b'"' in one]
    targets = [target[1].decode() for one in found if (target := _TARGET.search(one)) and b"External" not in one]
    return [posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/") for target in targets]
