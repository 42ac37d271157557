"""How many chunks of a release hold each term: the half of BM25 that a release gives a query.

The engine has an IDF of its own, but it would count chunks of releases that nobody can see.
"""

import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zhiji.stores.knowledge.bm25 import term_id
from zhiji.stores.vectors.base import SparseVector

FOLD_AT = 4096
"""Chunks whose terms are held at once: about 10 MB."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many chunks of one release hold each term; `ids` ascend, `total` is the number of chunks."""

    ids: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    total: int

    @classmethod
    def empty(cls) -> "Frequencies":
        """Those of a release without chunks."""
        return cls(np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint32), 0)

    @classmethod
    def counted(cls, chunks: Sequence[SparseVector]) -> "Frequencies":
        """Those of some chunks."""
        if not chunks:
            return cls.empty()
        ids, counts = np.unique(np.concatenate([chunk.ids for chunk in chunks]), return_counts=True)
        return cls(ids, counts.astype(np.uint32), len(chunks))

    def plus(self, other: "Frequencies", sign: int = 1) -> "Frequencies":
        """The frequencies with another's added, or with `sign` -1 taken away."""
        ids, where = np.unique(np.concatenate([self.ids, other.ids]), return_inverse=True)
        sums = np.zeros(len(ids), dtype=np.int64)
        np.add.at(sums, where, np.concatenate([self.counts.astype(np.int64), sign * other.counts.astype(np.int64)]))
        some = sums > 0
        return Frequencies(ids[some], sums[some].astype(np.uint32), self.total + sign * other.total)

    def of(self, term: str) -> int:
        """How many chunks hold a term."""
        one = np.uint32(term_id(term))
        at = int(np.searchsorted(self.ids, one))
        return int(self.counts[at]) if at < len(self.ids) and self.ids[at] == one else 0

    def idf(self, term: str) -> float:
        """The weight of a term: ln(1 + (N - n + 0.5) / (n + 0.5)), never negative."""
        holding = self.of(term)
        return math.log(1 + (self.total - holding + 0.5) / (holding + 0.5))

    def query(self, idf: dict[str, float]) -> SparseVector:
        """The query vector of weighted terms; terms that no chunk of the release holds are left out."""
        known = {term_id(term): weight for term, weight in idf.items() if self.of(term)}
        ids = sorted(known)
        return SparseVector(np.array(ids, dtype=np.uint32), np.array([known[i] for i in ids], dtype=np.float32))

    def pack(self) -> bytes:
        """The table as bytes: the total, then ids and counts, compressed."""
        head = np.array([self.total, len(self.ids)], dtype="<u4").tobytes()
        steps = np.diff(self.ids.astype(np.int64), prepend=0).astype("<u4")  # small numbers compress well
        return zlib.compress(head + steps.tobytes() + self.counts.astype("<u4").tobytes(), 3)

    @classmethod
    def unpack(cls, packed: bytes) -> "Frequencies":
        """The table that `pack` made."""
        numbers = np.frombuffer(zlib.decompress(packed), dtype="<u4")
        total, size = int(numbers[0]), int(numbers[1])
        ids = np.cumsum(numbers[2 : 2 + size], dtype=np.int64).astype(np.uint32)
        return cls(ids, numbers[2 + size :].astype(np.uint32), total)


class Tally:
    """How the frequencies change, summed up in batches so that no chunk's terms are held for long."""

    def __init__(self) -> None:
        self._waiting: list[SparseVector] = []
        self._sum = Frequencies.empty()

    def add(self, chunks: Iterable[SparseVector]) -> None:
        """Count some chunks."""
        for chunk in chunks:
            self._waiting.append(chunk)
            if len(self._waiting) >= FOLD_AT:
                self.sum()

    def sum(self) -> Frequencies:
        """Those of every chunk so far."""
        self._sum, self._waiting = self._sum.plus(Frequencies.counted(self._waiting)), []
        return self._sum
