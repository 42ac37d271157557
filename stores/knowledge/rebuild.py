"""Embedding a base anew, all its releases: built beside the old index, and switched to when complete."""

import asyncio
import shutil
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from zhiji.core.errors import StoreCorrupted, StoreLocked
from zhiji.stores.knowledge.bm25 import terms_version, weigh
from zhiji.stores.knowledge.folders import index_folder
from zhiji.stores.knowledge.frequencies import Tally
from zhiji.stores.knowledge.records import Base, StoredChunk
from zhiji.stores.knowledge.update import Target
from zhiji.stores.knowledge.writer import Embed, Progress
from zhiji.stores.vectors.base import IndexedChunk, VectorIndex, batches
from zhiji.stores.vectors.locks import ProcessLock

BATCH = 64
MARK = "built_with"


async def rebuild(target: Target, embed: Embed, progress: Progress) -> int:
    """Embed and index every stored chunk again; returns how many there are.

    Readers keep the old index meanwhile. A run that was cut short is continued.

    Raises:
        StoreLocked: Another process writes, or holds the engine.
    """
    async with target.writing() as ledger:
        base = await ledger.base()
        if base is None or not base.newest:
            return 0
        new = replace(
            base,
            generation=base.generation + 1,
            model=target.embedder.model_id,
            dim=target.embedder.dim,
            terms_version=terms_version(),
        )
        chunks = await ledger.all_chunks()
        old, index = target.index(base.generation), await _started(target, new)
        tallies: dict[int, Tally] = defaultdict(Tally)
        numbers = [release.release for release in await ledger.releases()]
        await _Copy(old, index, numbers, tallies).run(chunks, embed, progress)
        await index.flush()
        await ledger.rebuilt(new, {number: tallies[number].sum() for number in numbers})
        await index.optimize()
        await _discard(target, old, base)
        return len(chunks)


class _Copy:
    """Carries chunks from one index to another, embedding each distinct text once."""

    def __init__(self, old: VectorIndex, new: VectorIndex, releases: Sequence[int], tallies: dict[int, Tally]) -> None:
        self._old, self._new = old, new
        self._releases, self._tallies = releases, tallies
        self._holder: dict[str, str] = {}

    async def run(self, chunks: Sequence[StoredChunk], embed: Embed, progress: Progress) -> None:
        there = {one.id: one for one in await self._new.intervals()}
        self._holder = {one.embed_hash: one.id for one in there.values()}
        done = 0
        for ids in batches((chunk.id for chunk in chunks), BATCH):
            await self._carry(ids, {one for one in ids if one in there}, embed)
            done += len(ids)
            progress("embed", done, len(chunks))

    async def _carry(self, ids: list[str], there: set[str], embed: Embed) -> None:
        stored = await self._old.retrieve(ids)
        if len(stored) != len(ids):
            raise StoreCorrupted(
                f"The vector index lacks {len(ids) - len(stored)} stored chunks; ingest the files anew."
            )
        stored = await asyncio.to_thread(lambda: [replace(chunk, terms=weigh(chunk.index_text)) for chunk in stored])
        for chunk in stored:
            for release in self._releases:
                if chunk.from_release <= release < chunk.to_release:
                    self._tallies[release].add([chunk.terms])
        await self._store([chunk for chunk in stored if chunk.id not in there], embed)

    async def _store(self, chunks: Sequence[IndexedChunk], embed: Embed) -> None:
        known = {
            chunk.embed_hash: self._holder[chunk.embed_hash] for chunk in chunks if chunk.embed_hash in self._holder
        }
        vectors = {chunk.embed_hash: chunk.vector for chunk in await self._new.retrieve(list(known.values()))}
        new = {chunk.embed_hash: chunk.index_text for chunk in chunks if chunk.embed_hash not in vectors}
        if new:
            vectors |= dict(zip(new, await embed(list(new.values())), strict=True))
        self._holder |= {chunk.embed_hash: chunk.id for chunk in chunks}
        await self._new.upsert([replace(chunk, vector=vectors[chunk.embed_hash]) for chunk in chunks])


async def _started(target: Target, new: Base) -> VectorIndex:
    """The index to build: the one a run with the same model began, or an empty one."""
    index = target.index(new.generation)
    mark = index_folder(target.home, target.base, new.generation) / MARK
    built_with = f"{new.model}\n{new.dim}\n{new.terms_version}"
    if not await asyncio.to_thread(_says, mark, built_with):
        await index.create()
        await asyncio.to_thread(mark.write_text, built_with, "utf-8")
    return index


def _says(mark: Path, text: str) -> bool:
    return mark.exists() and mark.read_text("utf-8") == text


async def _discard(target: Target, old: VectorIndex, base: Base) -> None:
    """Delete the old index, unless another process is still reading it."""
    await old.release()
    folder = index_folder(target.home, target.base, base.generation)
    lock = ProcessLock(folder / "engine.lock", "the old index")
    try:
        await asyncio.to_thread(lock.acquire, 0)
    except StoreLocked:
        return
    try:
        await asyncio.to_thread(shutil.rmtree, folder)
    finally:
        lock.free()
