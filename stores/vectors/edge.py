"""The vector index over qdrant-edge: the real engine inside the process, one shard in one folder."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
import qdrant_edge as engine

from zhiji.models.embed import Vector
from zhiji.stores.vectors.base import IndexedChunk, Interval, Scored, SparseVector, Where, batches
from zhiji.stores.vectors.shards import require_space, shared, understood

T = TypeVar("T")
DENSE, SPARSE = "dense", "bm25"
EXACT_BELOW = 50_000
"""Points up to which every vector is compared: 10 ms at 100,000, and the same order however the index was built."""
HNSW_FROM_KB = EXACT_BELOW * 384 * 4 // 1000
BATCH = 256
PAGE = 1000
TIES = 12
"""Hits asked for beyond the limit, so that equal scores at its edge are cut by id and not by storage order."""
SHOWN = ["page_content", "metadata", "key", "from_release", "to_release"]
"""What a hit shows of its chunk; the text it is indexed by is twice as long, and every turn would decode forty."""
INDEXES = {
    "from_release": engine.PayloadSchemaType.Integer,
    "to_release": engine.PayloadSchemaType.Integer,
    "metadata.source": engine.PayloadSchemaType.Keyword,
    "metadata.category": engine.PayloadSchemaType.Keyword,
}


class EdgeIndex:
    """A `VectorIndex` in a folder; its calls run in worker threads, so the event loop never waits for the engine.

    With `keep` the shard stays open between calls until `release`.
    """

    def __init__(self, folder: Path, dim: int, *, lock_wait_s: float, keep: bool = False) -> None:
        self._folder = folder
        self._dim = dim
        self._wait_s = lock_wait_s
        self._keep = keep
        self._shared = shared(folder)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Hold the shard across several calls."""
        held = self._shared.use(self._wait_s, keep=self._keep)
        await asyncio.to_thread(held.__enter__)
        try:
            yield
        finally:
            await asyncio.shield(asyncio.to_thread(held.__exit__, None, None, None))

    async def create(self) -> None:
        """Make an empty shard, replacing what is there."""
        await asyncio.to_thread(self._create)

    def _create(self) -> None:
        config = engine.EdgeConfig(
            vectors={DENSE: engine.EdgeVectorParams(size=self._dim, distance=engine.Distance.Cosine)},
            sparse_vectors={SPARSE: engine.EdgeSparseVectorParams()},
            optimizers=engine.EdgeOptimizersConfig(indexing_threshold=HNSW_FROM_KB),
        )
        self._folder.mkdir(parents=True, exist_ok=True)
        require_space(self._folder, 0)
        with self._shared.use(self._wait_s, keep=self._keep, create=config) as shard:
            for field, schema in INDEXES.items():
                shard.update(engine.UpdateOperation.create_field_index(field, schema))
            shard.flush()

    async def upsert(self, chunks: Sequence[IndexedChunk]) -> None:
        """Store chunks in batches; each batch is in the write-ahead log when this returns."""
        for start in range(0, len(chunks), BATCH):
            batch = chunks[start : start + BATCH]
            points = [_point(chunk) for chunk in batch]
            await self._write(engine.UpdateOperation.upsert_points(points), sum(map(_size, batch)))

    async def dense(self, vector: Vector, *, release: int, where: Where, limit: int) -> list[str]:
        """Ids of the nearest chunks by cosine, best first; exact below 50,000 chunks."""
        return await self._nearest(vector.tolist(), DENSE, release, where, limit)

    async def sparse(self, terms: SparseVector, *, release: int, where: Where, limit: int) -> list[str]:
        """Ids of the chunks with the largest product with `terms`, best first."""
        if not len(terms.ids):
            return []
        return await self._nearest(_sparse(terms), SPARSE, release, where, limit)

    async def _nearest(
        self, vector: "list[float] | engine.SparseVector", using: str, release: int, where: Where, limit: int
    ) -> list[str]:
        def query(shard: engine.EdgeShard) -> list[str]:
            exact = shard.info().points_count < EXACT_BELOW
            found = _query(shard, vector, using, _filter(release, where), limit + TIES, exact=exact)
            return [one for one, _ in sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]]

        return await self._call(query)

    async def retrieve(self, ids: Sequence[str]) -> list[IndexedChunk]:
        """The chunks with these ids that exist, with their vectors."""
        found: list[IndexedChunk] = []
        for batch in batches(ids, PAGE):
            found += await self._call(partial(_retrieve, ids=batch))
        return found

    async def scored(self, ids: Sequence[str], vector: Vector, terms: SparseVector) -> list[Scored]:
        """The chunks with these ids, with both scores; the engine computes them, always exactly."""

        def fill(shard: engine.EdgeShard) -> list[Scored]:
            among, limit = engine.Filter(must=[engine.HasIdCondition(set(_uuids(ids)))]), len(ids)
            dense = _query(shard, vector.tolist(), DENSE, among, limit, exact=True)
            sparse = _query(shard, _sparse(terms), SPARSE, among, limit, exact=True) if len(terms.ids) else {}
            chunks = map(_chunk, shard.retrieve(_uuids(ids), with_payload=SHOWN, with_vector=False))
            return [Scored(chunk, dense[chunk.id], sparse.get(chunk.id, 0.0)) for chunk in chunks]

        return await self._call(fill) if ids else []

    async def texts(self, *, release: int) -> list[IndexedChunk]:
        """Every chunk of a release, its vectors left out."""
        inside = _filter(release, Where())
        return await self._call(lambda shard: [_chunk(point) for point in _scroll(shard, inside, True)])

    async def set_to(self, ids: Sequence[str], to_release: int) -> None:
        """Set the release from which these chunks are no longer valid."""
        for batch in batches(ids, PAGE):
            await self._write(engine.UpdateOperation.set_payload(_uuids(batch), {"to_release": to_release}), 0)

    async def delete(self, ids: Sequence[str]) -> None:
        """Remove chunks for good; unknown ids are ignored."""
        for batch in batches(ids, PAGE):
            await self._call(partial(_update, operation=engine.UpdateOperation.delete_points(_uuids(batch))))

    async def intervals(self, *, touching: int | None = None) -> list[Interval]:
        """The interval of every chunk, or only of those that begin at or after, or end exactly at, a release."""
        among = None if touching is None else _touching(touching)
        fields = ["from_release", "to_release", "embed_hash"]
        return await self._call(lambda shard: [_interval(point) for point in _scroll(shard, among, fields)])

    async def flush(self) -> None:
        """Return once everything written is on the disk."""
        await self._call(lambda shard: shard.flush())

    async def optimize(self) -> bool:
        """Merge segments, drop deleted points, and build HNSW where there are enough points for it."""
        return await self._call(lambda shard: shard.optimize())

    async def release(self) -> None:
        """Close the shard, so that another process may open it; the next call opens it again."""
        await asyncio.to_thread(self._shared.release)

    async def _write(self, operation: "engine.UpdateOperation", need: int) -> None:
        def write(shard: engine.EdgeShard) -> None:
            require_space(self._folder, need)
            shard.update(operation)

        await self._call(write)

    async def _call(self, call: "Callable[[engine.EdgeShard], T]") -> T:
        return await asyncio.to_thread(self._run, call)

    def _run(self, call: "Callable[[engine.EdgeShard], T]") -> T:
        with self._shared.use(self._wait_s, keep=self._keep) as shard:
            return understood(self._folder, lambda: call(shard))


