"""The capability of ordering what search found."""

from collections.abc import Sequence
from typing import Protocol

from zhiji.core.turn import Found, Hit, Query


class Reranker(Protocol):
    """Orders the union of both channels by how likely each chunk answers the query."""

    async def rerank(self, query: Query, found: Found) -> Sequence[tuple[Hit, float]]:
        """Every hit with its calibrated relevance in [0, 1], best first."""
        ...

    def threshold(self) -> float:
        """The relevance below which the best hit means "the documents do not say"."""
        ...
