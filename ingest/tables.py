"""Markdown tables: writing one from cells, and cutting a long one so that every part is a table again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from zhiji.ingest.parts import Part
from zhiji.ingest.sentences import Fits, split_to_fit

_DELIMITER = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CELL_END = re.compile(r"(?<!\\)\|")
_MAX_KEY = 30  # characters; a first cell up to this long names its row, and is repeated where the row is cut


def render_table(rows: Sequence[Sequence[str]]) -> str:
    r"""A Markdown table of which the first row is the header; short rows are filled up.

    >>> print(render_table([["代码", "含义"], ["E1|2", "超时\n重试"]]))
    | 代码 | 含义 |
    | --- | --- |
    | E1\|2 | 超时 重试 |
    """
    width = max(map(len, rows))
    lines = ["| " + " | ".join(_cell(text) for text in [*row, *[""] * (width - len(row))]) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join(["---"] * width) + " |")
    return "\n".join(lines)


def split_table(text: str, fits: Fits) -> list[Part]:
    """Cuts a Markdown table between rows into parts that fit, of about equal length, each with the header lines.

    A row that does not fit under the header even alone is cut at its cells and sentences. Where the header leaves no
    room for any row, the parts are plain text.
    """
    if fits(text):
        return [Part(text, 0, len(text))]
    head, rows = _head_and_rows(text)
    if not rows or not fits(head + "\n| " + "字" * 20 + " |"):
        return [Part(text[a:b], a, b) for a, b in split_to_fit(text, fits)]
    parts: list[Part] = []
    for first, last in _even_groups(text, rows, head, fits):
        whole = text[rows[first][0] : rows[last][1]]
        if fits(f"{head}\n{whole}"):
            parts.append(Part(f"{head}\n{whole}", rows[first][0], rows[last][1]))
        else:
            parts.extend(_split_row(text, rows[first], head, fits))
    return _with_head_span(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _head_and_rows(text: str) -> tuple[str, list[tuple[int, int]]]:
    spans = []
    at = 0
    for line in text.split("\n"):
        spans.append((at, at + len(line)))
        at += len(line) + 1
    if len(spans) > 1 and _DELIMITER.match(text[spans[1][0] : spans[1][1]]):
        return text[: spans[1][1]], [span for span in spans[2:] if text[span[0] : span[1]].strip()]
    return "", []


def _even_groups(text: str, rows: Sequence[tuple[int, int]], head: str, fits: Fits) -> list[tuple[int, int]]:
    """First and last row of each part: as few parts as greedy filling needs, then evened out."""
    greedy = _groups(text, rows, head, fits, room=len(text))
    body = sum(end - start for start, end in rows)
    room = body // len(greedy)
    for _ in range(4):  # a little more room until the even groups are as few as the greedy ones
        even = _groups(text, rows, head, fits, room=room)
        if len(even) <= len(greedy):
            return even
        room += max(room // 10, 10)
    return greedy


def _groups(text: str, rows: Sequence[tuple[int, int]], head: str, fits: Fits, *, room: int) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    first = 0
    for last in range(1, len(rows) + 1):
        full = last == len(rows)
        if not full:
            filled = rows[last - 1][1] - rows[first][0]
            full = filled >= room or not fits(f"{head}\n{text[rows[first][0] : rows[last][1]]}")
        if full:
            groups.append((first, last - 1))
            first = last
    return groups


def _split_row(text: str, row: tuple[int, int], head: str, fits: Fits) -> list[Part]:
    """Parts of one long row: the first cell is repeated as its name, each piece stands in the column it comes from."""
    start, end = row
    cells = _cell_spans(text, start, end)
    name = text[cells[0][0] : cells[0][1]].strip() if len(cells) > 1 else ""
    place = _Place(head, name if len(name) <= _MAX_KEY else "", len(cells), fits)
    if not place.fits(len(cells) - 1, "字" * _MAX_KEY):
        return [Part(text[start + a : start + b], start + a, start + b) for a, b in split_to_fit(text[start:end], fits)]
    parts: list[Part] = []
    for column, (left, right) in enumerate(cells):
        if column == 0 and place.name:
            continue
        for a, b in split_to_fit(text[left:right], partial(place.fits, column)):
            parts.append(Part(place.shown(column, text[left + a : left + b]), left + a, left + b))
    return _joined_pieces(parts or [Part(place.shown(1, ""), start, end)], start, end)


@dataclass(frozen=True, slots=True)
class _Place:
    """How a piece of one row is shown: under the header, in its own column, beside the row's name."""

    head: str
    name: str
    columns: int
    fits_chunk: Fits

    def shown(self, column: int, piece: str) -> str:
        """The table of header and piece."""
        cells = [self.name if column else "", *[""] * (self.columns - 1)]
        cells[column] = piece.strip()
        return f"{self.head}\n| " + " | ".join(cells) + " |"

    def fits(self, column: int, piece: str) -> bool:
        """Whether that is small enough."""
        return self.fits_chunk(self.shown(column, piece))


def _joined_pieces(parts: list[Part], start: int, end: int) -> list[Part]:
    """Stretches the pieces' spans so that together they cover the row, bars included."""
    edges = [start, *[part.start for part in parts[1:]], end]
    return [Part(part.text, a, b) for part, (a, b) in zip(parts, pairwise(edges), strict=True)]


def _cell_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    bars = [match.start() + start for match in _CELL_END.finditer(text[start:end])]
    edges = [start - 1, *bars, end]
    spans = [(a + 1, b) for a, b in pairwise(edges)]
    filled = [span for span in spans if span[0] < span[1]]
    outer_first = filled and not text[filled[0][0] : filled[0][1]].strip() and text[start:end].lstrip().startswith("|")
    outer_last = filled and not text[filled[-1][0] : filled[-1][1]].strip() and text[start:end].rstrip().endswith("|")
    return filled[1 if outer_first else 0 : len(filled) - 1 if outer_last else len(filled)]


def _with_head_span(parts: list[Part]) -> list[Part]:
    """The first part owns the header lines; the others only repeat them."""
    first = parts[0]
    return [Part(first.text, 0, first.end), *parts[1:]]
