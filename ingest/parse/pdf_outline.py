"""Which lines of a PDF are headings: those its outline names, else those in larger or bold type."""

import re
from collections import Counter
from collections.abc import Sequence

from zhiji.ingest.layout import Line, Paragraph
from zhiji.ingest.parse.pdf_page import Page

_LARGER = 1.12  # times the size of the running text
_LARGER_IN_SCAN = 1.6  # where sizes are those of the boxes around the words
_MAX_HEADING = 80  # characters
_MAX_LINES = 3
_LEVELS = 4
_NUMBERED = re.compile(
    r"^\s*(\d{1,2}(?:\.\d{1,2}){0,3})[.、\s]\s*\S|^\s*(第[一二三四五六七八九十百\d]+[章篇部])|^\s*(第[一二三四五六七八九十百\d]+节)|^\s*(?:Chapter|CHAPTER)\s+\d+"
)
_SENTENCE_END = re.compile(r"[。；;，,]$|[a-z]\.$")
_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}")


class Headings:
    """Tells the level of a heading from the type sizes of the whole document."""

    def __init__(self, pages: Sequence[Page], outline: Sequence[tuple[int, str]]) -> None:
        self._outline = {key: level for level, title in outline if (key := _key(title))}
        self._body = _body_size([line for page in pages if not page.scanned for line in page.lines])
        self._scan = _body_size([line for page in pages if page.scanned for line in page.lines])
        larger = Counter(
            line.size
            for page in pages
            if not page.scanned
            for line in page.lines
            if line.size >= _LARGER * self._body and len(line.text) <= _MAX_HEADING
        )
        self._sizes = _ranked(larger)
        self._bold_body = _mostly_bold(pages)

    def level(self, paragraph: Paragraph, *, scanned: bool) -> int:
        """The level of a heading, or 0 if the paragraph is none."""
        text = paragraph.text
        if not text or len(text) > _MAX_HEADING or len(paragraph.lines) > _MAX_LINES or _LEADER.search(text):
            return 0
        if known := self._outline.get(_key(text)):
            return min(known, 6)
        if not any(char.isalpha() for char in text) or _SENTENCE_END.search(text):
            return 0
        size = paragraph.lines[0].size
        if scanned:
            return 2 if self._scan and size >= _LARGER_IN_SCAN * self._scan and len(text) >= 2 else 0
        if self._outline:  # a document with an outline names its headings there; only a title is larger than those
            return 1 if self._sizes and size >= self._sizes[0] >= 1.4 * self._body else 0
        if size >= _LARGER * self._body:
            return next((n for n, known in enumerate(self._sizes, 1) if size >= known - 0.5), _LEVELS)
        return self._numbered(paragraph) if paragraph.lines[0].bold and not self._bold_body else 0

    def _numbered(self, paragraph: Paragraph) -> int:
        """The level of a bold line in the size of the text: by its number, else below all that are larger."""
        below = len(self._sizes)
        found = _NUMBERED.match(paragraph.text)
        depth = found[1].count(".") if found and found[1] else 1 if found and found[3] else 0
        return min(below + 1 + depth, 6) if len(paragraph.lines) == 1 else 0


def _key(text: str) -> str:
    return re.sub(r"[\s.．、:：]+", "", text).lower()


def _body_size(lines: Sequence[Line]) -> float:
    """The size that most characters have."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    if not sizes:
        return 0.0
    common, _ = max(sizes.items(), key=lambda item: item[1])
    return common


def _ranked(sizes: Counter[float]) -> list[float]:
    """The sizes of headings, the largest first; nearly equal ones are one."""
    ranked: list[float] = []
    for size in sorted(sizes, reverse=True):
        if not ranked or ranked[-1] - size > 0.7:
            ranked.append(size)
    return ranked[:_LEVELS]


def _mostly_bold(pages: Sequence[Page]) -> bool:
    lines = [line for page in pages for line in page.lines]
    return sum(line.bold for line in lines) > 0.5 * len(lines)
