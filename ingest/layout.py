"""Lines of a page to paragraphs: for formats that know where words stand, but not what belongs together."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

_CJK = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_ENDS_CJK = re.compile(rf"[{_CJK}“‘（]$")
_STARTS_CJK = re.compile(rf"^[{_CJK}”’）…—]")
_HYPHEN = re.compile(r"(?<=[A-Za-z]{2})[-\u00ad\u2010\ufffe\x02]$")
_STOP = re.compile(r"[。！？!?.…；;:：]['\"”’」』）)]*$")
_ITEM = re.compile(
    r"^\s*(?:[-*+•·●○■□◆▪➢✓]|\(?\d{1,3}[.)、．]|\d{1,3}\.\d{1,3}\s|[(（][一二三四五六七八九十\d]+[)）]|[一二三四五六七八九十]+、|[①-⑳]|"
    r"第[一二三四五六七八九十百零\d]+[条章节款])"
)
_LABEL = re.compile(r"^\s*[^\s，。：:（(]{1,10}\s?：")  # "作者单位：…" begins a line of a form
_GAP = 1.45  # lines further apart than this many times the usual distance are two paragraphs
_INDENT = 1.2  # of the size of the type: a line that begins so far in begins a paragraph
_SHORT = 3.0  # of the size of the type: a line that ends so far from the margin ends one
_RAGGED = 0.3  # share of the width by which a line may end early and still go on
_SAME_SIZE = 0.12
_SAME_ROW = 0.5


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and where it stands; y grows downwards. `size` is that of the type."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool = False


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together, joined."""

    lines: list[Line] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines as one; items of a list keep theirs."""
        text = ""
        for line in self.lines:
            text = joined(text, line.text.strip())
        return text

    @property
    def is_item(self) -> bool:
        """Whether it begins like an item of a list."""
        return _ITEM.match(self.lines[0].text) is not None


def joined(before: str, after: str) -> str:
    """Two pieces of a broken line as one: Chinese without a blank, a word broken by a hyphen made whole.

    >>> joined("重置密", "码前请先备份"), joined("the con-", "troller"), joined("press", "the key")
    ('重置密码前请先备份', 'the controller', 'press the key')
    """
    if not before or not after:
        return before + after
    if _HYPHEN.search(before) and after[0].islower():
        return before[:-1] + after
    if _ENDS_CJK.search(before) or _STARTS_CJK.match(after):
        return before + after
    return f"{before} {after}"


def paragraphs(lines: Sequence[Line]) -> list[Paragraph]:
    """The paragraphs of a page whose lines are in reading order."""
    found: list[Paragraph] = []
    shape = _Shape.of(lines)
    for line in lines:
        if not line.text.strip():
            continue
        if found and shape.continues(found[-1], line):
            found[-1].lines.append(line)
        else:
            found.append(Paragraph([line]))
    return found


def page_text(lines: Sequence[Line]) -> str:
    """A page as text: one paragraph a line, what stands side by side in one line."""
    return "\n".join(paragraph.text for paragraph in paragraphs(in_rows(lines)))


def in_rows(lines: Sequence[Line]) -> list[Line]:
    """Lines of a picture in reading order; neighbours in one row become one line, columns of prose stay apart."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: (one.top + one.bottom) / 2):
        row = rows[-1] if rows else []
        if row and _beside(row[-1], line):
            row.append(line)
        else:
            rows.append([line])
    return [_merged(sorted(row, key=lambda one: one.left)) for row in rows]


def _beside(one: Line, other: Line) -> bool:
    apart = abs((one.top + one.bottom) - (other.top + other.bottom)) / 2
    upright = max(one.bottom - one.top, other.bottom - other.top) > 2 * min(one.size, other.size)
    return apart < _SAME_ROW * min(one.size, other.size) and not upright


def _merged(row: Sequence[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    return Line(
        " ".join(line.text for line in row),
        row[0].left,
        max(line.right for line in row),
        min(line.top for line in row),
        max(line.bottom for line in row),
        median(line.size for line in row),
        all(line.bold for line in row),
    )


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the lines of a page usually stand."""

    pitch: float  # from one line to the next

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "_Shape":
        steps = [b.top - a.top for a, b in itertools.pairwise(lines) if 0 < b.top - a.top < 4 * max(a.size, 1)]
        return cls(pitch=median(steps) if steps else 0.0)

    def continues(self, paragraph: Paragraph, line: Line) -> bool:
        """Whether a line goes on with what the paragraph says."""
        last = paragraph.lines[-1]
        if line.top < last.top or line.bold != last.bold or _ITEM.match(line.text) or _LABEL.match(line.text):
            return False
        if abs(line.size - last.size) > _SAME_SIZE * max(line.size, last.size):
            return False
        if line.top - last.top > _GAP * max(min(self.pitch, 2.5 * last.size), 1.15 * last.size):
            return False
        margin = max(one.right for one in paragraph.lines)
        widest = max(margin, line.right)
        left = min(one.left for one in paragraph.lines[1:] or [line])
        if line.left - left > _INDENT * line.size and len(paragraph.lines) > 1:
            return False
        if len(paragraph.lines) > 1 and last.right < margin - _SHORT * last.size and _STOP.search(last.text):
            return False
        missing = widest - last.right
        is_short = missing > _SHORT * last.size and (_STOP.search(last.text) or missing > _RAGGED * (widest - left))
        return not is_short
