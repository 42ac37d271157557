"""The smallest pieces that chunks are packed from: sentences, list items, tables and code blocks or their parts."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from zhiji.ingest.blocks import Block
from zhiji.ingest.fences import split_code
from zhiji.ingest.sentences import sentences, split_to_fit
from zhiji.ingest.tables import split_table

UnitKind = Literal["prose", "table", "code", "image"]

# What it costs to begin a chunk before a unit, against a cost of 1 for a chunk half as long as it should be.
CUT_ITEM = 0.3
CUT_SENTENCE = 1.0
CUT_CLAUSE = 3.0
CUT_AFTER_LEAD_IN = 2.0  # a line such as "步骤如下：" says nothing without what it leads to

_ITEM = re.compile(r"^[ \t]*(?:[-*+•·]|\d{1,9}[.)、]|[（(][一二三四五六七八九十\d]+[)）])[ \t]*\S", re.MULTILINE)
_LEAD_IN = re.compile(r"(?:[:：]|\*\*|__)\s*$")
_MAX_LEAD_IN = 120


@dataclass(frozen=True, slots=True)
class Room:
    """How much one chunk may hold beside its context: characters, and tokens of the embedder."""

    chars: int
    tokens: int
    count_tokens: Callable[[str], int]

    def fits(self, text: str) -> bool:
        """Whether prose or a table may be one chunk."""
        return len(text) <= self.chars and self.count_tokens(text) <= self.tokens

    def fits_code(self, text: str) -> bool:
        """Whether code may be one chunk: only the embedder limits it, because cut code is of little use."""
        return len(text) <= 16 * self.tokens and self.count_tokens(text) <= self.tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of one block: its span in the document, and the text that shows it."""

    start: int
    end: int
    text: str
    kind: UnitKind
    tokens: int
    cut: float = 0.0
    part: tuple[int, int] | None = None  # (2, 3): the second of three parts of one table or code block
    leads_in: bool = False
    page: int | None = None


def units_of(block: Block, room: Room) -> list[Unit]:
    """The units of a block, each of them small enough for `room`."""
    match block.kind:
        case "table":
            return _parts(block, "table", ((p.text, p.start, p.end) for p in split_table(block.text, room.fits)), room)
        case "code":
            return _parts(block, "code", ((p.text, p.start, p.end) for p in split_code(block.text, room.fits_code)), room)
        case "image" if room.fits(block.text):
            return [_unit(block, 0, len(block.text), room, kind="image")]
        case "list":
            return [unit for start, end in _items(block.text) for unit in _prose(block, start, end, CUT_ITEM, room)]
        case _:
            return _prose(block, 0, len(block.text), 0.0, room)


def is_lead_in(block: Block) -> bool:
    """Whether a paragraph only announces what follows: short, and ending in a colon or set in bold."""
    return block.kind == "paragraph" and len(block.text) <= _MAX_LEAD_IN and _LEAD_IN.search(block.text) is not None


def _items(text: str) -> list[tuple[int, int]]:
    """The items of a list, nested ones apart; what stands before the first item counts as one."""
    starts = sorted({0, *(match.start() for match in _ITEM.finditer(text))})
    edges = [*starts, len(text)]
    return [(a, b) for a, b in zip(edges, edges[1:], strict=False) if text[a:b].strip()]


def _prose(block: Block, start: int, end: int, cut: float, room: Room) -> list[Unit]:
    """Sentences of a stretch of the block; the first costs `cut` to begin a chunk with."""
    text = block.text[start:end]
    units: list[Unit] = []
    for a, b in sentences(text):
        pieces = split_to_fit(text[a:b], room.fits)
        for index, (c, d) in enumerate(pieces):
            price = CUT_CLAUSE if index else CUT_SENTENCE if units else cut
            units.append(_unit(block, start + a + c, start + a + d, room, cut=price))
    return units


def _unit(block: Block, start: int, end: int, room: Room, *, kind: UnitKind = "prose", cut: float = 0.0) -> Unit:
    text = block.text[start:end]
    return Unit(
        start=block.start + start,
        end=block.start + end,
        text=text,
        kind=kind,
        tokens=room.count_tokens(text),
        cut=cut,
        leads_in=is_lead_in(block),
        page=block.page,
    )


def _parts(block: Block, kind: UnitKind, parts: Iterable[tuple[str, int, int]], room: Room) -> list[Unit]:
    cut = list(parts)
    return [
        Unit(
            start=block.start + start,
            end=block.start + end,
            text=text,
            kind=kind,
            tokens=room.count_tokens(text),
            part=(number, len(cut)) if len(cut) > 1 else None,
            page=block.page,
        )
        for number, (text, start, end) in enumerate(cut, start=1)
    ]
