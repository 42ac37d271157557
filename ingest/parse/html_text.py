"""The words inside HTML tags, spaced as a browser would show them."""

import re

from bs4 import Tag

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
_CJK = r"\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_MARKS = r"\u3001-\u303f\uff01-\uff0f\uff1a-\uff20"
_LINE_END_IN_CHINESE = re.compile(rf"(?<=[{_CJK}])[ \t]*\n\s*(?=[{_CJK}])|(?<=[{_MARKS}])[ \t]*\n\s*")
_CODE = ("code", "samp", "kbd", "tt")
_BREAK = "\x00"  # stands for <br> until white space is collapsed


def inline_text(source: Tag | str) -> str:
    """Words spaced as a browser shows them; `<br>` ends a line, a line end between Chinese characters is dropped."""
    text = source if isinstance(source, str) else line_text(source)
    text = _LINE_END_IN_CHINESE.sub("", text)
    lines = (" ".join(line.split()) for line in text.split(_BREAK))
    return "\n".join(line for line in lines if line)


def line_text(tag: Tag) -> str:
    """The words of a tag: code between backticks, a blank around blocks, a picture's description for the picture."""
    if tag.name == "br":
        return _BREAK
    if tag.name == "img":
        return str(tag.get("alt") or "")
    inner = "".join(line_text(child) if isinstance(child, Tag) else str(child) for child in tag.children)
    if tag.name in _CODE and inner.strip() and "`" not in inner:
        return f"`{inner.strip()}`"
    return inner if tag.name in _INLINE else f" {inner} "


def is_inline(tag: Tag) -> bool:
    """Whether a tag stands inside a line: its name says so, and it holds no block."""
    return tag.name in _INLINE and all(inner.name in _INLINE for inner in tag.find_all(True))
