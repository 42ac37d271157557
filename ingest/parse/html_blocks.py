"""Turning the tree of an HTML page into blocks of Markdown."""

import re
from collections.abc import Iterator

from bs4 import Tag
from bs4.element import NavigableString

from zhiji.ingest.blocks import Block, DocumentBuilder
from zhiji.ingest.fences import fenced
from zhiji.ingest.parse.html_tables import add_table, is_layout
from zhiji.ingest.parse.html_text import inline_text, is_inline, line_text
from zhiji.ingest.parse.html_tree import language_of_code, soup_of

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = ("ul", "ol", "menu", "dl")


def blocks_of(html: str) -> tuple[Block, ...]:
    """The blocks in a stretch of HTML."""
    return add_blocks(soup_of(html)).blocks


def add_blocks(content: Tag) -> DocumentBuilder:
    """The content as blocks, in the order of the page."""
    build = DocumentBuilder()
    _Walk(build).children(content)
    return build


class _Walk:
    """One pass through the tree; text and inline tags between two blocks make a paragraph."""

    def __init__(self, build: DocumentBuilder) -> None:
        self.build = build

    def children(self, tag: Tag) -> None:
        """Adds what is inside a tag that is only a container."""
        line: list[str] = []
        for child in tag.children:
            if isinstance(child, NavigableString):
                line.append(str(child))
            elif isinstance(child, Tag) and is_inline(child):
                line.append(line_text(child))
            elif isinstance(child, Tag):
                self._paragraph(line)
                line = []
                self._block(child)
        self._paragraph(line)

    def _paragraph(self, line: list[str]) -> None:
        self.build.add("paragraph", inline_text("".join(line)))

    def _block(self, tag: Tag) -> None:
        if tag.name in _HEADINGS:
            level = _HEADINGS[tag.name]
            self.build.add("heading", f"{'#' * level} {title}" if (title := inline_text(tag)) else "", level=level)
        elif tag.name in _LISTS:
            self.build.add("list", "\n".join(_list_lines(tag)))
            for inner in _blocks_inside(tag):
                self._block(inner)
        elif tag.name == "table":
            self._table(tag)
        elif tag.name in ("pre", "listing", "xmp"):
            code = tag.get_text()
            self.build.add(
                "code", fenced(code, language := language_of_code(tag)) if code.strip() else "", language=language
            )
        elif tag.name == "img":
            self._image(tag)
        elif tag.name == "blockquote" and not tag.find([*_HEADINGS, *_LISTS, "pre", "table"]):
            self.build.add("quote", _quoted(tag))
        else:
            self.children(tag)

    def _code(self, tag: Tag) -> None:
        code, language = tag.get_text(), language_of_code(tag)
        self.build.add("code", fenced(code, language) if code.strip() else "", language=language)

    def _table(self, table: Tag) -> None:
        if is_layout(table):
            for cell in table.find_all(["td", "th", "caption"]):
                if cell.find_parent("table") is table:
                    self.children(cell)
        else:
            add_table(self.build, table)

    def _image(self, image: Tag) -> None:
        if image.get("alt") == "":  # HTML's mark of a picture that only decorates
            return
        alt = inline_text(str(image.get("alt") or image.get("title") or ""))
        address = str(image.get("src") or "").strip()
        address = "" if address.startswith("data:") or re.search(r"[\s()]", address) else address
        if alt or address:
            self.build.add("image", f"![{alt.replace('[', '').replace(']', '')}]({address})")


def _quoted(tag: Tag) -> str:
    inner = add_blocks_of_children(tag)
    return "\n".join(f"> {line}".rstrip() for line in inner.split("\n")) if inner else ""


def add_blocks_of_children(tag: Tag) -> str:
    """The text inside a tag, its paragraphs parted by blank lines."""
    build = DocumentBuilder()
    _Walk(build).children(tag)
    return build.text


def _list_lines(tag: Tag, depth: int = 0) -> Iterator[str]:
    """The lines of a list, nested lists indented under their items."""
    number = 0
    for item in tag.find_all(["li", "dt", "dd"]):
        if item.find_parent(_LISTS) is not tag:
            continue
        number += 1
        mark = f"{number}. " if tag.name == "ol" else "- "
        indent = "   " * depth + ("  " if item.name == "dd" else "")
        text = inline_text(_own_text(item))
        if text:
            yield indent + mark + text
        for inner in item.find_all(_LISTS):
            if inner.find_parent(_LISTS) is tag:
                yield from _list_lines(inner, depth + 1)


def _own_text(item: Tag) -> str:
    """The words of a list item, without nested lists and the blocks that are added after the list."""
    parts = []
    for child in item.children:
        if isinstance(child, NavigableString):
            parts.append(str(child))
        elif isinstance(child, Tag) and child.name not in (*_LISTS, "pre", "table"):
            blank = "" if is_inline(child) else " "
            parts.append(blank + (line_text(child) if is_inline(child) else _own_text(child)) + blank)
    return "".join(parts)


def _blocks_inside(tag: Tag) -> list[Tag]:
    """Code, tables and images inside list items, the outermost of each."""
    found = tag.find_all(["pre", "table", "img"])
    return [inner for inner in found if inner.find_parent(["pre", "table"]) is None or tag.find_parent("table")]
