"""Removing old releases for good, and checking that tables and vectors agree."""

from collections.abc import Sequence

from zhiji.core.errors import Misuse, StoreCorrupted
from zhiji.stores.knowledge.frequencies import Tally
from zhiji.stores.knowledge.ledger import Ledger
from zhiji.stores.knowledge.records import Base, StoredChunk
from zhiji.stores.sql import Database
from zhiji.stores.vectors.base import Interval, VectorIndex, batches

_BATCH = 1000


async def collect(ledger: Ledger, index: VectorIndex, base: Base, keep: int) -> list[int]:
    """Remove every release but the `keep` newest and the current one; returns the numbers removed.

    The tables go first: if the rest is interrupted, its points are seen by no release, and the next call removes them.

    Raises:
        Misuse: `keep` is less than 1.
    """
    if keep < 1:
        raise Misuse(f"At least one release must be kept, not {keep}.")
    numbers = [one.release for one in await ledger.releases()]
    kept = {*numbers[-keep:], base.current}
    removed = [number for number in numbers if number not in kept]
    chunks = await ledger.all_chunks()
    gone = [chunk.id for chunk in chunks if not _read(chunk.from_release, chunk.to_release, kept)]
    documents = [id for id, begins, ends in await ledger.all_documents() if not _read(begins, ends, kept)]
    await ledger.forget(removed, gone, documents)
    await _sweep(index, base, {chunk.id for chunk in chunks} - set(gone))
    return removed


async def _sweep(index: VectorIndex, base: Base, known: set[str]) -> None:
    """Delete the points that the ledger does not know; those of an ingest that may still be resumed stay."""
    async with index.session():
        points = await index.intervals()
        await index.delete([p.id for p in points if p.id not in known and p.from_release <= base.newest])
        await index.flush()
        await index.optimize()


async def check(database: Database, ledger: Ledger, index: VectorIndex, base: Base) -> list[str]:
    """What is wrong with a base, one line each; nothing when it is sound."""
    problems = []
    if (verdict := await database.check()) != "ok":
        problems.append(f"{database.name}: {verdict}")
    chunks = await ledger.all_chunks()
    try:
        async with index.session():
            problems += _disagreements(chunks, await index.intervals(), base)
            problems += await _wrong_frequencies(ledger, index, base)
    except StoreCorrupted as damaged:
        problems.append(str(damaged))
    return problems


def _disagreements(chunks: Sequence[StoredChunk], points: Sequence[Interval], base: Base) -> list[str]:
    """Chunks whose point is lacking or valid elsewhere; an end at the next release is an ingest that was cut short."""
    found = {point.id: point for point in points}
    lacking = [chunk.id for chunk in chunks if chunk.id not in found]
    known = {chunk.id for chunk in chunks}
    strange = [point.id for point in points if point.id not in known and point.from_release <= base.newest]
    wrong = [chunk.id for chunk in chunks if chunk.id in found and not _agree(chunk, found[chunk.id], base.newest)]
    named = [
        (lacking, "stored chunks have no vectors", f"run `zhiji reindex --base {base.name}`"),
        (wrong, "vectors are valid in other releases than the tables say", f"run `zhiji reindex --base {base.name}`"),
        (strange, "vectors belong to no release", f"run `zhiji kb gc --base {base.name}`"),
    ]
    return [f"{len(ids)} {what}; {remedy}" for ids, what, remedy in named if ids]


def _agree(chunk: StoredChunk, point: Interval, newest: int) -> bool:
    ends = point.to_release == chunk.to_release or point.to_release == newest + 1
    return chunk.from_release == point.from_release and ends


async def _wrong_frequencies(ledger: Ledger, index: VectorIndex, base: Base) -> list[str]:
    tally = Tally()
    for batch in batches((chunk.id for chunk in await ledger.chunks(base.current)), _BATCH):
        tally.add(chunk.terms for chunk in await index.retrieve(batch))
    counted, kept = tally.sum(), await ledger.frequencies(base.current)
    if counted.pack() == kept.pack():
        return []
    return [f"the term frequencies of release {base.current} are not those of its chunks; run `zhiji reindex`"]


def _read(begins: int, ends: int, kept: set[int]) -> bool:
    return any(begins <= release < ends for release in kept)
