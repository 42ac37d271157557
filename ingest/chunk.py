"""Cutting a document into the passages that are searched, cited and shown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

from zhiji.ingest.blocks import Document, without_marks
from zhiji.ingest.overlap import caption_before, overlap_start
from zhiji.ingest.packing import Limits, pack
from zhiji.ingest.sections import Section, sections, whole
from zhiji.ingest.shifts import EmbedTexts, priced_by_subject
from zhiji.ingest.units import Room, Unit, caption_of, units_of

ChunkKind = Literal["prose", "table", "code", "image"]
Strategy = Literal["structure", "fixed", "semantic"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

SIZE = 400  # characters wanted; the longest prose or table has a quarter more
OVERLAP = 0.15
_MAX_TITLE = 100  # characters of the title that are indexed with each chunk
_MAX_PATH = 160
_CODE_SIZES = 4  # a code block is cut where it is longer than this many chunks of prose
_SLACK = 4  # tokens for the line ends between context and text
_LEAST_TOKENS = 64
_LOOKBACK = 100  # units before a chunk among which its overlap and lead-in are looked for
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One passage of a document.

    `core_start` to `core_end` is the span that this chunk alone holds; all cores together are the document's body.
    `text` also has what was repeated for context: the end of the passage before, a table's header, a fence.
    """

    ordinal: int
    text: str
    title: str
    heading: str  # "A > B > C", the outermost first
    kind: ChunkKind
    start: int
    end: int
    core_start: int
    core_end: int
    page: int | None = None
    part: tuple[int, int] | None = None  # (2, 3): the second of three parts of one table or code block
    pictures: tuple[str, ...] = ()
    context: str = ""  # title and headings as they are indexed, short enough to leave room for the text


def index_text(chunk: Chunk) -> str:
    """What is embedded and searched: title and headings, then the text without Markdown's marks."""
    return f"{chunk.context}\n{_search_copy(chunk.text)}"


def chunk(
    document: Document,
    *,
    size: int = SIZE,
    overlap: float = OVERLAP,
    max_tokens: int,
    count_tokens: Callable[[str], int],
    strategy: Strategy = "structure",
    embed: EmbedTexts | None = None,
) -> list[Chunk]:
    """The document's passages, in order.

    None cuts a table row or, as long as the embedder can hold it, a code block. Neighbouring prose of one section
    overlaps by whole sentences or clauses. By `structure` no passage crosses a heading, and cuts fall between
    paragraphs where that costs little length. `semantic` also prefers places where the subject shifts. By `fixed`
    only the length counts: headings are lines like others, but stay with what follows them.

    Args:
        document: What to cut.
        size: Characters wanted; prose and tables stay within a quarter more, code within four times as many.
        overlap: Share of a passage that repeats the one before, 0.15 giving 10 to 20 %.
        max_tokens: Most tokens that `index_text` of a passage may have.
        count_tokens: The embedder's count.
        strategy: What decides where passages begin.
        embed: Vectors of texts, for `semantic`.
    """
    if size < 40 or not 0 <= overlap < 0.5 or max_tokens < _LEAST_TOKENS:
        raise ValueError(f"cannot cut chunks of {size} characters, {max_tokens} tokens, overlap {overlap}")
    if strategy == "semantic" and embed is None:
        raise ValueError("semantic chunks need an embedder")
    cutter = _Cutter(document, size, overlap, max_tokens, count_tokens)
    for section in whole(document) if strategy == "fixed" else sections(document):
        cutter.cut(section, embed if strategy == "semantic" else None)
    return cutter.chunks


