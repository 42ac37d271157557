"""One person's current memories in memory, ready to be searched, and the cache of the persons last seen."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.models.embed import Matrix, Vector
from zhiji.models.space import Space
from zhiji.stores.memory.lexical import Words
from zhiji.stores.memory.policy import over_at
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.relevance import Corpus, with_rows
from zhiji.stores.memory.rows import searchable, to_record, to_vector
from zhiji.stores.memory.tables import memories, users

USERS_KEPT = 64
"""Persons whose memories stay in memory: at 2,000 memories each some 250 MB."""
CURRENT = ("active", "pending")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A person's active and pending memories as of one revision; row by row the same memory in all of them.

    Rows are in no order that means anything: a memory that leaves gives its row to another, so that a change touches
    only the rows it is about.
    """

    revision: tuple[str, int]
    records: tuple[MemoryRecord, ...] = ()
    words: tuple[Words, ...] = ()
    corpus: Corpus | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    """The row of each memory, by id."""
    over: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """When each memory's time is over, in seconds since 1970; 0 for one that is not active."""
    pinned: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    @property
    def matrix(self) -> Matrix:
        """The memories' vectors, shape `(n, dim)`."""
        return self.corpus.matrix if self.corpus is not None else np.zeros((0, 0), dtype=np.float32)

    def live(self, at: datetime) -> NDArray[np.bool_]:
        """Which memories are active at a moment, shape `(n,)`."""
        return self.over > at.timestamp()

    def with_rows(self, revision: tuple[str, int], rows: Sequence[RowMapping], space: Space) -> "Snapshot":
        """The next snapshot: changed rows replaced, those no longer current dropped."""
        edit = _Edit.of(self, rows)
        if not edit.records:
            return Snapshot(revision)
        size, placed = len(edit.records), list(edit.vectors)
        blank = np.zeros((0, len(next(iter(edit.vectors.values()))) if placed else 0), dtype=np.float32)
        matrix = with_rows(
            self.matrix if self.corpus is not None else blank, size, placed, [edit.vectors[row] for row in placed]
        )
        corpus = self.corpus or Corpus.of(blank, (), space)
        return Snapshot(
            revision=revision,
            records=tuple(edit.records),
            words=tuple(edit.words),
            corpus=corpus.with_rows(matrix, {row: edit.words[row] for row in placed}, self.words, space),
            places=edit.places,
            over=with_rows(self.over, size, placed, [_over(edit.records[row]) for row in placed]),
            pinned=with_rows(self.pinned, size, placed, [edit.records[row].pinned for row in placed]),
        )


class _Edit:
    """The rows of a snapshot while they change; `vectors` holds every row that is other than before."""

    def __init__(self, before: Snapshot) -> None:
        self.records, self.words = list(before.records), list(before.words)
        self.places = dict(before.places)
        self.vectors: dict[int, Vector] = {}
        self._matrix = before.matrix

    @classmethod
    def of(cls, before: Snapshot, rows: Sequence[RowMapping]) -> "_Edit":
        """The rows after those of the database were taken over."""
        edit = cls(before)
        for row in sorted(rows, key=lambda row: str(row["id"])):
            if row["status"] in CURRENT:
                edit._put(to_record(row), to_vector(row))
            elif row["id"] in edit.places:
                edit._drop(row["id"])
        return edit

    def _put(self, record: MemoryRecord, vector: Vector) -> None:
        row = self.places.setdefault(record.id, len(self.records))
        if row == len(self.records):
            self.records.append(record)
            self.words.append(Words.of(searchable(record)))
        else:
            if searchable(self.records[row]) != searchable(record):
                self.words[row] = Words.of(searchable(record))
            self.records[row] = record
        self.vectors[row] = vector

    def _drop(self, memory_id: str) -> None:
        """Give the row of a memory that left to the last one."""
        row, last = self.places.pop(memory_id), len(self.records) - 1
        record, words = self.records.pop(), self.words.pop()
        vector = self.vectors.pop(last, None)
        if row != last:
            self.records[row], self.words[row], self.places[record.id] = record, words, row
            self.vectors[row] = self._matrix[last] if vector is None else vector


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