def _query(
    shard: "engine.EdgeShard",
    vector: "list[float] | engine.SparseVector",
    using: str,
    among: "engine.Filter",
    limit: int,
    *,
    exact: bool,
) -> dict[str, float]:
    request = engine.QueryRequest(
        limit=limit,
        query=engine.Query.Nearest(vector, using=using),
        filter=among,
        params=engine.SearchParams(exact=exact),
        with_payload=False,
    )
    return {str(hit.id): hit.score for hit in shard.query(request)}


def _retrieve(shard: "engine.EdgeShard", ids: list[str]) -> list[IndexedChunk]:
    return [_chunk(point) for point in shard.retrieve(_uuids(ids), with_payload=True, with_vector=True)]


def _update(shard: "engine.EdgeShard", operation: "engine.UpdateOperation") -> None:
    shard.update(operation)


def _size(chunk: IndexedChunk) -> int:
    """Bytes a chunk may take on the disk: once in a segment and once in the write-ahead log."""
    return 2 * (8 * len(chunk.text) + chunk.vector.nbytes + 4 * chunk.terms.ids.nbytes)


def _point(chunk: IndexedChunk) -> "engine.Point":
    payload = {
        "page_content": chunk.text,
        "index_text": chunk.index_text,
        "metadata": chunk.metadata,
        "key": chunk.key,
        "embed_hash": chunk.embed_hash,
        "from_release": chunk.from_release,
        "to_release": chunk.to_release,
    }
    vectors: dict[str, Any] = {DENSE: chunk.vector.tolist(), SPARSE: _sparse(chunk.terms)}
    return engine.Point(id=chunk.id, vector=vectors, payload=payload)


