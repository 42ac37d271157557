"""The order of hits for a question that names several documents: they take turns, so that none crowds another out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zhiji.models.ranking_views import Floats

NAMED = 0.5
"""Share of what sets a title apart that the question must say for the title to count as named."""


def named_together(sources: Sequence[str], named: Floats) -> frozenset[str]:
    """The documents that a question names, if they are two or more; else none."""
    several = {source for source, share in zip(sources, named, strict=True) if share >= NAMED}
    return frozenset(several) if len(several) > 1 else frozenset()


def behind(scores: Floats, sources: Sequence[str], named: Floats) -> Floats:
    """How far each hit falls behind the best one, in points of rank score, shape `(hits,)`.

    A hit of a document named together with others is compared with the best of its own document: that one serves its
    part of the question, however much better another document serves the other part.
    """
    several, best = named_together(sources, named), np.full(len(scores), float(scores.max()))
    for one in several:
        own = np.array([source == one for source in sources])
        best[own] = scores[own].max()
    return np.asarray(best - scores)


def take_turns(scores: Floats, sources: Sequence[str], named: Floats, *, cost: float) -> NDArray[np.intp]:
    """The order of the hits, best first; equal ones keep their order.

    Where the question names two documents or more, every hit of a named one costs its later hits `cost`: two
    reports compared are of use only together. Any other question is ordered by its scores alone.

    Args:
        scores: Rank score of each hit, shape `(hits,)`.
        sources: The document of each hit.
        named: How much of each hit's title the question says, in [0, 1], shape `(hits,)`.
        cost: In points of rank score.
    """
    several, worth = named_together(sources, named), scores.astype(np.float64)
    if not several:
        return np.argsort(-worth, kind="stable")
    at = {source: np.array([one == source for one in sources]) for source in several}
    left, taken = np.ones(len(scores), dtype=np.bool_), []
    while left.any():
        best = int(np.argmax(np.where(left, worth, -np.inf)))
        taken.append(best)
        left[best] = False
        if sources[best] in several:
            worth[at[sources[best]] & left] -= cost
    return np.array(taken, dtype=np.intp)
