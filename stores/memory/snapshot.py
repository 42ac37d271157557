"""One person's current memories in memory, ready to be searched, and the cache of the persons last seen."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.models.embed import Vector
from zhiji.models.space import Space
from zhiji.stores.memory.lexical import Words
from zhiji.stores.memory.policy import over_at
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.relevance import Corpus
from zhiji.stores.memory.rows import searchable, to_record, to_vector
from zhiji.stores.memory.tables import memories, users

USERS_KEPT = 64
"""Persons whose memories stay in memory: at 2,000 memories each some 250 MB."""
CURRENT = ("active", "pending")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A person's active and pending memories as of one revision; row by row the same memory in all of them."""

    revision: tuple[str, int]
    records: tuple[MemoryRecord, ...] = ()
    vectors: tuple[Vector, ...] = ()
    words: tuple[Words, ...] = ()
    corpus: Corpus | None = None
    over: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """When each memory's time is over, in seconds since 1970; 0 for one that is not active."""
    pinned: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    def live(self, at: datetime) -> NDArray[np.bool_]:
        """Which memories are active at a moment, shape `(n,)`."""
        return self.over > at.timestamp()

    def with_rows(self, revision: tuple[str, int], rows: Sequence[RowMapping], space: Space) -> "Snapshot":
        """The next snapshot: changed rows replaced, those no longer current dropped."""
        held = {r.id: (r, v, w) for r, v, w in zip(self.records, self.vectors, self.words, strict=True)}
        for row in rows:
            held.pop(row["id"], None)
            if row["status"] in CURRENT:
                record = to_record(row)
                held[record.id] = (record, to_vector(row), Words.of(searchable(record)))
        kept = [held[memory_id] for memory_id in sorted(held)]
        records = tuple(record for record, _, _ in kept)
        vectors, words = tuple(vector for _, vector, _ in kept), tuple(cut for _, _, cut in kept)
        corpus = Corpus.of(np.stack(vectors), words, space) if kept else None
        over = np.array([_over(record) for record in records])
        return Snapshot(
            revision, records, vectors, words, corpus, over, np.array([r.pinned for r in records], dtype=np.bool_)
        )


def _over(record: MemoryRecord) -> float:
    if record.status != "active":
        return 0.0
    over = over_at(record)
    return math.inf if over is None else over.timestamp()


EMPTY = Snapshot(("", 0))


class Snapshots:
    """The persons last seen; each is read again only in what changed since."""

    def __init__(self, space: Space, kept: int = USERS_KEPT) -> None:
        self._space = space
        self._kept = kept
        self._held: OrderedDict[str, Snapshot] = OrderedDict()
        self._lock = Lock()

    async def of(self, connection: AsyncConnection, tenant: str) -> Snapshot:
        """The person's memories as this connection sees them."""
        revision = await revision_of(connection, tenant)
        held = self._get(tenant)
        if held.revision == revision:
            return held
        known = held if held.revision[0] == revision[0] else EMPTY
        statement = select(memories).where(memories.c.tenant == tenant, memories.c.revision > known.revision[1])
        if known is EMPTY:
            statement = statement.where(memories.c.status.in_(CURRENT))
        rows = (await connection.execute(statement)).mappings().all()
        fresh = await asyncio.to_thread(known.with_rows, revision, rows, self._space)
        self._put(tenant, fresh)
        return fresh

    def drop(self, tenant: str) -> None:
        """Forget a person."""
        with self._lock:
            self._held.pop(tenant, None)

    def _get(self, tenant: str) -> Snapshot:
        with self._lock:
            if tenant in self._held:
                self._held.move_to_end(tenant)
            return self._held.get(tenant, EMPTY)

    def _put(self, tenant: str, snapshot: Snapshot) -> None:
        with self._lock:
            self._held[tenant] = snapshot
            self._held.move_to_end(tenant)
            while len(self._held) > self._kept:
                self._held.popitem(last=False)


async def revision_of(connection: AsyncConnection, tenant: str) -> tuple[str, int]:
    """The person's revision, with the moment the person was created: after an erasure the count starts again."""
    statement = select(users.c.created_at, users.c.revision).where(users.c.tenant == tenant)
    row = (await connection.execute(statement)).first()
    return (row.created_at.isoformat(), row.revision) if row else ("", 0)
