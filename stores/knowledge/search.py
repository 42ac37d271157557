"""Hybrid search in one release: both channels, their union, and every score filled in."""

import asyncio
from collections.abc import Iterable, Sequence

import numpy as np

from zhiji.core.turn import Found, Hit
from zhiji.models.embed import Vector
from zhiji.stores.knowledge.bm25 import unique_terms
from zhiji.stores.knowledge.cache import Recent
from zhiji.stores.knowledge.frequencies import Frequencies
from zhiji.stores.knowledge.ledger import Ledger
from zhiji.stores.knowledge.records import Placement
from zhiji.stores.vectors.base import IndexedChunk, SparseVector, VectorIndex, Where

POOL = 20
"""Candidates of each channel, whatever the caller keeps: a pool that follows the final k reorders its head."""
_FREQUENCIES, _LAYOUTS = 4, 512


class Searcher:
    """Searches the releases of one base on one index."""

    def __init__(self, ledger: Ledger, index: VectorIndex) -> None:
        self._ledger = ledger
        self._index = index
        self._frequencies: Recent[int, Frequencies] = Recent(_FREQUENCIES)
        self._layouts: Recent[tuple[int, str], dict[str, Placement]] = Recent(_LAYOUTS)

    async def search(self, text: str, vector: Vector, release: int, where: Where) -> Found:
        """Both channels' candidates in a release, scores and ranks filled, best cosine first.

        Scores are computed here from the stored vectors in double precision, so they do not depend on how the engine
        has arranged its segments.
        """
        frequencies = await self.frequencies(release)
        idf = {term: frequencies.idf(term) for term in unique_terms(text)}
        terms = frequencies.query(idf)
        dense, sparse = await asyncio.gather(
            self._index.dense(vector, release=release, where=where, limit=POOL),
            self._index.sparse(terms, release=release, where=where, limit=POOL),
        )
        chunks = await self._index.retrieve(list(dict.fromkeys([*dense, *sparse])))
        hits = [_hit(chunk, vector, terms, release) for chunk in chunks]
        _rank(hits, set(dense), set(sparse))
        await self._place(hits, {chunk.id: chunk.key for chunk in chunks}, release)
        return Found(release, sorted(hits, key=lambda hit: (-hit.dense, hit.id)), idf)

    async def frequencies(self, release: int) -> Frequencies:
        """The term frequencies of a release, read once."""
        if (known := self._frequencies.get(release)) is None:
            known = self._frequencies.put(release, await self._ledger.frequencies(release))
        return known

    async def around(self, hit: Hit, reach: int) -> list[IndexedChunk]:
        """The chunks of the hit's document within `reach` positions of it, in order, itself included."""
        layouts = await self._layouts_of({hit.source}, hit.release)
        stored = await self._ledger.chunks(hit.release, [key for layout in layouts for key in layout])
        own = next((chunk.key for chunk in stored if chunk.id == hit.id), "")
        layout = next((layout for layout in layouts if own in layout), {})
        near = [p for p in layout.values() if abs(p.ordinal - layout[own].ordinal) <= reach]
        ids = {chunk.key: chunk.id for chunk in stored}
        chunks = {chunk.key: chunk for chunk in await self._index.retrieve([ids[place.key] for place in near])}
        return [chunks[place.key] for place in near if place.key in chunks]

    async def _place(self, hits: Sequence[Hit], keys: dict[str, str], release: int) -> None:
        """Fill in where each hit stands in its document; offsets belong to a release, not to a chunk."""
        layouts = await self._layouts_of({hit.source for hit in hits}, release)
        places = {key: place for layout in layouts for key, place in layout.items()}
        for hit in hits:
            if place := places.get(keys[hit.id]):
                hit.ordinal, hit.span = place.ordinal, (place.start, place.end)

    async def _layouts_of(self, sources: Iterable[str], release: int) -> list[dict[str, Placement]]:
        wanted = sorted(sources)
        missing = [source for source in wanted if self._layouts.get((release, source)) is None]
        if missing:
            found: dict[str, dict[str, Placement]] = {source: {} for source in missing}
            for document in await self._ledger.documents(release, missing):
                found[document.source] |= {place.key: place for place in document.placements()}
            for source, layout in found.items():
                self._layouts.put((release, source), layout)
            return [found.get(source) or self._layouts.get((release, source)) or {} for source in wanted]
        return [self._layouts.get((release, source)) or {} for source in wanted]


def _hit(chunk: IndexedChunk, vector: Vector, terms: SparseVector, release: int) -> Hit:
    about = chunk.metadata
    return Hit(
        id=chunk.id,
        text=chunk.text,
        title=about.get("title", ""),
        heading=about.get("heading", ""),
        source=about.get("source", ""),
        release=release,
        dense=float(np.dot(chunk.vector.astype(np.float64), vector.astype(np.float64))),
        bm25=chunk.terms.dot(terms),
        page=about.get("page"),
        category=about.get("category"),
        updated_at=about.get("updated_at", ""),
    )


def _rank(hits: Sequence[Hit], dense: set[str], sparse: set[str]) -> None:
    by_dense = sorted((hit for hit in hits if hit.id in dense), key=lambda hit: (-hit.dense, hit.id))
    by_bm25 = sorted((hit for hit in hits if hit.id in sparse), key=lambda hit: (-hit.bm25, hit.id))
    for rank, hit in enumerate(by_dense, 1):
        hit.dense_rank = rank
    for rank, hit in enumerate(by_bm25, 1):
        hit.bm25_rank = rank
