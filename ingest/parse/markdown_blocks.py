"""The block structure of Markdown as stretches of source lines, lists and quotations opened where they hold more."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

PieceKind = Literal["heading", "paragraph", "list", "quote", "table", "code", "html"]

_LEAVES: dict[str, PieceKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
}
_MAX_NESTING = 60  # lists and quotations inside each other; what lies deeper is read as plain lines
_TABLE_END = re.compile(r"</table\s*>", re.IGNORECASE)
_TABLE_START = re.compile(r"<table\b", re.IGNORECASE)
_DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s+[\"'(].*)?\s*$")


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of the source: its lines as they stand; `tight` if no blank line parts it from the one before."""

    kind: PieceKind
    text: str
    level: int = 0
    language: str = ""
    tight: bool = False


@dataclass(slots=True)
class _Lines:
    """A block as a range of lines."""

    kind: PieceKind
    start: int
    end: int
    level: int = 0
    language: str = ""


def pieces(source: str) -> Iterator[Piece]:
    """The blocks of a Markdown text in order; every line that is not blank is in one of them, rules left out."""
    lines = source.split("\n")
    ranges = _with_gaps(lines, _ranges(source, lines))
    for before, now in zip([None, *ranges], ranges, strict=False):
        tight = before is not None and before.end == now.start and "heading" not in (before.kind, now.kind)
        yield Piece(now.kind, "\n".join(lines[now.start : now.end]), now.level, now.language, tight)


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    reader.core.ruler.enableOnly(["normalize", "block"])  # what stands inside a line is kept as it is
    return reader


def _ranges(source: str, lines: Sequence[str]) -> list[_Lines]:
    found: list[_Lines] = []
    inside: list[PieceKind] = []
    done = 0
    for token in _reader().parse(source):
        if token.type in ("bullet_list_open", "ordered_list_open", "blockquote_open"):
            inside.append("quote" if token.type == "blockquote_open" else "list")
        elif token.type in ("bullet_list_close", "ordered_list_close", "blockquote_close"):
            inside.pop()
        elif token.type in _LEAVES and token.map is not None and token.map[0] >= done:
            leaf = _leaf(token, lines)
            leaf.kind = inside[0] if inside and leaf.kind in ("paragraph", "heading") else leaf.kind
            done = leaf.end
            _append(found, leaf, lines, first_of_run=not inside)
    return found


def _leaf(token: Token, lines: Sequence[str]) -> _Lines:
    start, end = token.map or (0, 0)
    while end > start and not lines[end - 1].strip():
        end -= 1
    kind = _LEAVES[token.type]
    if kind == "html":
        end = _whole_table(lines, start, end)
    level = int(token.tag[1]) if kind == "heading" else 0
    language = token.info.strip().split(" ")[0].strip("{}.") if token.type == "fence" else ""
    return _Lines(kind, start, end, level, language)


def _whole_table(lines: Sequence[str], start: int, end: int) -> int:
    """A blank line ends a block of HTML, but not the table in it: the end of that."""
    opened = sum(len(_TABLE_START.findall(line)) for line in lines[start:end])
    closed = sum(len(_TABLE_END.findall(line)) for line in lines[start:end])
    if opened <= closed:
        return end
    for number in range(end, len(lines)):
        if _TABLE_END.search(lines[number]):
            return number + 1
    return end


def _append(found: list[_Lines], leaf: _Lines, lines: Sequence[str], *, first_of_run: bool) -> None:
    """Adds a block; the paragraphs of one list or quotation, which only blank lines part, become one block."""
    last = found[-1] if found else None
    joins = not first_of_run and last is not None and last.kind == leaf.kind and leaf.kind in ("list", "quote")
    if joins and last is not None and not any(line.strip(" \t>") for line in lines[last.end : leaf.start]):
        last.end = leaf.end
    else:
        found.append(leaf)


def _with_gaps(lines: Sequence[str], ranges: Sequence[_Lines]) -> list[_Lines]:
    """Adds as paragraphs the lines that no block holds: definitions that are remarks, and what is nested too deep."""
    whole: list[_Lines] = []
    at = 0
    for block in [*ranges, _Lines("paragraph", len(lines), len(lines))]:
        for number in range(at, block.start):
            if _is_read(lines[number]):
                _append(whole, _Lines("paragraph", number, number + 1), lines, first_of_run=True)
        if block.start < len(lines):
            whole.append(block)
        at = max(at, block.end)
    return whole


def _is_read(line: str) -> bool:
    """Whether a line outside all blocks has words: a link's address has none."""
    definition = _DEFINITION.match(line)
    if definition:
        return re.search(r"[./#@]", definition[1]) is None
    return any(char.isalnum() for char in line)
