"""HTML tables: merged cells filled, several header rows made one, tables that only lay out a page told apart."""

from collections.abc import Sequence

from bs4 import Tag

from zhiji.ingest.blocks import DocumentBuilder
from zhiji.ingest.grids import one_header
from zhiji.ingest.parse.html_text import inline_text
from zhiji.ingest.parse.html_tree import span_of
from zhiji.ingest.tables import render_table

_MAX_COLUMNS = 200  # a wider span or row is a fault of the page, or an attack on memory
_BLOCKS = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "form", "section", "article")


def is_layout(table: Tag) -> bool:
    """Whether a table arranges a page and holds no records: one column or row of it, or blocks in its cells."""
    rows = _rows(table)
    if not rows or (table.find("th") is not None and table.find("table") is None):
        return not rows
    if max(len(_cells(row)) for row in rows) < 2 or table.get("role") in ("presentation", "none"):
        return True
    return table.find(_BLOCKS) is not None or (len(rows) == 1 and table.find(["p", "div", "ul", "ol"]) is not None)


def add_table(build: DocumentBuilder, table: Tag) -> None:
    """Adds a table; its caption, and a first row that spans all columns, become paragraphs before it."""
    caption = table.find("caption")
    if isinstance(caption, Tag):
        build.add("paragraph", inline_text(caption))
    rows, heads = _filled(table)
    while len(rows) > 1 and len(set(rows[0])) == 1 and len(rows[0]) > 1:
        build.add("paragraph", rows[0][0])
        rows, heads = rows[1:], max(0, heads - 1)
    rows = [row for row in rows if any(row)]
    if rows:
        head = one_header(rows[: max(1, min(heads, len(rows)))])
        build.add("table", render_table([head, *rows[max(1, heads) :]]))


def _rows(table: Tag) -> list[Tag]:
    return [row for row in table.find_all("tr") if row.find_parent("table") is table]


def _cells(row: Tag) -> list[Tag]:
    return [cell for cell in row.find_all(["td", "th"]) if cell.find_parent("tr") is row]


def _filled(table: Tag) -> tuple[list[list[str]], int]:
    """The grid of texts with merged cells repeated wherever they reach, and how many rows at the top are header."""
    rows = _rows(table)
    grid: list[dict[int, str]] = [{} for _ in rows]
    for number, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while column in grid[number]:
                column += 1
            if column < _MAX_COLUMNS:
                column += _fill(grid[number:], cell, column)
    width = max((max(row, default=-1) + 1 for row in grid), default=0)
    heads = next((number for number, row in enumerate(rows) if not _is_head(row)), len(rows))
    return [[row.get(column, "") for column in range(width)] for row in grid], heads


def _fill(grid: Sequence[dict[int, str]], cell: Tag, column: int) -> int:
    """Writes a cell into every place it covers, from the first row of `grid` down; returns its width."""
    text = " ".join(inline_text(cell).split())
    wide = span_of(cell, "colspan", _MAX_COLUMNS - column)
    for row in grid[: span_of(cell, "rowspan", len(grid))]:
        for covered in range(column, column + wide):
            row.setdefault(covered, text)
    return wide


def _is_head(row: Tag) -> bool:
    cells = _cells(row)
    return bool(cells) and (row.find_parent("thead") is not None or all(cell.name == "th" for cell in cells))
