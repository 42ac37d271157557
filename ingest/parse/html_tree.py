"""The tree of an HTML page, with the ends that HTML lets authors leave out."""

import re
import warnings
from collections.abc import Mapping

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from bs4.element import CData, Comment, Declaration, Doctype, NamespacedAttribute, ProcessingInstruction

from zhiji.ingest.report import ParseFailed

MAX_DEPTH = 300  # nested tags; deeper trees come from faults, and would exhaust the interpreter's stack

_BLOCKS = (
    "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav "
    "ol p pre section table ul"
).split()
# HTML lets these tags stay open: where the first kind begins, one of the second that is open ends, unless one of the
# third was opened in between.
_CELL = frozenset({"td", "th"})
_ROW = _CELL | {"tr"}
_TERM = frozenset({"dt", "dd"})
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    **{name: (frozenset({"p"}), frozenset({"button", "object", "td", "th", "li", "dd"})) for name in _BLOCKS},
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu"})),
    **{name: (_TERM, frozenset({"dl"})) for name in _TERM},
    **{name: (_CELL, frozenset({"tr", "table"})) for name in _CELL},
    "tr": (_ROW, frozenset({"table"})),
    **{name: (_ROW | {"thead", "tbody", "tfoot"}, frozenset({"table"})) for name in ("thead", "tbody", "tfoot")},
    "option": (frozenset({"option"}), frozenset({"select"})),
}


class _Page(BeautifulSoup):
    """A page whose open tags end where HTML says, which Python's own parser leaves to others."""

    def handle_starttag(
        self,
        name: str,
        namespace: str | None,
        nsprefix: str | None,
        attrs: Mapping[str | NamespacedAttribute, str],
        sourceline: int | None = None,
        sourcepos: int | None = None,
        namespaces: dict[str, str] | None = None,
    ) -> Tag | None:
        """Ends the tags that this one implies the end of, then opens it."""
        while name in _ENDS and (left_open := self._left_open(*_ENDS[name])):
            self.handle_endtag(left_open)
        if len(self.tagStack) > MAX_DEPTH:
            raise ParseFailed(f"the HTML nests more than {MAX_DEPTH} tags")
        return super().handle_starttag(name, namespace, nsprefix, attrs, sourceline, sourcepos, namespaces)

    def _left_open(self, ends: frozenset[str], scope: frozenset[str]) -> str:
        """The innermost open tag that has to end, if any."""
        for tag in reversed(self.tagStack):
            if tag.name in ends:
                return tag.name
            if tag.name in scope:
                break
        return ""


def soup_of(text: str) -> BeautifulSoup:
    """The parsed page without comments.

    Raises:
        ParseFailed: the page nests tags too deeply, or is broken in a way that the parser cannot bear.
    """
    try:
        soup = _Page(text, "html.parser")
    except (RecursionError, AssertionError, ValueError) as broken:
        raise ParseFailed("the HTML is too broken to be read") from broken
    for node in soup.find_all(string=_is_unseen):
        node.extract()
    return soup


def xml_tree(text: str) -> BeautifulSoup:
    """The parsed XML; names of tags are in lower case, with their prefix."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # the tolerant reader is wanted: feeds are often broken
        return BeautifulSoup(text, "html.parser")


def language_of_code(tag: Tag) -> str:
    """The language that a highlighter's class names, as in `language-python`."""
    for holder in (tag, tag.find("code"), tag.parent):
        classes = holder.get("class") if isinstance(holder, Tag) else None
        found = re.search(r"(?:language|lang|highlight-source|brush:?)[-\s:]+([\w+#-]+)", " ".join(classes or []))
        if found:
            return found[1]
    return ""


def span_of(tag: Tag, name: str, most: int) -> int:
    """A `rowspan` or `colspan`, at least 1 and at most `most`; 0 means all the rest."""
    found = re.match(r"\s*(\d{1,6})", str(tag.get(name, "1")))
    value = int(found[1]) if found else 1
    return most if value == 0 else min(value, most)


def _is_unseen(text: object) -> bool:
    return isinstance(text, Comment | Doctype | Declaration | ProcessingInstruction) and not isinstance(text, CData)
