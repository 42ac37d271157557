"""Cutting a passage into what an answer can use: sentences, list items, table rows, code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from zhiji.models.answering.markers import neutral

Kind = Literal["sentence", "item", "row", "code"]

_FENCE = re.compile(r"^\s*(```|~~~)")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_ITEM = re.compile(r"^\s*(?:[-*+•·]\s+|(?P<number>\d{1,3})[.、)）]\s*(?!\d))")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_SENTENCE = re.compile(
    r".+?(?:[。！？!?]+[”’」』）)\"]*|(?<!\b[A-Za-z])(?<!\bMr)(?<!\bDr)(?<!\be\.g)(?<!\bi\.e)[.](?=\s+[A-Z\"“*]|\s*$)|$)",
    re.DOTALL,
)
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1|(?<!\w)`([^`\n]+)`(?!\w)")


@dataclass(frozen=True, slots=True)
class Unit:
    """One usable piece of a passage.

    `block` numbers the list, table or paragraph it stands in, `intro` is the line that introduces that block, and
    `number` is an ordered item's place. A row's `cells` go with the table's `header`.
    """

    text: str
    kind: Kind
    passage: int
    order: int
    block: int
    intro: str = ""
    number: int = 0
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()


@dataclass
class _Reader:
    """Reads a passage line by line."""

    passage: int
    units: list[Unit] = field(default_factory=list)
    block: int = 0
    intro: str = ""
    header: tuple[str, ...] = ()
    inside: str = ""
    """The kind of block the last line belonged to."""

    def add(self, text: str, kind: Kind, number: int = 0, cells: tuple[str, ...] = ()) -> None:
        if text.strip():
            at = len(self.units)
            header = self.header if cells else ()
            self.units.append(Unit(text.strip(), kind, self.passage, at, self.block, self.intro, number, cells, header))

    def enter(self, kind: str) -> None:
        if kind != self.inside:
            self.block += 1
            self.intro = self._introduction() if kind in {"item", "row"} else ""
            self.header = ()
        self.inside = kind

    def _introduction(self) -> str:
        last = self.units[-1] if self.units else None
        return last.text if last and last.kind == "sentence" and last.text.endswith(("：", ":")) else ""


def units(text: str, passage: int = 0) -> list[Unit]:
    """The pieces of a passage in order; headings are left out, emphasis marks and our own markers are taken off."""
    reader = _Reader(passage)
    code: list[str] | None = None
    for line in neutral(text).splitlines():
        if _FENCE.match(line):
            if code is None:
                code = []
            else:
                _close(reader, code)
                code = None
        elif code is not None:
            code.append(line)
        else:
            _line(reader, line)
    if code:
        _close(reader, code)
    return reader.units


def _close(reader: _Reader, code: Sequence[str]) -> None:
    reader.enter("code")
    reader.add("\n".join(code), "code")
    reader.inside = ""


def _line(reader: _Reader, line: str) -> None:
    if not line.strip():
        reader.inside = reader.inside if reader.inside == "item" else ""
    elif _HEADING.match(line):
        reader.inside = "heading"
    elif line.strip().startswith("|"):
        _row(reader, line)
    else:
        _prose(reader, plain(line))


def _row(reader: _Reader, line: str) -> None:
    if _RULE.match(line):
        return
    reader.enter("row")
    cells = tuple(plain(cell.strip()) for cell in line.strip().strip("|").split("|"))
    if not reader.header:
        reader.header = cells
    else:
        reader.add(" ".join(cell for cell in cells if cell), "row", cells=cells)


def _prose(reader: _Reader, line: str) -> None:
    item = _ITEM.match(line)
    if item:
        reader.enter("item")
        reader.add(line[item.end() :], "item", number=int(item["number"] or 0))
        return
    if reader.inside != "sentence":
        reader.enter("sentence")
    for sentence in _with_their_reasons(sentences(line)):
        reader.add(sentence, "sentence")


# "不可以。", "能。", "No.": says nothing without what follows.
_BARE_REPLY = re.compile(
    r"^(?:不?可以|不?能|不?会|不?用|不?行|不?是|需要|不需要|有|没有|支持|不支持|必须|禁止|yes|no|not? at all|never)[。.！!]$",
    re.IGNORECASE,
)


def _with_their_reasons(found: Iterator[str]) -> Iterator[str]:
    """The sentences, one that asks or only says yes or no together with the next."""
    opening = ""
    for sentence in found:
        if not opening and (_BARE_REPLY.match(sentence) or sentence.endswith(("?", "？"))):
            opening = sentence + ("" if sentence.endswith(("。", "？")) else " ")
            continue
        yield opening + sentence
        opening = ""
    if opening:
        yield opening.strip()


def sentences(text: str) -> Iterator[str]:
    """The sentences of a line of prose, each with its closing mark."""
    for found in _SENTENCE.finditer(text):
        if found.group().strip():
            yield found.group().strip()


def plain(text: str) -> str:
    """Markdown text without its emphasis marks."""
    return _EMPHASIS.sub(lambda found: found[2] or found[3], text)
