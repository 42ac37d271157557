"""How a question names documents: by what sets one title apart from the others, or only by what they all share."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from zhiji.core.tokens import terms
from zhiji.models.ranking_views import VIEWS, Floats, needle, view

_FRAME_SHARE = 0.3
_FRAME_LEAST = 3
"""A term belongs to the frame of a base's titles when at least three of them, and three in ten, have it."""


def named(question: str, names: Sequence[str]) -> Floats:
    """How much of each name the question says, in [0, 1]; what all the pool's names share counts for little.

    >>> named("松原机械赚了多少", ["松原机械有限公司", "海棠食品有限公司"]).round(1)
    array([0.5, 0. ])
    """
    said = view(question).whole
    kinds = _kinds(names)
    frequency = Counter(term for held in kinds.values() for term in held)
    share = {name: _share_said(said, held, frequency, len(kinds)) for name, held in kinds.items()}
    return np.array([share.get(name, 0.0) for name in names])


def misnamed(question: str, titles: Sequence[str]) -> float:
    """How much the question names something of the documents' kind that none of them is, in [0, 1].

    It says the frame of the titles ("…有限公司2021年度报告") but what sets none of them apart: a company, a model or
    a patient that the base does not hold. 0 where titles share no frame.
    """
    kinds = _kinds(titles)
    frequency = Counter(term for held in kinds.values() for term in held)
    least = max(_FRAME_LEAST, _FRAME_SHARE * len(kinds))
    frame = [term for term, count in frequency.items() if count >= least]
    if not frame:
        return 0.0
    said = view(question).whole
    framed = sum(needle(term) in said for term in frame) / len(frame)
    return framed * (1 - float(named(question, titles).max()))


def _kinds(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The distinct names with their terms, both in order: sums over them must repeat to the last bit."""
    return {name: _terms(name) for name in dict.fromkeys(names) if name}


@lru_cache(maxsize=VIEWS)
def _terms(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(name)))


def _share_said(said: str, held: Sequence[str], frequency: Mapping[str, int], names: int) -> float:
    weight = {term: math.log((names + 1) / frequency[term]) for term in held}
    total = sum(weight.values())
    return sum(value for term, value in weight.items() if needle(term) in said) / total if total else 0.0
