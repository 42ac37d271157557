"""Tables of Word documents as grids, merged cells repeated wherever they reach."""

from collections.abc import Iterator
from typing import Any

from zhiji.ingest.parse.docx_text import local, paragraph_text, q

_MAX_COLUMNS = 200


def grid_of(table: Any) -> tuple[list[list[str]], int]:
    """The texts of a table's cells, and how many rows at the top are header."""
    grid: list[list[str]] = []
    heads, in_head = 0, True
    merged: set[int] = set()  # rows that a cell of the first row reaches down to
    for number, row in enumerate(_rows(table)):
        line: list[str] = [""] * _number(row.find(f"{q('trPr')}/{q('gridBefore')}"))
        for cell in _cells(row):
            properties = cell.find(q("tcPr"))
            wide = max(1, _number(properties.find(q("gridSpan")) if properties is not None else None))
            below = properties.find(q("vMerge")) if properties is not None else None
            is_continued = below is not None and below.get(q("val")) != "restart" and bool(grid)
            above = grid[-1][len(line)] if is_continued and len(line) < len(grid[-1]) else None
            if above is not None and merged >= set(range(1, number)):
                merged.add(number)
            line += [cell_text(cell) if above is None else above] * min(wide, _MAX_COLUMNS)
        in_head = in_head and row.find(f"{q('trPr')}/{q('tblHeader')}") is not None
        heads += in_head
        grid.append(line)
    return grid, heads or (1 + len(merged) if len(merged) < 3 and len(merged) + 2 <= len(grid) else 1)


def cell_text(cell: Any) -> str:
    """What a cell says, a table inside it included."""
    return " ".join(text for p in cell.iter(q("p")) if (text := " ".join(paragraph_text(p).split())))


def _rows(table: Any) -> Iterator[Any]:
    yield from _inside(table, "tr")


def _cells(row: Any) -> Iterator[Any]:
    yield from _inside(row, "tc")


def _inside(element: Any, name: str) -> Iterator[Any]:
    """The children of this name, those in content controls and insertions included."""
    for child in element:
        if local(child) == name:
            yield child
        elif local(child) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _inside(child, name)


def _number(element: Any) -> int:
    value = element.get(q("val")) if element is not None else None
    return min(int(value), _MAX_COLUMNS) if value and value.isdigit() else 0
