"""One person's current memories in memory, ready to be searched, and the cache of the persons last seen."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.models.embed import Vector
from zhiji.models.topics import Topics
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
    corpus: Corpus | None = None

    def with_rows(self, revision: tuple[str, int], rows: Sequence[RowMapping], topics: Topics | None) -> "Snapshot":
        """The next snapshot: changed rows replaced, those no longer current dropped; `topics` None leaves it unsearchable."""
        held = {record.id: (record, vector) for record, vector in zip(self.records, self.vectors, strict=True)}
        for row in rows:
            held.pop(row["id"], None)
            if row["status"] in CURRENT:
                held[row["id"]] = (to_record(row), to_vector(row))
        kept = [held[memory_id] for memory_id in sorted(held)]
        records, vectors = tuple(record for record, _ in kept), tuple(vector for _, vector in kept)
        corpus = None
        if kept and topics is not None:
            corpus = Corpus.of(np.stack(vectors), [searchable(record) for record in records], topics)
        return Snapshot(revision, records, vectors, corpus)


EMPTY = Snapshot(("", 0))


class Snapshots:
    """The persons last seen; each is read again only in what changed since."""

    def __init__(self, topics: Topics, kept: int = USERS_KEPT) -> None:
        self._topics = topics
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
        fresh = known.with_rows(revision, rows, self._topics)
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
