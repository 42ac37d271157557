"""XML: feeds by their entries, other files by their texts."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, CData, Tag
from bs4.element import Comment, Declaration, Doctype, NavigableString, ProcessingInstruction

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.decode import decode
from zhiji.ingest.parse.embedded import add_html
from zhiji.ingest.parse.html_tree import xml_tree
from zhiji.ingest.report import ParseFailed

_DECLARED = re.compile(rb"<\?xml[^>]{0,200}encoding=[\"']([\w-]+)", re.IGNORECASE)
_ENTRIES = ("item", "entry")
_BODIES = ("content", "content:encoded", "description", "summary")
_MARKUP = re.compile(r"<[a-zA-Z][^>]*>")
_MAX_DEPTH = 200


class XmlParser:
    """Reads RSS and Atom feeds, and any other XML as the texts of its elements."""

    suffixes: tuple[str, ...] = (".xml", ".rss", ".atom")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """A section for each entry of a feed; else a paragraph for each element that holds text.

        Raises:
            ParseFailed: it nests too deeply.
        """
        declared = _DECLARED.search(data[:400])
        decoded = decode(data, declared[1].decode("ascii") if declared else "")
        soup = xml_tree(decoded.text)
        build = DocumentBuilder()
        entries = soup.find_all(_ENTRIES)
        title = soup.find("title")
        if entries:
            build.heading(_words(title), 1)
            for entry in entries:
                _add_entry(build, entry)
        else:
            for text in _texts(soup):
                build.add("paragraph", text)
        return build.document(source, _words(title), encoding=decoded.encoding, notes=[decoded.note])


def _add_entry(build: DocumentBuilder, entry: Tag) -> None:
    build.heading(_words(entry.find("title")), 2)
    body = next((tag for name in _BODIES if isinstance(tag := entry.find(name), Tag) and _words(tag)), None)
    if body is None:
        return
    inner = body.decode_contents() if body.find(True) is not None else body.get_text()
    add_html(build, inner)


def _words(tag: Tag | NavigableString | None) -> str:
    """The words of an element; markup that is written as text is read as markup."""
    text = tag.get_text() if tag is not None else ""
    return " ".join((BeautifulSoup(text, "html.parser").get_text() if _MARKUP.search(text) else text).split())


def _texts(tag: Tag, depth: int = 0) -> Iterator[str]:
    """The text of each innermost element, with its siblings' where they are mixed."""
    if depth > _MAX_DEPTH:
        raise ParseFailed(f"the XML nests more than {_MAX_DEPTH} tags")
    children = [child for child in tag.children if isinstance(child, Tag)]
    own = [str(child) for child in tag.children if _is_text(child) and str(child).strip()]
    if own or not children:
        if text := " ".join(tag.get_text(" ").split()):
            yield text
        return
    for child in children:
        yield from _texts(child, depth + 1)


def _is_text(node: object) -> bool:
    hidden = Comment | Doctype | Declaration | ProcessingInstruction
    return isinstance(node, NavigableString) and (isinstance(node, CData) or not isinstance(node, hidden))