def _chunk(point: "engine.Record") -> IndexedChunk:
    payload: dict[str, Any] = point.payload or {}
    vectors: Any = point.vector or {}
    sparse = vectors.get(SPARSE)
    return IndexedChunk(
        id=str(point.id),
        vector=np.asarray(vectors.get(DENSE, ()), dtype=np.float32),
        terms=_sorted(sparse.indices, sparse.values) if sparse else NO_TERMS,
        text=payload.get("page_content", ""),
        index_text=payload.get("index_text", ""),
        metadata=payload.get("metadata", {}),
        key=payload.get("key", ""),
        embed_hash=payload.get("embed_hash", ""),
        from_release=payload["from_release"],
        to_release=payload["to_release"],
    )


def _sorted(ids: list[int], weights: list[float]) -> SparseVector:
    order = np.argsort(np.asarray(ids, dtype=np.uint32))
    return SparseVector(np.asarray(ids, dtype=np.uint32)[order], np.asarray(weights, dtype=np.float32)[order])


NO_TERMS = _sorted([], [])


def _interval(point: "engine.Record") -> Interval:
    payload: dict[str, Any] = point.payload or {}
    return Interval(str(point.id), payload["from_release"], payload["to_release"], payload.get("embed_hash", ""))


def _sparse(terms: SparseVector) -> "engine.SparseVector":
    return engine.SparseVector(indices=terms.ids.tolist(), values=terms.weights.tolist())


def _uuids(ids: Sequence[str]) -> list[Any]:
    return [UUID(one) for one in ids]


def _filter(release: int, where: Where) -> "engine.Filter":
    must: list[Any] = [
        engine.FieldCondition("from_release", range=engine.RangeFloat(lte=release)),
        engine.FieldCondition("to_release", range=engine.RangeFloat(gt=release)),
    ]
    for field, values in (("metadata.category", where.categories), ("metadata.source", where.sources)):
        if values:
            must.append(engine.FieldCondition(field, match=engine.MatchAny(list(values))))
    return engine.Filter(must=must)


def _touching(release: int) -> "engine.Filter":
    return engine.Filter(
        should=[
            engine.FieldCondition("from_release", range=engine.RangeFloat(gte=release)),
            engine.FieldCondition("to_release", match=engine.MatchValue(release)),
        ]
    )


def _scroll(
    shard: "engine.EdgeShard", among: "engine.Filter | None", fields: "bool | list[str]"
) -> "Iterator[engine.Record]":
    offset: Any = None
    while True:
        page, offset = shard.scroll(engine.ScrollRequest(limit=PAGE, offset=offset, filter=among, with_payload=fields))
        yield from page
        if offset is None:
            return
