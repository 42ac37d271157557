"""Leaving out what says the same thing twice."""

from collections.abc import Sequence
from dataclasses import replace

from zhiji.core.turn import Hit

SAME_SPAN = 0.8
"""Neighbouring chunks share up to a fifth by design; chunks that share four fifths are one passage cut twice."""


def dedup(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without those that repeat an earlier one, which takes over their better ranks and scores.

    A repeat has the same text under the same title, or nearly the same span of the same document. Equal text under
    another title stays: it says the same of something else.
    """
    kept: list[Hit] = []
    for hit in hits:
        place = next((at for at, earlier in enumerate(kept) if _repeats(hit, earlier)), None)
        if place is None:
            kept.append(hit)
        else:
            kept[place] = _best_of(kept[place], hit)
    return kept


def _repeats(hit: Hit, earlier: Hit) -> bool:
    if hit.source == earlier.source and _shared(hit.span, earlier.span) >= SAME_SPAN:
        return True
    if hit.title != earlier.title or abs(len(hit.text) - len(earlier.text)) > 0.1 * len(hit.text):
        return False
    return _bare(hit.text) == _bare(earlier.text)


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()


def _shared(a: tuple[int, int], b: tuple[int, int]) -> float:
    """What two spans share, as a part of the shorter one; 0 where an offset is not known."""
    shorter = min(a[1] - a[0], b[1] - b[0])
    return max(0, min(a[1], b[1]) - max(a[0], b[0])) / shorter if shorter > 0 else 0.0


def _best_of(kept: Hit, other: Hit) -> Hit:
    return replace(
        kept,
        dense=max(kept.dense, other.dense),
        bm25=max(kept.bm25, other.bm25),
        dense_rank=_better(kept.dense_rank, other.dense_rank),
        bm25_rank=_better(kept.bm25_rank, other.bm25_rank),
    )


def _better(a: int | None, b: int | None) -> int | None:
    known = [rank for rank in (a, b) if rank is not None]
    return min(known, default=None)
