"""The vector index of one knowledge base, as every engine offers it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zhiji.models.embed import Vector

OPEN = 2**31 - 1
"""The `to_release` of what no later release has removed."""


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights by term id; ids ascend and are unique, both arrays have the same length."""

    ids: NDArray[np.uint32]
    weights: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Where:
    """Which chunks a search may see; an empty tuple does not restrict."""

    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as an index keeps it, valid in releases `from_release <= n < to_release`.

    `vector` has unit length. The payload is langchain-qdrant's: `page_content`, and `metadata` with `source`,
    `title`, `heading`, `kind`, `category`, `page`, `updated_at`. `index_text` is what was embedded, `embed_hash` its
    hash, and `key` names the chunk across releases.
    """

    id: str
    vector: Vector
    terms: SparseVector
    text: str
    index_text: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    key: str = ""
    embed_hash: str = ""
    from_release: int = 1
    to_release: int = OPEN


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk (its vectors left out) with its cosine to a vector, and its product with sparse terms."""

    chunk: IndexedChunk
    dense: float
    sparse: float


@dataclass(frozen=True, slots=True)
class Interval:
    """From and to of one stored chunk, and what it was embedded from."""

    id: str
    from_release: int
    to_release: int
    embed_hash: str


class VectorIndex(Protocol):
    """Chunks of one knowledge base, searchable by dense and sparse vectors within a release.

    Every search is filtered by release inside the engine, so no caller can see a release that is not published.
    """

    def session(self) -> AbstractAsyncContextManager[None]:
        """Hold the engine across several calls, so that an embedded one is opened once."""
        ...

    async def create(self) -> None:
        """Make an empty index with its payload indexes, replacing what is there."""
        ...

    async def upsert(self, chunks: Sequence[IndexedChunk]) -> None:
        """Store chunks; one with a known id is replaced."""
        ...

    async def dense(self, vector: Vector, *, release: int, where: Where, limit: int) -> list[str]:
        """Ids of the nearest chunks by cosine, best first."""
        ...

    async def sparse(self, terms: SparseVector, *, release: int, where: Where, limit: int) -> list[str]:
        """Ids of the chunks with the largest product with `terms`, best first; none that shares no term."""
        ...

    async def retrieve(self, ids: Sequence[str]) -> list[IndexedChunk]:
        """The chunks with these ids that exist, with their vectors, in no particular order."""
        ...

    async def scored(self, ids: Sequence[str], vector: Vector, terms: SparseVector) -> list[Scored]:
        """The chunks with these ids that exist, with both scores, whichever channel found them."""
        ...

    async def texts(self, *, release: int) -> list[IndexedChunk]:
        """Every chunk of a release without its vectors (they are empty)."""
        ...

    async def set_to(self, ids: Sequence[str], to_release: int) -> None:
        """Set the release from which these chunks are no longer valid."""
        ...

    async def delete(self, ids: Sequence[str]) -> None:
        """Remove chunks for good; unknown ids are ignored."""
        ...

    async def intervals(self, *, touching: int | None = None) -> list[Interval]:
        """The interval of every chunk, or only of those that begin at or after, or end exactly at, a release."""
        ...

    async def flush(self) -> None:
        """Return once everything written is durable."""
        ...

    async def optimize(self) -> bool:
        """Merge and index what was written; true if there was something to do."""
        ...

    async def release(self) -> None:
        """Let go of the engine, so that another process may open it; the next call opens it again."""
        ...


def batches(ids: Iterable[str], size: int) -> Iterable[list[str]]:
    """The ids in lists of at most `size`."""
    batch: list[str] = []
    for one in ids:
        batch.append(one)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
