"""One form for every kind of file: a document of typed blocks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Literal, Protocol

from zhiji.core.text import clean

BlockKind = Literal["heading", "paragraph", "list", "quote", "table", "code", "image"]

_ORDER_PREFIX = re.compile(r"^\d{1,3}[_\-.、\s]+(?=\S)")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document that means something by itself.

    `start` and `end` are character offsets in the document's text, and `text` is exactly that slice.
    """

    kind: BlockKind
    text: str
    start: int
    end: int
    level: int = 0  # of a heading, 1 to 6
    language: str = ""  # of code, as the fence names it
    page: int | None = None
    picture: str = ""  # the name under which the document holds the picture that this block shows


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A page that gave no text, and why."""

    page: int
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader sees of one file, as Markdown, whatever the file was.

    `text` leaves out what nobody reads (comments, scripts, navigation, embedded image bytes). `notes` are remarks for
    the ingest report, such as bytes that could not be read. `pictures` holds the bytes of each picture that a block
    names.
    """

    source: str  # the path relative to its root, with slashes
    title: str
    text: str
    blocks: tuple[Block, ...]
    encoding: str = "utf-8"
    pages: int | None = None
    notes: tuple[str, ...] = ()
    skipped: tuple[SkippedPage, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    meta: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def count(self, kind: BlockKind) -> int:
        """How many blocks of this kind there are."""
        return sum(block.kind == kind for block in self.blocks)


class Parser(Protocol):
    """Reads the files of one format."""

    suffixes: tuple[str, ...]
    binary: bool
    """Whether its files are told by their first bytes; others are text in some encoding."""

    def parse(self, data: bytes, source: str) -> Document:
        """The document in `data`; raises `ParseFailed` with a reason that a user understands."""
        ...


class DocumentBuilder:
    """Collects blocks one after the other and keeps their offsets right."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self.pictures: dict[str, bytes] = {}
        self.notes: list[str] = []

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        language: str = "",
        page: int | None = None,
        picture: str = "",
        tight: bool = False,
    ) -> None:
        """Appends a block, a blank line after the one before it (`tight`: only a line end); blank text adds nothing."""
        text = clean(text).strip("\n").rstrip()
        if not text.strip():
            return
        if self._blocks:
            gap = "\n" if tight else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        start, self._length = self._length, self._length + len(text)
        self._parts.append(text)
        self._blocks.append(Block(kind, text, start, self._length, level, language, page, picture))

    def heading(self, title: str, level: int, page: int | None = None) -> None:
        """Appends a heading of these words; more than six levels are six."""
        level = max(1, min(level, 6))
        words = " ".join(title.split())
        self.add("heading", f"{'#' * level} {words}" if words else "", level=level, page=page)

    def document(self, source: str, title: str = "", **more: Any) -> Document:
        """The finished document; one without a title is named after its file."""
        return Document(
            source=source,
            title=" ".join(clean(title).split()) or title_from_name(source),
            text=self.text,
            blocks=self.blocks,
            notes=tuple(dict.fromkeys(note for note in [*more.pop("notes", ()), *self.notes] if note)),
            pictures=MappingProxyType(self.pictures),
            **more,
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks so far."""
        return tuple(self._blocks)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)


def heading_text(block: Block) -> str:
    """The words of a heading without the marks around them.

    >>> heading_text(Block("heading", "## **退货** 流程 ##", 0, 13, level=2))
    '退货 流程'
    """
    line = re.sub(r"\n[=-]+\s*$", "", block.text)
    line = re.sub(r"^\s{0,3}#{1,6}\s*|\s+#+\s*$", "", line)
    return plain(line)


def title_from_name(source: str) -> str:
    """A title for a document that names none: the file's stem, without an ordering number.

    >>> title_from_name("hr/03_leave_policy.md")
    'leave policy'
    """
    stem = PurePosixPath(source).stem
    return clean(_ORDER_PREFIX.sub("", stem).replace("_", " ")).strip() or stem


_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)\n]*\)")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)(?:\s+\"[^\"\n]*\")?\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")


def plain(text: str) -> str:
    """Text without Markdown's inline marks, on one line: what search should see of it.

    >>> plain("**官网**: [Milvus](https://milvus.io/)")
    '官网: Milvus'
    """
    return " ".join(without_marks(text).replace("`", "").split())


def without_marks(text: str) -> str:
    """Text without link targets and emphasis marks; lines and code spans stay."""
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    return _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text))
