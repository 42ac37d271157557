"""Ruled tables on the pages of a PDF, merged cells filled."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from io import BytesIO
from typing import TYPE_CHECKING, Any

from zhiji.ingest.extras import needs
from zhiji.ingest.layout import joined

if TYPE_CHECKING:
    from zhiji.ingest.parse.pdf_page import Page

Box = tuple[float, float, float, float]
"""Left, top, right, bottom; y grows downwards."""

_LEAST_RULES = 4  # lines or boxes drawn on a page that may hold a table
_MOST_RULES = 4000  # a drawing
_EDGE = 2.0  # points by which rules of one edge may differ


@dataclass(slots=True)
class PageTable:
    """A table, and where it stands on its page; one that goes on with another has given its rows to that."""

    box: Box
    rows: list[list[str]]
    beginning: PageTable | None = None

    def join(self, before: PageTable) -> None:
        """Gives the rows to the table that this one goes on with; a header is not said again."""
        whole = before.beginning or before
        whole.rows += self.rows[1:] if self.rows[0] == whole.rows[0] else self.rows
        self.rows, self.beginning = [], whole


class Tables:
    """Finds tables; the slow reader is opened only for pages on which rules are drawn."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pdf: Any = None

    def on_page(self, index: int, rules: int) -> list[PageTable]:
        """The tables of a page on which so many lines and boxes are drawn, from top to bottom."""
        if not _LEAST_RULES <= rules <= _MOST_RULES:
            return []
        try:
            page = self._opened().pages[index]
        except (IndexError, ValueError, KeyError):  # a page that only the other reader understands
            return []
        try:
            found = [_table(page, one) for one in page.find_tables()]
        finally:
            page.close()
        return sorted((one for one in found if one is not None), key=lambda one: one.box[1])

    def close(self) -> None:
        """Lets go of the reader."""
        if self._pdf is not None:
            self._pdf.close()

    def _opened(self) -> Any:
        if self._pdf is None:
            with needs("documents"):
                import pdfplumber
            self._pdf = pdfplumber.open(BytesIO(self._data))
        return self._pdf


def continues(before: Page, page: Page) -> bool:
    """Whether the first table of a page goes on with the last of the page before: nothing stands between them."""
    if not before.tables:
        return False
    whole = before.tables[-1].beginning or before.tables[-1]
    if len(whole.rows[0]) != len(page.tables[0].rows[0]):
        return False
    end, start = before.tables[-1].box[3], page.tables[0].box[1]
    below = any(line.top > end for line in before.lines[:-1])
    above = any(line.bottom < start for line in page.lines[1:])
    return not below and not above and end > 0.5 * before.height and start < 0.5 * page.height


def _table(page: Any, found: Any) -> PageTable | None:
    """The table with a merged cell's text in each place it covers; None for a box that is no table."""
    rows = _filled(found.extract(), [row.cells for row in found.rows])
    if len(rows) < 2 or max(map(len, rows)) < 2 or sum(bool(text) for row in rows for text in row) < 3:
        return None
    top, left = page.bbox[1], page.bbox[0]
    x0, y0, x1, y1 = found.bbox
    return PageTable((x0 - left, y0 - top, x1 - left, y1 - top), rows)


def _filled(texts: Sequence[Sequence[str | None]], boxes: Sequence[Sequence[Box | None]]) -> list[list[str]]:
    known = [
        (box, text)
        for row, cells in zip(texts, boxes, strict=True)
        for text, box in zip(row, cells, strict=True)
        if box
    ]
    columns = _edges([x for box, _ in known for x in (box[0], box[2])])
    lines = _edges([y for box, _ in known for y in (box[1], box[3])])
    grid = []
    for upper, lower in itertools.pairwise(lines):
        middle = (upper + lower) / 2
        across = [(box, text) for box, text in known if box[1] < middle < box[3]]
        grid.append([_at((a + b) / 2, across) for a, b in itertools.pairwise(columns)])
    return [row for row in grid if any(row)]


def _edges(places: Sequence[float]) -> list[float]:
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] > _EDGE:
            edges.append(place)
    return edges


def _at(x: float, cells: Sequence[tuple[Box, str | None]]) -> str:
    text = next((text for box, text in cells if box[0] < x < box[2]), None)
    return reduce(joined, (line.strip() for line in (text or "").split("\n")), "")