class _Cutter:
    """The work on one document: limits, and the chunks made so far."""

    def __init__(
        self, document: Document, size: int, overlap: float, max_tokens: int, count_tokens: Callable[[str], int]
    ) -> None:
        self.document = document
        self.chunks: list[Chunk] = []
        self._overlap = overlap
        self._max_tokens = max_tokens
        self._count = count_tokens
        most = size * 5 // 4
        repeated = round(size * overlap * 4 / 3)
        self._most = most
        self._code = size * _CODE_SIZES
        self._limits = Limits(wanted=round(size * (1 - overlap)), first=most, later=most - repeated)

    def cut(self, section: Section, embed: EmbedTexts | None) -> None:
        """Adds the chunks of a section; with `embed`, by its subjects."""
        paths = {section.path, *(path for _, path in section.paths)}
        tokens = self._max_tokens - max(self._count(self._context(path)) for path in paths) - _SLACK
        room = Room(self._limits.later, self._code, tokens, self._count, self._count(""))
        units: list[Unit] = []
        for block in section.blocks:
            caption = caption_of(units[-1]) if units else ""
            units.extend(units_of(block, self._room_of(block.kind, room), caption))
        units = priced_by_subject(units, embed) if embed is not None else units
        for first, last in pack(units, self._limits, room):
            self._add(units[first:last], units[max(0, first - _LOOKBACK) : first], section)

    def _context(self, path: tuple[str, ...]) -> str:
        return _context(self.document.title, path, self._max_tokens // 2, self._count)

    def _room_of(self, kind: str, room: Room) -> Room:
        return replace(room, chars=self._most) if kind == "table" else room

    def _add(self, units: Sequence[Unit], before: Sequence[Unit], section: Section) -> None:
        """Adds one chunk with what it repeats, or without if that leaves no room, or as one chunk a unit."""
        made = self._made(units, before, section)
        if self._count(index_text(made)) > self._max_tokens:
            made = self._made(units, (), section)
        if self._count(index_text(made)) > self._max_tokens and len(units) > 1:
            middle = len(units) // 2
            self._add(units[:middle], (), section)
            self._add(units[middle:], (), section)
            return
        self.chunks.append(made)

    def _made(self, units: Sequence[Unit], before: Sequence[Unit], section: Section) -> Chunk:
        start, repeated = self._repeated(units, before)
        first, last = units[0], units[-1]
        path = section.path_at(first.start)
        part = next((unit.part for unit in units if unit.part), None)
        return Chunk(
            ordinal=len(self.chunks),
            text=repeated + self._shown(units),
            title=self.document.title,
            heading=" > ".join(path),
            kind=_kind(units),
            start=start,
            end=last.end,
            core_start=first.start,
            core_end=last.end,
            page=first.page,
            part=part,
            pictures=tuple(dict.fromkeys(unit.picture for unit in units if unit.picture)),
            context=self._context(path),
        )

    def _repeated(self, units: Sequence[Unit], before: Sequence[Unit]) -> tuple[int, str]:
        """Where the chunk starts in the document, and the text that it repeats from the chunk before."""
        first = units[0]
        if not before or not self._overlap:
            return first.start, ""
        if first.kind in ("table", "code"):
            caption = caption_before(first, before)
            return first.start, f"{caption}\n\n" if caption else ""
        if first.kind != "prose" or before[-1].kind != "prose":
            return first.start, ""
        core = first.start, units[-1].end
        start = overlap_start(self.document.text, before, core, self._overlap, self._most)
        return start, self.document.text[start : first.start]

    def _shown(self, units: Sequence[Unit]) -> str:
        """The units as one text, with the document's own gaps between them."""
        text = self.document.text
        gaps = [text[a.end : b.start] for a, b in pairwise(units)]
        return units[0].text + "".join(gap + unit.text for gap, unit in zip(gaps, units[1:], strict=True))


def _kind(units: Sequence[Unit]) -> ChunkKind:
    kinds = {unit.kind for unit in units}
    return next((kind for kind in ("table", "code", "prose") if kind in kinds), "image")


def _context(title: str, path: Sequence[str], most: int, count_tokens: Callable[[str], int]) -> str:
    """Title, then the heading path without the title, cut so that `most` tokens hold them."""
    below = path[1:] if path and path[0] == title else path
    title, headings = title[:_MAX_TITLE], " > ".join(below)
    headings = headings if len(headings) <= _MAX_PATH else f"…{headings[-_MAX_PATH:]}"
    context = f"{title}\n{headings}".strip()
    while context and count_tokens(context) > most:
        context = context[: len(context) // 2].strip()
    return context


def _search_copy(text: str) -> str:
    """The text without link targets, emphasis marks and table rules; code stays as it is."""
    lines = []
    in_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            if _TABLE_RULE.match(line):
                continue
            line = without_marks(line)
        lines.append(line)
    return "\n".join(lines)
