"""Sheets of cells as blocks: the tables that stand on a sheet, with merged cells repeated and headers made one row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from zhiji.ingest.blocks import DocumentBuilder
from zhiji.ingest.grids import add_grid

MAX_CELLS = 3_000_000  # with text, of one workbook
_MAX_HEADS = 3

Range = tuple[int, int, int, int]
"""First row, first column, last row, last column."""


Stretch = tuple[int, int]
"""The first and the last row, or column."""


@dataclass(slots=True)
class Sheet:
    """The cells that are not empty, by row and column, and the ranges that are one merged cell."""

    name: str
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)

    def fill(self) -> None:
        """Repeats the text of each merged cell in all it covers, as far as the sheet is used."""
        last_row = max(self.rows, default=-1)
        last_column = max((max(row) for row in self.rows.values()), default=-1)
        for top, left, bottom, right in self.merged:
            text = self.rows.get(top, {}).get(left, "")
            for row in range(top, min(bottom, last_row) + 1) if text else ():
                for column in range(left, min(right, max(last_column, left)) + 1):
                    self.rows.setdefault(row, {})[column] = text

    def heads(self, top: int, bottom: int) -> int:
        """How many rows from `top` on are header: as many as a merged cell of the first one reaches down."""
        reach = [low - top + 1 for first, _, low, _ in self.merged if first == top and low < bottom]
        return min(max(reach, default=1), _MAX_HEADS)


def add_sheet(build: DocumentBuilder, sheet: Sheet, page: int) -> None:
    """Adds the tables of a sheet; blank rows part them, and lines of a single cell stand before or after."""
    sheet.fill()
    for top, bottom in _regions(sheet):
        _add_region(build, sheet, top, bottom, page)


def _regions(sheet: Sheet) -> list[tuple[int, int]]:
    """First and last row of each stretch without a blank row; rows of data go on with the table above them."""
    found: list[tuple[int, int]] = []
    for row in sorted(sheet.rows):
        if found and (row == found[-1][1] + 1 or _goes_on(sheet, found[-1], row)):
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found


def _goes_on(sheet: Sheet, region: tuple[int, int], row: int) -> bool:
    """Whether a row after a blank one is data of the same table: as wide as its last row, and with numbers as there."""
    before, now = sheet.rows[region[1]], sheet.rows[row]
    numbers = {column for column, text in now.items() if _is_number(text)}
    return (
        bool(numbers) and len(now) > 1 and before.keys() == now.keys() and all(_is_number(before[c]) for c in numbers)
    )


def _add_region(build: DocumentBuilder, sheet: Sheet, top: int, bottom: int, page: int) -> None:
    while top < bottom and _is_title(sheet.rows.get(top, {})) and not _is_title(sheet.rows.get(bottom, {})):
        build.add("paragraph", next(iter(sheet.rows[top].values())), page=page)
        top += 1
    numbers = [number for number in range(top, bottom + 1) if number in sheet.rows]
    for first, last in _side_by_side(sheet, numbers):
        used = [n for n in numbers if any(first <= column <= last for column in sheet.rows[n])]
        grid = [[sheet.rows[n].get(column, "") for column in range(first, last + 1)] for n in used]
        add_grid(build, grid, heads=sheet.heads(used[0], bottom), page=page)


def _side_by_side(sheet: Sheet, numbers: Sequence[int]) -> list[Stretch]:
    """First and last column of each table in some rows: a blank column parts two that are not equally high."""
    parts: list[list[int]] = []
    for column in sorted({column for n in numbers for column in sheet.rows[n]}):
        if parts and column == parts[-1][-1] + 1:
            parts[-1].append(column)
        else:
            parts.append([column])
    heights = {_height(sheet, numbers, part) for part in parts}
    if len(parts) > 1 and len(heights) == len(parts) and all(len(part) > 1 for part in parts):
        return [(part[0], part[-1]) for part in parts]
    return [(parts[0][0], parts[-1][-1])]


def _height(sheet: Sheet, numbers: Sequence[int], columns: Sequence[int]) -> Stretch:
    used = [n for n in numbers if not sheet.rows[n].keys().isdisjoint(columns)]
    return used[0], used[-1]


def _is_title(row: dict[int, str]) -> bool:
    """Whether a row says one thing: in a single cell, or in one merged over several."""
    return len(set(row.values())) == 1


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").replace("-", "").rstrip("%").isdigit()


def add_sheets(build: DocumentBuilder, sheets: Sequence[Sheet]) -> None:
    """Adds the sheets that are not empty; each has its name as heading, but for the only one with a name that says nothing."""
    from zhiji.ingest.pictures import add_picture

    used = [(number, sheet) for number, sheet in enumerate(sheets, 1) if sheet.rows or sheet.pictures]
    for number, sheet in used:
        if len(used) > 1 or not _is_default(sheet.name):
            build.heading(sheet.name, 2, page=number)
        add_sheet(build, sheet, number)
        for picture in sheet.pictures:
            add_picture(build, picture, page=number)


def _is_default(name: str) -> bool:
    return name.lower().rstrip("0123456789 ()") in ("sheet", "工作表", "工作簿", "")


def cell_text(value: Any, number_format: str = "General") -> str:
    """A cell as it is shown, as far as that matters to what it says: dates, times, percentages, whole numbers.

    >>> cell_text(0.125, "0.0%"), cell_text(3.0), cell_text(datetime(2026, 11, 30)), cell_text(True)
    ('12.5%', '3', '2026-11-30', 'TRUE')
    """
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case datetime():
            return value.isoformat(" ", "minutes") if value.time() != time() else value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case int() | float():
            return _number(value, number_format)
    return " ".join(str(value).split())


def _number(value: float, number_format: str) -> str:
    if "%" in number_format.split(";")[0]:
        return f"{_plain(value * 100)}%"
    return _plain(value)


def _plain(value: float) -> str:
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    if "e" not in text:
        return text
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e18 else text


def bounded(cells: Iterator[tuple[int, int, str]], sheet: Sheet, used: int) -> int:
    """Fills a sheet with cells until a workbook has too many; returns how many it now has."""
    for row, column, text in cells:
        if text:
            used += 1
            if used > MAX_CELLS:
                break
            sheet.rows.setdefault(row, {})[column] = text
    return used
