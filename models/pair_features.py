"""What a pair of sentences shows besides its cosine: shared words, what differs, and marks that must agree."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

import rjieba

from zhiji.core.text import fold
from zhiji.core.tokens import stem, terms
from zhiji.models.differences import differences
from zhiji.models.numerals import arabic
from zhiji.models.question_words import content_terms

FEATURES = (
    "cosine",
    "cosine_square",
    "dice",
    "shorter_covered",
    "content_dice",
    "swapped",
    "added",
    "number",
    "time",
    "unit",
    "side",
    "person",
    "negation",
    "length_ratio",
    "short",
    "equal",
    "question",
)
"""Columns of `pair_features`, in order."""
_ASKS = re.compile(
    r"[?？]|什么|怎么|怎样|如何|为什么|为何|咋|哪|几|多少|谁|啥|是不是|能不能|有没有|[吗呢么]$"
    r"|^(?:what|how|why|when|where|which|who|can|could|do|does|is|are|should)\b",
    re.I,
)
_EMPTY = frozenset("的了呢吗啊吧是在有和与也都就很着过地得我") | frozenset(
    "用户 a an the user is are am has have to of in on at and i my".split()
)


def pair_features(cosine: float, a: str, b: str) -> list[float]:
    """One row of `FEATURES`; all are symmetric in the two sentences.

    `dice` and `shorter_covered` compare search terms, `content_dice` only those that carry content. `swapped` is the
    share of words that stand on both sides where the other has something else, `added` the share that only one side
    has. The marks are 1 where `differences` finds the kind, and `question` where either sentence asks.
    """
    return [cosine, max(0.0, cosine - 0.8) ** 2 * 25, *_shown(a, b)]


@lru_cache(maxsize=4096)
def _shown(a: str, b: str) -> tuple[float, ...]:
    """What the words of a pair show; asked again within the transaction that follows a look ahead."""
    left, right = _bag(a), _bag(b)
    shared = sum((left & right).values())
    sizes = (sum(left.values()), sum(right.values()))
    swapped, added = _edits(a, b)
    apart = differences(a, b)
    content = (set(content_terms(a)), set(content_terms(b)))
    return (
        2 * shared / max(1, sum(sizes)),
        shared / max(1, min(sizes)),
        2 * len(content[0] & content[1]) / max(1, len(content[0]) + len(content[1])),
        swapped,
        added,
        *(float(kind in apart) for kind in ("number", "time", "unit", "side", "person", "negation")),
        min(len(a), len(b)) / max(1, len(a), len(b)),
        1 / max(4.0, float(min(sizes))),
        float(words(a) == words(b)),
        float(_ASKS.search(a) is not None or _ASKS.search(b) is not None),
    )


@lru_cache(maxsize=16384)
def _bag(text: str) -> Counter[str]:
    return Counter(terms(arabic(fold(text))))


@lru_cache(maxsize=16384)
def words(text: str) -> tuple[str, ...]:
    """The words of a sentence in order, numerals in digits, without punctuation and the emptiest of words.

    >>> words("用户住在杭州。")
    ('住', '杭州')
    """
    cut: Sequence[str] = rjieba.cut(arabic(fold(text)))
    kept = [stem(word) for word in cut if any(c.isalnum() for c in word) and word not in _EMPTY]
    return tuple(kept)


def _edits(a: str, b: str) -> tuple[float, float]:
    left, right = words(a), words(b)
    swapped = added = 0
    for kind, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "replace":
            swapped += min(j - i, m - k) * 2
            added += abs((j - i) - (m - k))
        elif kind != "equal":
            added += (j - i) + (m - k)
    total = max(1, len(left) + len(right))
    return swapped / total, added / total
