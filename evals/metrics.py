"""The figures of the evaluations: pure functions of rankings, scores and texts."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

Metrics = dict[str, float | int | None]
"""Figures by name; None where the set holds nothing that the figure could be taken from."""

CUTS = (1, 3, 5, 10)
ALL_CUT, DEPTH = 5, 10
_RRF_K = 60
"""The constant of reciprocal rank fusion; Cormack, Clarke and Büttcher, SIGIR 2009."""

T = TypeVar("T")


def recall(ranked: Sequence[T], relevant: Collection[T], cut: int) -> float:
    """Share of the relevant ones among the first `cut`.

    >>> recall(["a", "b", "c"], {"a", "c"}, 1), recall(["a", "b", "c"], {"a", "c"}, 3)
    (0.5, 1.0)
    """
    return len(set(ranked[:cut]) & set(relevant)) / len(set(relevant))


def ndcg(ranked: Sequence[T], relevant: Collection[T], cut: int = DEPTH) -> float:
    """Normalised discounted cumulative gain with binary gains and log2 discounts; Järvelin and Kekäläinen, 2002.

    >>> round(ndcg(["x", "a"], {"a"}), 3)
    0.631
    """
    wanted = set(relevant)
    gained = sum(gain(place) for place, one in enumerate(ranked[:cut], 1) if one in wanted)
    return gained / sum(map(gain, range(1, min(len(wanted), cut) + 1)))


def gain(place: int) -> float:
    """What a relevant one at a place from 1 brings."""
    return 1 / math.log2(place + 1)


def reciprocal_rank(ranked: Sequence[T], relevant: Collection[T], cut: int = DEPTH) -> float:
    """One over the place of the first relevant one, 0 where none is among the first `cut`.

    >>> reciprocal_rank(["x", "a"], {"a"}), reciprocal_rank(["x"], {"a"})
    (0.5, 0.0)
    """
    return next((1 / place for place, one in enumerate(ranked[:cut], 1) if one in relevant), 0.0)


def of_ranking(ranked: Sequence[T], relevant: Collection[T]) -> dict[str, float]:
    """The figures of one query, named as in the results."""
    return {
        **{f"recall@{cut}": recall(ranked, relevant, cut) for cut in CUTS},
        f"all@{ALL_CUT}": float(recall(ranked, relevant, ALL_CUT) == 1.0),
        f"ndcg@{DEPTH}": ndcg(ranked, relevant),
        "mrr": reciprocal_rank(ranked, relevant),
    }


def mean(values: Collection[float]) -> float | None:
    """The arithmetic mean, None of nothing."""
    return sum(values) / len(values) if values else None


def means(rows: Sequence[Mapping[str, float]]) -> Metrics:
    """The mean of every figure over the rows that have it, in the order of first appearance."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: mean([row[name] for row in rows if name in row]) for name in names}


def share(part: int, whole: int) -> float | None:
    """A part of a whole in [0, 1], None where there is no whole."""
    return part / whole if whole else None


def balanced_error(*errors: Sequence[bool]) -> float | None:
    """The mean of the error rates of each kind of case, however many there are of each; None where one has no case.

    >>> balanced_error([True, False], [False])
    0.25
    """
    rates = [share(sum(one), len(one)) for one in errors]
    return None if None in rates else sum(rate for rate in rates if rate is not None) / len(rates)


def percentile(values: Collection[float], percent: float) -> float | None:
    """The value that `percent` of the values do not exceed, interpolated between neighbours; None of nothing.

    >>> percentile([1, 2, 3, 4], 50)
    2.5
    """
    if not values:
        return None
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def timing(milliseconds: Collection[float]) -> Metrics:
    """The median and the 95th percentile of durations in milliseconds."""
    return {"ms_p50": percentile(milliseconds, 50), "ms_p95": percentile(milliseconds, 95)}


def auc(scores: Sequence[float], positive: Sequence[bool]) -> float | None:
    """The area under the ROC curve: how often a positive outscores a negative, a tie counting half.

    None where one of the kinds is missing.

    >>> auc([0.9, 0.4, 0.4], [True, True, False])
    0.75
    """
    positives = sum(positive)
    negatives = len(positive) - positives
    if not positives or not negatives:
        return None
    rank_sum = sum(rank for rank, yes in zip(_mid_ranks(scores), positive, strict=True) if yes)
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def _mid_ranks(scores: Sequence[float]) -> list[float]:
    """The rank of each score from 1, ascending; equal scores share the mean of their ranks."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and scores[order[end + 1]] == scores[order[start]]:
            end += 1
        for place in range(start, end + 1):
            ranks[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return ranks


def precision_recall(predicted: Sequence[bool], actual: Sequence[bool]) -> tuple[float | None, float | None]:
    """Precision and recall of yes-or-no predictions; None where nothing was predicted, or nothing was so.

    >>> precision_recall([True, True, False], [True, False, True])
    (0.5, 0.5)
    """
    hits = sum(said and so for said, so in zip(predicted, actual, strict=True))
    return share(hits, sum(predicted)), share(hits, sum(actual))


def f1(precision: float | None, recall: float | None) -> float | None:
    """The harmonic mean of precision and recall; None where one is unknown.

    >>> f1(0.5, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def char_f1(given: str, wanted: str) -> float:
    """F1 over the characters two texts share, each counted as often as it stands in both.

    >>> char_f1("abc", "abd"), char_f1("", "")
    (0.6666666666666666, 1.0)
    """
    if not given or not wanted:
        return float(given == wanted)
    common = sum((Counter(given) & Counter(wanted)).values())
    return 2 * common / (len(given) + len(wanted))


def fuse(*rankings: Sequence[T]) -> list[T]:
    """Reciprocal rank fusion: each ranking gives 1 / (60 + place); ties keep the order of first appearance.

    >>> fuse(["a", "b"], ["b", "c"])
    ['b', 'a', 'c']
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking, 1):
            scores[one] = scores.get(one, 0.0) + 1 / (_RRF_K + place)
    return sorted(scores, key=lambda one: -scores[one])
