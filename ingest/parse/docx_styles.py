"""What the styles of a Word document mean: headings, and tables of contents."""

import re
from collections.abc import Iterator
from typing import Any

from zhiji.ingest.parse.docx_text import local, paragraph_text, q

_HEADING = re.compile(r"^(?:heading|标题|標題|überschrift|titre)\s*(\d)$", re.IGNORECASE)
_TITLE = re.compile(r"^(?:title|标题|標題)$", re.IGNORECASE)
_CONTENTS = re.compile(r"^(?:toc|目录|目錄)\s*\d*(?:\s*heading)?$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[。；;，,：:.]$")
_MAX_BOLD = 40  # characters of a bold line that stands for a heading
_BODY = 9  # the outline level of running text


class Styles:
    """Tells the level of a heading; in a document without heading styles, bold lines are headings."""

    def __init__(self, document: Any) -> None:
        self._styles = {style.style_id: style for style in document.styles}
        body = document.element.body
        paragraphs = list(body.iter(q("p")))
        self._titled = any(self._is_title(p) for p in paragraphs)
        self._styled = self._titled or any(self._styled_level(p) for p in paragraphs)

    def level(self, p: Any, text: str) -> int:
        """The level of a heading, 0 for other paragraphs; headings stand below a title in the style of one."""
        if self._is_title(p):
            return 1
        if level := self._styled_level(p):
            return level + self._titled
        is_line = "\n" not in text and 0 < len(text) <= _MAX_BOLD and not _SENTENCE_END.search(text)
        return 2 if not self._styled and is_line and _all_bold(p) and not _in_cell(p) else 0

    def is_contents(self, p: Any) -> bool:
        """Whether a paragraph is a line of a table of contents."""
        return any(_CONTENTS.match(style.name or "") for style in self.chain(p))

    def chain(self, p: Any) -> Iterator[Any]:
        """The paragraph's style, and those it is based on."""
        named = p.find(f"{q('pPr')}/{q('pStyle')}")
        style = self._styles.get(named.get(q("val"))) if named is not None else None
        for _ in range(12):
            if style is None:
                return
            yield style
            style = style.base_style

    def _is_title(self, p: Any) -> bool:
        return any(_TITLE.match(style.name or "") for style in self.chain(p)) and bool(paragraph_text(p))

    def _styled_level(self, p: Any) -> int:
        own = _outline_level(p.find(q("pPr")))
        if own is not None:
            return own + 1 if own < _BODY else 0
        for style in self.chain(p):
            if found := _HEADING.match(style.name or ""):
                return int(found[1])
            level = _outline_level(style.element.find(q("pPr")))
            if level is not None:
                return level + 1 if level < _BODY else 0
        return 0


def _outline_level(properties: Any) -> int | None:
    found = properties.find(q("outlineLvl")) if properties is not None else None
    return int(found.get(q("val"))) if found is not None else None


def _all_bold(p: Any) -> bool:
    runs = [run for run in p.iter(q("r")) if any(local(one) == "t" and (one.text or "").strip() for one in run)]
    return bool(runs) and all(_is_on(run.find(f"{q('rPr')}/{q('b')}")) for run in runs)


def _is_on(switch: Any) -> bool:
    return switch is not None and switch.get(q("val")) not in ("0", "false", "none")


def _in_cell(p: Any) -> bool:
    return any(local(parent) == "tc" for parent in p.iterancestors())
