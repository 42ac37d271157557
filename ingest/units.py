"""The smallest pieces that chunks are packed from: sentences, list items, tables and code blocks or their parts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from zhiji.ingest.blocks import Block
from zhiji.ingest.fences import split_code
from zhiji.ingest.parts import Part
from zhiji.ingest.sentences import Span, sentences, split_to_fit
from zhiji.ingest.tables import split_table

UnitKind = Literal["prose", "table", "code", "image"]

# What it costs to begin a chunk before a unit, against a cost of 1 for a chunk half as long as it should be.
CUT_TITLE_LINE = 0.0  # a line in bold that stands for a heading
CUT_BLOCK = 0.2
CUT_ITEM = 0.4
CUT_NESTED_ITEM = 0.8
CUT_SENTENCE = 1.0
CUT_CLAUSE = 3.0
CUT_AFTER_HEADING = 50.0  # hardly at any price
CUT_AFTER_LEAD_IN = 3.0  # a line such as "步骤如下：" says nothing without what it leads to

_ITEM = re.compile(r"^[ \t]*(?:[-*+•·]|\d{1,9}[.)、]|[（(][一二三四五六七八九十\d]+[)）])[ \t]*\S", re.MULTILINE)
_BOLD_LINE = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*[^*\n]+\*\*|__[^_\n]+__)\s*$")
_COLON = re.compile(r"[:：](?:\*\*|__)?\s*$")
_MAX_LEAD_IN = 120
_MAX_CAPTION = 100
_TINY = 16  # characters


@dataclass(frozen=True, slots=True)
class Room:
    """How much one chunk may hold beside its context: characters of prose and of code, and tokens of the embedder."""

    chars: int
    code: int
    tokens: int
    count_tokens: Callable[[str], int]
    marks: int = 0  # tokens that the embedder puts around any text

    def adds(self, text: str) -> int:
        """Tokens that a text and the gap before it add to a chunk."""
        return max(1, self.count_tokens(text) - self.marks + 1)

    def beside(self, text: str) -> "Room":
        """What is left beside `text`; all of it if that would leave little."""
        tokens = self.tokens - self.count_tokens(text)
        if not text or len(text) > self.chars // 4 or tokens < self.tokens // 2:
            return self
        taken = len(text) + len("\n\n")
        return replace(self, chars=self.chars - taken, code=self.code - taken, tokens=tokens)

    def fits(self, text: str) -> bool:
        """Whether prose or a table may be one chunk."""
        return len(text) <= self.chars and self.count_tokens(text) <= self.tokens

    def fits_code(self, text: str) -> bool:
        """Whether code may be one chunk: it may be longer than prose, because cut code is of little use."""
        return len(text) <= self.code and self.count_tokens(text) <= self.tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of one block: its span in the document, and the text that shows it."""

    start: int
    end: int
    text: str
    kind: UnitKind
    tokens: int
    cut: float = CUT_BLOCK  # the price of beginning a chunk with it
    part: tuple[int, int] | None = None  # (2, 3): the second of three parts of one table or code block
    leads_in: bool = False
    is_heading: bool = False
    page: int | None = None
    picture: str = ""


def units_of(block: Block, room: Room, caption: str = "") -> list[Unit]:
    """The units of a block, each of them small enough for `room`.

    The parts of a table or code block that does not fit leave space for its caption, which each of them repeats.
    """
    match block.kind:
        case "table":
            whole = room.fits(block.text)
            return _parts(block, "table", split_table(block.text, (room if whole else room.beside(caption)).fits), room)
        case "code":
            whole = room.fits_code(block.text)
            parts = split_code(block.text, (room if whole else room.beside(caption)).fits_code)
            return _parts(block, "code", parts, room)
        case "image" if room.fits(block.text):
            return [_unit(block, 0, len(block.text), room, kind="image")]
        case "heading":
            return [replace(unit, is_heading=True) for unit in _prose(block, 0, len(block.text), CUT_TITLE_LINE, room)]
        case "list":
            return [unit for a, b, cut in _items(block.text) for unit in _prose(block, a, b, cut, room)]
        case _:
            cut = CUT_TITLE_LINE if _BOLD_LINE.match(block.text) else CUT_BLOCK
            return _prose(block, 0, len(block.text), cut, room)


def is_lead_in(text: str) -> bool:
    """Whether a line only announces what follows: short, and ending in a colon or all bold."""
    return len(text) <= _MAX_LEAD_IN and bool(_COLON.search(text) or _BOLD_LINE.match(text))


def caption_of(unit: Unit) -> str:
    """The sentence before a table or code block, which often says what it shows; empty if it is too long for that."""
    return unit.text if unit.kind == "prose" and len(unit.text) <= _MAX_CAPTION else ""


def _items(text: str) -> list[tuple[int, int, float]]:
    """The items of a list, nested ones apart, and the price of a cut before each."""
    starts = sorted({0, *(match.start() for match in _ITEM.finditer(text))})
    return [
        (start, end, CUT_BLOCK if start == 0 else CUT_NESTED_ITEM if text[start] in " \t" else CUT_ITEM)
        for start, end in pairwise([*starts, len(text)])
        if text[start:end].strip()
    ]


def _prose(block: Block, start: int, end: int, cut: float, room: Room) -> list[Unit]:
    """Sentences of a stretch of the block; the first costs `cut` to begin a chunk with."""
    units: list[Unit] = []
    for a, b in _not_tiny(sentences(block.text[start:end])):
        price = CUT_SENTENCE if units else cut
        sentence = _unit(block, start + a, start + b, room, cut=price)
        if sentence.tokens <= room.tokens and len(sentence.text) <= room.chars:
            units.append(sentence)
            continue
        for index, (c, d) in enumerate(split_to_fit(sentence.text, room.fits)):
            place = start + a
            units.append(_unit(block, place + c, place + d, room, cut=CUT_CLAUSE if index else price))
    return units


def _not_tiny(spans: Sequence[Span]) -> list[Span]:
    """Spans joined until each has a few words: "对。" alone decides nothing, and there may be very many."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] - joined[-1][0] < _TINY:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _unit(block: Block, start: int, end: int, room: Room, *, kind: UnitKind = "prose", cut: float = CUT_BLOCK) -> Unit:
    text = block.text[start:end]
    return Unit(
        start=block.start + start,
        end=block.start + end,
        text=text,
        kind=kind,
        tokens=room.adds(text),
        cut=cut,
        leads_in=is_lead_in(text),
        page=block.page,
        picture=block.picture,
    )


def _parts(block: Block, kind: UnitKind, parts: Sequence[Part], room: Room) -> list[Unit]:
    return [
        Unit(
            start=block.start + part.start,
            end=block.start + part.end,
            text=part.text,
            kind=kind,
            tokens=room.adds(part.text),
            part=(number, len(parts)) if len(parts) > 1 else None,
            page=block.page,
        )
        for number, part in enumerate(parts, start=1)
    ]
