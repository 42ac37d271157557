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
    said: dict[tuple[str, str], int] = {}
    for hit in hits:
        text = (hit.title, _bare(hit.text))
        place = said.get(text, _same_span(hit, kept))
        if place is None:
            said[text] = len(kept)
            kept.append(hit)
        else:
            kept[place] = _best_of(kept[place], hit)
    return kept


def _same_span(hit: Hit, kept: Sequence[Hit]) -> int | None:
    spans = ((at, one.span) for at, one in enumerate(kept) if one.source == hit.source)
    return next((at for at, span in spans if _shared(hit.span, span) >= SAME_SPAN), None)


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
