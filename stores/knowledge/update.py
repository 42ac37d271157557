"""One ingest into one base: from what its documents now are to a published release, or to nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from zhiji.core.errors import StoreCorrupted
from zhiji.core.settings import Settings
from zhiji.core.time import iso, now
from zhiji.models.embed import Embedder
from zhiji.stores.knowledge.bm25 import terms_version
from zhiji.stores.knowledge.folders import index_folder, write_lock
from zhiji.stores.knowledge.ledger import Ledger
from zhiji.stores.knowledge.plan import Kept, Wanted, is_unchanged, plan_release
from zhiji.stores.knowledge.records import Base, StoredDocument
from zhiji.stores.knowledge.writer import Embed, Progress, ReleaseWriter
from zhiji.stores.sql import Database
from zhiji.stores.vectors.base import VectorIndex

Collect = Callable[[Sequence[StoredDocument]], Awaitable[Sequence[Wanted]]]
"""Given the documents of the current release, those of the next one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an ingest did; the counts of chunks compare with the release that was current before."""

    release: int
    unchanged: bool
    embedded: int = 0
    added: int = 0
    removed: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """The base that is written to, and what with."""

    home: Path
    base: str
    settings: Settings
    embedder: Embedder

    def index(self, generation: int, *, keep: bool = False) -> VectorIndex:
        """The base's vector index of a generation; with `keep` it stays open until released."""
        from zhiji.stores.vectors.edge import EdgeIndex

        folder = index_folder(self.home, self.base, generation)
        return EdgeIndex(folder, self.embedder.dim, lock_wait_s=self.settings.lock_wait_s, keep=keep)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Ledger]:
        """The base's ledger, while nobody else changes its releases.

        Raises:
            StoreLocked: Somebody else does, for longer than the settings' wait.
        """
        lock = write_lock(self.home, self.base)
        await asyncio.to_thread(lock.acquire, self.settings.lock_wait_s)
        database = None
        try:
            database = await Database.open(self.home, "knowledge", self.settings)
            yield Ledger(database, self.base)
        finally:
            if database:
                await database.close()
            lock.free()


async def update(target: Target, collect: Collect, embed: Embed, progress: Progress) -> Outcome:
    """Bring a base to what `collect` wants; the release that readers see stays whole until the very end.

    Raises:
        EmbedderChanged: The base was built with another embedding model.
        StoreLocked: Another process writes, or holds the engine.
        ZhijiError: The disk is full.
    """
    async with target.writing() as ledger:
        base = await ledger.base()
        version = await asyncio.to_thread(terms_version)  # kept from here on; the first call loads a dictionary
        if base and base.newest:
            base.require(target.embedder.model_id, target.embedder.dim, version)
        current = await ledger.documents(base.current) if base else []
        wanted = await collect(current)
        if await asyncio.to_thread(is_unchanged, current, wanted):
            chunks = sum(document.chunks for document in current)
            return Outcome(base.current if base else 0, unchanged=True, kept=chunks)
        base = await _prepared(target, ledger, base)
        newest = current if base.current == base.newest else await ledger.documents(base.newest)
        kept = Kept(base, await ledger.all_chunks(), current, newest)
        return await _write(target, ledger, kept, wanted, embed, progress)


async def _write(
    target: Target, ledger: Ledger, kept: Kept, wanted: Sequence[Wanted], embed: Embed, progress: Progress
) -> Outcome:
    plan = await asyncio.to_thread(plan_release, kept, wanted)
    index = target.index(kept.base.generation)
    writer = ReleaseWriter(ledger, index, plan, kept.chunks)
    try:
        await writer.write(embed, progress)
        await writer.publish(kept.base.newest)
        progress("index", 0, 1)
        await index.optimize()
        progress("index", 1, 1)
    finally:
        await writer.let_go()
    return Outcome(plan.release, False, writer.embedded, plan.chunks_added, plan.chunks_removed, plan.chunks_kept)


async def _prepared(target: Target, ledger: Ledger, base: Base | None) -> Base:
    """The base with an index that can be written; before the first release, one that fits the settings."""
    if base and base.newest:
        return base
    model, dim = target.embedder.model_id, target.embedder.dim
    new = Base(target.base, model, dim, terms_version(), 1, current=0, newest=0, created_at=iso(now()))
    index = target.index(new.generation)
    if base is None or replace(base, created_at=new.created_at) != new or not await _opens(index):
        await ledger.save_base(new)
        await index.create()
    return new


async def _opens(index: VectorIndex) -> bool:
    """Whether a first ingest that crashed has left an index that can be continued."""
    try:
        await index.intervals(touching=1)
    except StoreCorrupted:
        return False
    return True
