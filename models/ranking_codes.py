"""What a question names exactly: fault codes, part numbers, versions, dates and amounts."""

import math
import re
from collections.abc import Sequence

import numpy as np

from zhiji.core.text import fold
from zhiji.core.tokens import codes, ungrouped
from zhiji.models.ranking_views import Bools, Floats, needle, present, spelled

_DATE = re.compile(r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]")
_LONG = 5
"""Digits from which a plain number names one thing: fewer may be a year or a count."""


def exact(question: str) -> tuple[str, ...]:
    """The needles of what a question names exactly; years and small counts are not among it.

    >>> exact("E1024 在2021年出现过3次，7月2日换了 DB-20418，花了 12,400 元")
    (' e1024 ', ' db-20418 ', ' 12400 ', ' 7 月 2 日')
    """
    folded = ungrouped(fold(question))
    named = [needle(code) for code in codes(folded) if _is_exact(code)]
    return tuple(dict.fromkeys([*named, *(spelled(date) for date in _DATE.findall(folded))]))


def _is_exact(code: str) -> bool:
    digits = sum(character.isdigit() for character in code)
    return digits >= _LONG or not code.isdigit()


def exact_held(question: str, *parts: Sequence[str]) -> Floats:
    """How much of one thing each chunk holds that the question names exactly, in [0, 1].

    A name that one chunk of the pool has counts whole, one that all of them have counts for nothing: it says which
    product or year is meant, and not where the answer stands.

    Args:
        question: The self-contained question.
        parts: The texts, titles and headings of the pool, each of one length.
    """
    needles, size = exact(question), len(parts[0])
    if not needles or not size:
        return np.zeros(size)
    held: Bools = np.logical_or.reduce([present(needles, texts) for texts in parts])
    rarity = 1 - np.log(np.maximum(held.sum(axis=0), 1)) / math.log(size + 1)
    return np.asarray((held * rarity).max(axis=1))
