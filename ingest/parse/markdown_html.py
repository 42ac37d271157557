"""HTML inside Markdown: blocks of it are read as HTML, marks inside a line are dropped."""

import re

from zhiji.ingest.blocks import Block

_CODE_OR_COMMENT = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)|<!--.*?-->", re.DOTALL)
_CODE_OR_TAG = re.compile(
    r"(?<!`)(`++)[^\n]*?(?<!`)\1(?!`)|</?(?:a|b|big|br|center|details|div|em|font|i|img|ins|kbd|mark|p|s|small|span|strong|sub|summary|sup|u)\b[^>\n]*>",
    re.IGNORECASE,
)
_LINE_BREAK = re.compile(r"^<br\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def blocks_of_html(text: str) -> tuple[Block, ...]:
    """The blocks in a stretch of HTML; comments and tags that hold nothing give none."""
    bare = _COMMENT.sub("", text)
    if not re.sub(r"<[^>]*>", "", bare).strip() and not re.search(r"<img\b[^>]*\balt", bare, re.IGNORECASE):
        return ()
    from zhiji.ingest.parse.html_blocks import blocks_of  # beautifulsoup4, which few Markdown files need

    return blocks_of(bare)


def without_html_noise(text: str) -> str:
    """Text without comments and layout tags; code spans stay as they are.

    >>> without_html_noise("按<kbd>R</kbd><!-- 键 -->，见`<br>`")
    '按R，见`<br>`'
    """
    if "<" not in text:
        return text
    text = _CODE_OR_COMMENT.sub(lambda found: found[0] if found[1] else "", text)
    return _CODE_OR_TAG.sub(_tag, text)


def _tag(found: re.Match[str]) -> str:
    if found[1]:
        return found[0]
    return " " if _LINE_BREAK.match(found[0]) else ""
