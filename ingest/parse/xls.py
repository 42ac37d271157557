"""Old Excel workbooks (.xls)."""

from collections.abc import Iterator
from typing import Any

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.extras import needs
from zhiji.ingest.parse.sheets import Sheet, add_sheets, bounded, cell_text
from zhiji.ingest.report import ParseFailed


class XlsParser:
    """Reads the values of cells as they were last computed."""

    suffixes: tuple[str, ...] = (".xls",)
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The tables of all sheets; a sheet's number is its page.

        Raises:
            MissingExtra: `zhiji[documents]` is not installed.
            ParseFailed: the file is damaged or encrypted.
        """
        book = _opened(data)
        build = DocumentBuilder()
        sheets, used = [], 0
        for page in book.sheets():
            merged = [(top, left, bottom - 1, right - 1) for top, bottom, left, right in page.merged_cells]
            sheet = Sheet(page.name, merged=merged)
            used = bounded(_cells(book, page), sheet, used)
            sheets.append(sheet)
        add_sheets(build, sheets)
        return build.document(source, pages=len(sheets))


def _opened(data: bytes) -> Any:
    with needs("documents"):
        import xlrd
    from io import StringIO

    try:
        return xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=StringIO())
    except Exception as broken:  # xlrd raises whatever the bytes of a damaged file lead to
        if "encrypted" in str(broken).lower():
            raise ParseFailed("the workbook is encrypted; save it without a password") from broken
        raise ParseFailed("the workbook is damaged or incomplete") from broken


def _cells(book: Any, page: Any) -> Iterator[tuple[int, int, str]]:
    for row in range(page.nrows):
        for column in range(page.row_len(row)):
            yield row, column, _text(book, page.cell(row, column))


def _text(book: Any, cell: Any) -> str:
    import xlrd

    match cell.ctype:
        case xlrd.XL_CELL_DATE:
            try:
                return cell_text(xlrd.xldate_as_datetime(cell.value, book.datemode))
            except (ValueError, OverflowError):
                return cell_text(cell.value)
        case xlrd.XL_CELL_BOOLEAN:
            return cell_text(bool(cell.value))
        case xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(cell.value, "#ERROR"))
        case xlrd.XL_CELL_NUMBER:
            form = book.format_map.get(book.xf_list[cell.xf_index].format_key)
            return cell_text(cell.value, form.format_str if form else "")
    return cell_text(cell.value or None)
