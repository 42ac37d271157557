"""The tree of an HTML page, mended where tags were left open."""

import re

from bs4 import BeautifulSoup, Tag
from bs4.element import CData, Comment, Declaration, Doctype, ProcessingInstruction

from zhiji.ingest.report import ParseFailed

MAX_DEPTH = 400  # nested tags; deeper trees come from faults, and would exhaust the interpreter's stack

# A tag of the first kind inside one of the second, with none of the third between, was not closed before.
_OPEN_LEFT = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "td": ({"td", "th"}, {"table"}),
    "th": ({"td", "th"}, {"table"}),
    "tr": ({"tr", "td", "th"}, {"table"}),
    "p": ({"p"}, {"td", "th", "li", "dd", "div", "section", "article", "blockquote", "body"}),
}


def soup_of(text: str) -> BeautifulSoup:
    """The parsed page without comments; tags that HTML lets stay open are closed where the next one starts.

    Raises:
        ParseFailed: the page nests tags too deeply.
    """
    try:
        soup = BeautifulSoup(text, "html.parser")
    except (RecursionError, AssertionError, ValueError) as broken:
        raise ParseFailed("the HTML is too broken to be read") from broken
    for node in soup.find_all(string=_is_unseen):
        node.extract()
    _check_depth(soup)
    for tag in soup.find_all(list(_OPEN_LEFT)):
        unclosed = _unclosed_before(tag)
        if unclosed is not None:
            unclosed.insert_after(tag.extract())
    return soup


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


def _unclosed_before(tag: Tag) -> Tag | None:
    """The outermost open tag that this one should have closed."""
    closes, scope = _OPEN_LEFT[tag.name]
    found = None
    for parent in tag.parents:
        if parent.name in scope:
            break
        if parent.name in closes:
            found = parent
    return found


def _is_unseen(text: object) -> bool:
    return isinstance(text, Comment | Doctype | Declaration | ProcessingInstruction) and not isinstance(text, CData)


def _check_depth(soup: BeautifulSoup) -> None:
    stack: list[tuple[Tag, int]] = [(soup, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise ParseFailed(f"the HTML nests more than {MAX_DEPTH} tags")
        stack.extend((child, depth + 1) for child in node.children if isinstance(child, Tag))
