"""Hybrid search in one release: both channels, their union, and every score filled in."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from zhiji.core.turn import Found, Hit
from zhiji.models.embed import Vector
from zhiji.stores.knowledge.bm25 import unique_terms
from zhiji.stores.knowledge.cache import Recent
from zhiji.stores.knowledge.frequencies import Frequencies
from zhiji.stores.knowledge.ledger import Ledger
from zhiji.stores.knowledge.records import Placement, placements_of
from zhiji.stores.vectors.base import IndexedChunk, Scored, SparseVector, VectorIndex, Where

POOL = 20
"""Candidates of each channel, whatever the caller keeps: a pool that follows the final k reorders its head."""
FAR = 1000
_FREQUENCIES, _LAYOUTS = 4, 4096
"""Documents whose layout is kept, some 4 kB each: reading those of one search anew takes as long as the search."""


class Searcher:
    """Searches the releases of one base on one index."""

    def __init__(self, ledger: Ledger, index: VectorIndex, pictures: Path) -> None:
        self._ledger = ledger
        self._index = index
        self._pictures = pictures
        self._frequencies: Recent[int, Frequencies] = Recent(_FREQUENCIES)
        self._layouts: Recent[tuple[int, str], dict[str, Placement]] = Recent(_LAYOUTS)

    async def search(self, text: str, vector: Vector, release: int, where: Where) -> Found:
        """Both channels' candidates in a release, scores and ranks filled, best cosine first.

        Every score is computed exactly from the stored vectors, so it does not depend on how the engine has arranged
        its segments, nor on which channel found the hit.
        """
        idf, terms = await self._terms(text, release)
        dense, sparse = await asyncio.gather(
            self._index.dense(vector, release=release, where=where, limit=POOL),
            self._index.sparse(terms, release=release, where=where, limit=POOL),
        )
        scored = await self._index.scored(list(dict.fromkeys([*dense, *sparse])), vector, terms)
        hits = [_hit(one, release, self._pictures) for one in scored]
        _rank(hits, set(dense), set(sparse))
        await self._place(hits, {one.chunk.id: one.chunk.key for one in scored}, release)
        return Found(release, sorted(hits, key=lambda hit: (-hit.dense, hit.id)), idf)

    async def frequencies(self, release: int) -> Frequencies:
        """The term frequencies of a release, read once."""
        if (known := self._frequencies.get(release)) is None:
            known = self._frequencies.put(release, await self._ledger.frequencies(release))
        return known

    async def around(self, hit: Hit, reach: int) -> list[IndexedChunk]:
        """The chunks of the hit's document within `reach` positions of it, in order, itself included."""
        for document in await self._ledger.documents(hit.release, [hit.source]):
            places = document.placements()
            ids = {chunk.key: chunk.id for chunk in await self._ledger.chunks(hit.release, [p.key for p in places])}
            own = next((place for place in places if ids.get(place.key) == hit.id), None)
            if own is not None:
                near = [ids[p.key] for p in places if abs(p.ordinal - own.ordinal) <= reach and p.key in ids]
                chunks = {chunk.id: chunk for chunk in await self._index.retrieve(near)}
                return [chunks[one] for one in near if one in chunks]
        return []

    async def contents(self, release: int) -> list[list[IndexedChunk]]:
        """All chunks of a release, each document's in order."""
        chunks = {chunk.key: chunk for chunk in await self._index.texts(release=release)}
        documents = await self._ledger.documents(release)
        return [[chunks[p.key] for p in document.placements() if p.key in chunks] for document in documents]

    async def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The stored embeddings of some chunks by their ids."""
        return {chunk.id: chunk.vector for chunk in await self._index.retrieve(ids)}

    async def orders(self, text: str, vector: Vector, where: Where, release: int) -> tuple[list[str], list[str]]:
        """The ids of both channels, up to a thousand of each."""
        _, terms = await self._terms(text, release)
        return (
            await self._index.dense(vector, release=release, where=where, limit=FAR),
            await self._index.sparse(terms, release=release, where=where, limit=FAR),
        )

    async def _terms(self, text: str, release: int) -> tuple[dict[str, float], SparseVector]:
        """The weights of a question's terms in a release, and the vector they make."""
        frequencies = await self.frequencies(release)
        idf = {term: frequencies.idf(term) for term in unique_terms(text)}
        return idf, frequencies.query(idf)

    async def _place(self, hits: Sequence[Hit], keys: dict[str, str], release: int) -> None:
        """Fill in where each hit stands in its document; offsets belong to a release, not to a chunk."""
        layouts = await self._layouts_of({hit.source for hit in hits}, release)
        for hit in hits:
            place = layouts.get(hit.source, {}).get(keys[hit.id])
            if place is not None:
                hit.ordinal, hit.span = place.ordinal, (place.start, place.end)

    async def _layouts_of(self, sources: Iterable[str], release: int) -> dict[str, dict[str, Placement]]:
        """The placements by key of each source; documents of two roots may share one."""
        found = {source: self._layouts.get((release, source)) for source in sources}
        missing = sorted(source for source, layout in found.items() if layout is None)
        if missing:
            read: dict[str, dict[str, Placement]] = {source: {} for source in missing}
            for source, layout in await self._ledger.layouts(release, missing):
                read[source] |= {place.key: place for place in placements_of(layout)}
            found |= {source: self._layouts.put((release, source), layout) for source, layout in read.items()}
        return {source: layout for source, layout in found.items() if layout is not None}


def _hit(one: Scored, release: int, pictures: Path) -> Hit:
    about = one.chunk.metadata
    return Hit(
        id=one.chunk.id,
        text=one.chunk.text,
        title=about.get("title", ""),
        heading=about.get("heading", ""),
        source=about.get("source", ""),
        release=release,
        dense=one.dense,
        bm25=one.sparse,
        page=about.get("page"),
        category=about.get("category"),
        updated_at=about.get("updated_at", ""),
        images=tuple(str(pictures / name) for name in about.get("pictures", ())),
    )


def _rank(hits: Sequence[Hit], dense: set[str], sparse: set[str]) -> None:
    by_dense = sorted((hit for hit in hits if hit.id in dense), key=lambda hit: (-hit.dense, hit.id))
    by_bm25 = sorted((hit for hit in hits if hit.id in sparse), key=lambda hit: (-hit.bm25, hit.id))
    for rank, hit in enumerate(by_dense, 1):
        hit.dense_rank = rank
    for rank, hit in enumerate(by_bm25, 1):
        hit.bm25_rank = rank
