"""Code fences: writing one, and cutting a long one at line ends so that every part is a fence again."""

import re
from itertools import pairwise

from zhiji.ingest.parts import Part
from zhiji.ingest.sentences import Fits, split_to_fit

_OPENING = re.compile(r"^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(`{3,}|~{3,})[^\n]*")


def fenced(code: str, language: str = "") -> str:
    """Code inside a fence that is longer than any run of backticks in it.

    >>> print(fenced("a = 1", "python"))
    ```python
    a = 1
    ```
    """
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def split_code(text: str, fits: Fits) -> list[Part]:
    """Cuts a fenced or indented code block at line ends into parts that fit, at blank lines where that costs little.

    Each part of a fenced block gets the block's own opening and closing lines. A line that does not fit is cut inside.
    """
    if fits(text):
        return [Part(text, 0, len(text))]
    opening, closing, start, end = _frame(text)

    def dressed(body: str) -> str:
        return opening + body.strip("\n") + closing

    lines = _pieces(text, start, end, lambda body: fits(dressed(body)))
    groups = _filled(text, lines, lambda body: fits(dressed(body)))
    parts = [Part(dressed(text[a:b]), a, b) for a, b in groups]
    edges = [0, *[part.start for part in parts[1:]], len(text)]
    return [Part(part.text, a, b) for part, (a, b) in zip(parts, pairwise(edges), strict=True)]


def _frame(text: str) -> tuple[str, str, int, int]:
    """What stands before and after the code of every part, and where the code lies."""
    opening = _OPENING.match(text)
    if opening is None or "\n" not in text:
        return "", "", 0, len(text)
    indent = re.sub(r"[^\s>]", " ", opening[1])
    start, end = opening.end() + 1, len(text)
    last = text.rfind("\n")
    if last >= start - 1 and text[last + 1 :].strip(" \t>").startswith(opening[2]):
        end = max(start, last)
    return text[:start], f"\n{indent}{opening[2]}", start, end


def _pieces(text: str, start: int, end: int, fits: Fits) -> list[tuple[int, int]]:
    """The lines; one that does not fit as its pieces."""
    pieces = []
    at = start
    for line in text[start:end].split("\n"):
        if not line.strip() or fits(line):
            pieces.append((at, at + len(line)))
        else:
            pieces.extend((at + a, at + b) for a, b in split_to_fit(line, fits))
        at += len(line) + 1
    return pieces


def _filled(text: str, lines: list[tuple[int, int]], fits: Fits) -> list[tuple[int, int]]:
    """Groups of lines that fit; a group ends at the last blank line in its second half, if there is one."""
    groups: list[tuple[int, int]] = []
    first = 0
    while first < len(lines):
        last = _last_that_fits(text, lines, first, fits)
        if last + 1 < len(lines):
            last = _blank_line(text, lines, first, last)
        groups.append((lines[first][0], lines[last][1]))
        first = last + 1
    visible = [span for span in groups if text[span[0] : span[1]].strip()]
    return visible or [(lines[0][0], lines[-1][1])]


def _last_that_fits(text: str, lines: list[tuple[int, int]], first: int, fits: Fits) -> int:
    """The last line that still fits together with all from `first` on: by doubling, then by halving."""
    step = 1
    while first + step < len(lines) and fits(text[lines[first][0] : lines[first + step][1]]):
        step *= 2
    low, high = first + step // 2, min(first + step, len(lines)) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(text[lines[first][0] : lines[middle][1]]) else (low, middle - 1)
    return low


def _blank_line(text: str, lines: list[tuple[int, int]], first: int, last: int) -> int:
    for index in range(last, (first + last) // 2, -1):
        if not text[lines[index][0] : lines[index][1]].strip():
            return index
    return last
