"""What the product is measured against: plain BM25, plain cosine, and both fused by rank."""

import importlib.util
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zhiji.core.tokens import terms
from zhiji.evals.metrics import fuse
from zhiji.models.embed import Matrix, Vector

Scores = NDArray[np.float64]


class Baseline(Protocol):
    """Scores a fixed list of texts for a query."""

    def scores(self, query: str, vector: Vector) -> Scores:
        """One score for each text, shape `(texts,)`."""
        ...


class Bm25:
    """Okapi BM25 as rank-bm25 computes it, over the project's own search terms."""

    def __init__(self, texts: Sequence[str]) -> None:
        import rank_bm25

        split = [terms(text) for text in texts]
        okapi: Any = rank_bm25.BM25Okapi  # the package carries no types
        self._size = len(texts)
        self._index = okapi(split) if any(split) else None
        if self._index is not None:
            self._index.doc_len = np.asarray(self._index.doc_len)  # else every call makes an array of the list anew

    def scores(self, query: str, vector: Vector) -> Scores:
        """BM25 of each text; all zero where no text has a term."""
        if self._index is None:
            return np.zeros(self._size)
        return np.asarray(self._index.get_scores(terms(query)), dtype=np.float64)

    def scores_of(self, query: str, places: Sequence[int]) -> list[float]:
        """BM25 of the texts at some places only."""
        if self._index is None:
            return [0.0] * len(places)
        return [float(score) for score in self._index.get_batch_scores(terms(query), list(places))]


class Dense:
    """The cosine of the vectors the product itself uses."""

    def __init__(self, vectors: Matrix) -> None:
        self._vectors = vectors

    def scores(self, query: str, vector: Vector) -> Scores:
        """The cosine of each text."""
        return np.asarray(self._vectors @ vector, dtype=np.float64)


def installed() -> bool:
    """Whether the reference BM25 is there; it comes with the extra `evals`."""
    return importlib.util.find_spec("rank_bm25") is not None


def open_baselines(texts: Sequence[str], vectors: Matrix) -> dict[str, Baseline]:
    """The scoring baselines over some texts and their vectors; without rank-bm25 there is only `dense`."""
    held: dict[str, Baseline] = {"bm25": Bm25(texts)} if installed() else {}
    return {**held, "dense": Dense(vectors)}


def rankings(
    baselines: dict[str, Baseline], query: str, vector: Vector, allowed: Sequence[int]
) -> dict[str, list[int]]:
    """The order in which each baseline puts the allowed texts, with `rrf` for both; ties keep the given order."""
    found = {name: order(one.scores(query, vector), allowed) for name, one in baselines.items()}
    return {**found, "rrf": fuse(*found.values())} if len(found) > 1 else found


def order(scores: Scores, allowed: Sequence[int]) -> list[int]:
    """The allowed indices by score, best first."""
    places = np.asarray(allowed, dtype=np.intp)
    return [int(place) for place in places[np.argsort(-scores[places], kind="stable")]]
