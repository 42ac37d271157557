"""Reading one person's memory: recall, what is pinned, the profile, lists and history."""

import asyncio
from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from zhiji.core.errors import UnknownMemory
from zhiji.core.schema_file import active
from zhiji.core.settings import RankingPreset
from zhiji.core.time import iso, now
from zhiji.core.turn import Query, RecalledMemory
from zhiji.models.asked_fields import asked_fields, is_asked
from zhiji.stores.memory.handle import Handle
from zhiji.stores.memory.parts import parts_of
from zhiji.stores.memory.policy import freshness
from zhiji.stores.memory.ranking import Ranked, order, relevance
from zhiji.stores.memory.records import HistoryEntry, MemoryRecord
from zhiji.stores.memory.relevance import Asked, Floats
from zhiji.stores.memory.rows import seen_at, to_history, to_json, to_record
from zhiji.stores.memory.snapshot import Snapshot
from zhiji.stores.memory.tables import history, memories, processed, queue, users
from zhiji.stores.profiles import canonical, field_of

THRESHOLD = 0.07
"""Relevance from which an unpinned memory is recalled: on the held-out half of `evals/fit/relevance*.jsonl`."""
CLOSE = 0.15
"""A memory far less relevant than the best is noise beside it, however fresh: the least share of the best's relevance."""
ASKED_FOR = 0.5
"""Relevance of a memory that holds the field a question asks for, whatever its words: an even chance, well above `THRESHOLD`."""
PROFILE_FACTS = 6
"""Core facts that enter every prompt."""


class Recalling(Handle):
    """The reading half of a person's memory."""

    async def recall(
        self,
        query: Query,
        *,
        at: datetime | None = None,
        limit: int = 5,
        wide: bool = False,
        preset: RankingPreset | None = None,
        threshold: float | None = None,
    ) -> list[RecalledMemory]:
        """The active memories that bear on a query, safety constraints first and always, then best first.

        Args:
            query: What is asked; its vector is computed once per text and shared with the other retrieval.
            at: The moment that freshness and expiry are judged by (now by default).
            limit: Most memories besides the pinned ones.
            wide: The user asks to recall something said before: only what is far behind the best is left out.
            preset: Weights of similarity and freshness; the settings' by default.
            threshold: Least relevance of an unpinned memory, in [0, 1]; 0 keeps all.
        """
        at = at or now()
        snapshot = await self.snapshot()
        live = snapshot.live(at)
        if not live.any():
            return []
        if query.overview:
            return _foremost([snapshot.records[row] for row in np.flatnonzero(live)], at, limit)
        relevant, topics = await self._relevance(query, snapshot, sure=wide)
        least = threshold if threshold is not None else (0.0 if wide else THRESHOLD)
        close = 0.0 if threshold == 0 else CLOSE * float(relevant[live & ~snapshot.pinned].max(initial=0.0))
        rows = _bearing(relevant, live & ~snapshot.pinned, max(least, close), 2 * limit, snapshot.records)
        rows += [int(row) for row in np.flatnonzero(live & snapshot.pinned)]
        preset = preset or self.engines.settings.weights
        ranked = order(relevant, snapshot.records, rows, topics=topics, at=at, preset=preset)
        return _pinned_first(ranked, snapshot.records, limit, least)

    async def rank(
        self,
        question: str,
        k: int = 10,
        *,
        at: datetime | None = None,
        among: Container[str] | None = None,
        preset: RankingPreset | None = None,
    ) -> list[RecalledMemory]:
        """The k memories that bear most on a question, no threshold, nothing pinned.

        `among` limits the memories looked at by id. Without a preset they are ordered by relevance alone, and equally
        relevant ones by freshness; with one, by its score.
        """
        at = at or now()
        snapshot = await self.snapshot()
        rows = [
            int(row) for row in np.flatnonzero(snapshot.live(at)) if among is None or snapshot.records[row].id in among
        ]
        if not rows:
            return []
        relevant, topics = await self._relevance(Query(question, question), snapshot)
        records = snapshot.records
        if preset is not None:
            ranked = order(relevant, records, rows, topics=topics, at=at, preset=preset)
        else:
            scored = [Ranked(int(row), float(relevant[row]), float(relevant[row])) for row in rows]
            ranked = sorted(
                scored, key=lambda one: (-one.relevance, -freshness(records[one.row], at), records[one.row].id)
            )
        return [recalled(records[one.row], one.relevance) for one in ranked[:k]]

    async def _relevance(
        self, query: Query, snapshot: Snapshot, *, sure: bool = False
    ) -> tuple[Floats, tuple[str, ...]]:
        """Each current memory's relevance to a query, and the query's topics; computed off the event loop."""
        return await asyncio.to_thread(self._look_up, query, snapshot, sure)

    def _look_up(self, query: Query, snapshot: Snapshot, sure: bool) -> tuple[Floats, tuple[str, ...]]:
        engines, corpus = self.engines, snapshot.corpus
        if corpus is None:
            return np.zeros(0), ()
        asked = [
            Asked.of(part, engines.embedder.query(part), engines.space) for part in (query.text, *parts_of(query.text))
        ]
        whole, *parts = asked
        named = tuple(topic for topic in query.topics if topic in engines.space.topics.names)
        topics = named or engines.space.topics.of_profile(whole.nearness)
        relevant = relevance(whole, parts, corpus, engines.space, engines.calibration.relevant, sure=sure)
        return np.maximum(relevant, _asked_for(query.text, snapshot.records)), topics

    async def pinned(self, at: datetime | None = None) -> list[RecalledMemory]:
        """The safety constraints: recalled with every question."""
        snapshot = await self.snapshot()
        rows = np.flatnonzero(snapshot.live(at or now()) & snapshot.pinned)
        held = sorted((snapshot.records[row] for row in rows), key=lambda record: record.id)
        return [recalled(record, 1.0) for record in held]

    async def profile_facts(self, at: datetime | None = None) -> list[RecalledMemory]:
        """The few facts that say who the user is, in the schema's order."""
        snapshot = await self.snapshot()
        places = {key: place for place, key in enumerate(active().by_key)}
        core = [
            record
            for record in (snapshot.records[row] for row in np.flatnonzero(snapshot.live(at or now())))
            if record.subject == "user" and (held := field_of(record.key)) is not None and held.core
        ]
        core.sort(key=lambda record: (places[canonical(record.key)], -record.importance, record.id))
        return [recalled(record, 1.0) for record in core[:PROFILE_FACTS]]

    async def profile(self, at: datetime | None = None) -> dict[str, list[str]]:
        """The values of each profile field that the user's current memories give, in the schema's order."""
        snapshot = await self.snapshot()
        values: dict[str, list[str]] = {key: [] for key in active().by_key}
        for row in np.flatnonzero(snapshot.live(at or now())):
            record = snapshot.records[row]
            if record.subject == "user" and field_of(record.key) is not None:
                values[canonical(record.key)].append(record.value or record.content)
        return {key: held for key, held in values.items() if held}

    async def list(self, all: bool = False, at: datetime | None = None) -> list[MemoryRecord]:
        """The active memories, oldest first; with `all` also pending, replaced, withdrawn and expired ones."""
        statement = select(memories).where(memories.c.tenant == self.tenant).order_by(memories.c.id)
        async with self.reading() as connection:
            rows = (await connection.execute(statement)).mappings().all()
        records = [seen_at(to_record(row), at or now()) for row in rows]
        return records if all else [record for record in records if record.status == "active"]

    async def pending(self) -> Sequence[MemoryRecord]:
        """The memories that wait for the user's yes."""
        return [record for record in await self.list(all=True) if record.status == "pending"]

    async def get(self, memory_id: str) -> MemoryRecord:
        """One memory, whatever its status.

        Raises:
            UnknownMemory: This user has none with that id.
        """
        statement = select(memories).where(memories.c.tenant == self.tenant, memories.c.id == memory_id)
        async with self.reading() as connection:
            row = (await connection.execute(statement)).mappings().first()
        if row is None:
            raise unknown(memory_id)
        return to_record(row)

    async def identify(self, beginning: str) -> str:
        """The id of the one memory that is meant: its whole id, or a beginning that no other has.

        Raises:
            UnknownMemory: No memory of this user begins so, or several do.
        """
        begins = memories.c.id.startswith(beginning, autoescape=True)
        statement = select(memories.c.id).where(memories.c.tenant == self.tenant, begins).order_by(memories.c.id)
        async with self.engines.database.read() as connection:
            found = list((await connection.execute(statement)).scalars())
        if beginning in found or (beginning and len(found) == 1):
            return beginning if beginning in found else found[0]
        if beginning and found:
            raise UnknownMemory(f"{len(found)} memories have ids that begin with {beginning[:64]}; give more of it.")
        raise unknown(beginning)

    async def history(self, memory_id: str | None = None) -> Sequence[HistoryEntry]:
        """Every change of one memory, or of all, oldest first.

        Raises:
            UnknownMemory: This user has none with that id.
        """
        statement = select(history).where(history.c.tenant == self.tenant).order_by(history.c.seq)
        if memory_id is not None:
            await self.get(memory_id)
            statement = statement.where(history.c.memory_id == memory_id)
        async with self.reading() as connection:
            return [to_history(row) for row in (await connection.execute(statement)).mappings()]

    async def export(self) -> dict[str, Any]:
        """All that is kept of this user, as plain JSON."""
        records = [to_json(record) for record in await self.list(all=True)]
        entries = [
            {"memory_id": e.memory_id, "operation": e.operation, "actor": e.actor, "at": iso(e.at), "reason": e.reason,
             "before": e.before, "after": e.after}
            for e in await self.history()
        ]  # fmt: skip
        async with self.reading() as connection:
            waiting = (await connection.execute(select(queue).where(queue.c.tenant == self.tenant))).mappings().all()
            done = (
                (await connection.execute(select(processed).where(processed.c.tenant == self.tenant))).mappings().all()
            )
            user = (await connection.execute(select(users).where(users.c.tenant == self.tenant))).mappings().first()
        return {
            "user": self.user_id,
            "created_at": iso(user["created_at"]) if user else None,
            "memories": records,
            "history": entries,
            "queued": [
                {"thread": r["thread"], "message_id": r["message_id"], "text": r["text"], "at": iso(r["at"])}
                for r in waiting
            ],
            "processed": [{"thread": r["thread"], "message_id": r["message_id"]} for r in done],
        }


def unknown(memory_id: str) -> UnknownMemory:
    """The error for an id that this user does not have."""
    return UnknownMemory(f"There is no memory '{memory_id[:64]}'; `zhiji memory list --all` shows them.")


def recalled(record: MemoryRecord, score: float) -> RecalledMemory:
    """A memory as it enters the prompt."""
    return RecalledMemory(
        id=record.id,
        type=record.type,
        key=record.key,
        content=record.content,
        score=round(score, 4),
        status=record.status,
        pinned=record.pinned,
        value=record.value,
        updated_at=iso(record.updated_at) if record.updated_at else "",
        topics=tuple(record.topics),
    )


def _asked_for(question: str, records: Sequence[MemoryRecord]) -> Floats:
    """The least relevance of each memory by its key alone, shape `(n,)`: that of what the question asks of the user."""
    asked = asked_fields(question)
    if not asked:
        return np.zeros(len(records))
    told = [record.subject == "user" and is_asked(record.key, asked) for record in records]
    return ASKED_FOR * np.array(told, dtype=np.float64)


def _foremost(records: Sequence[MemoryRecord], at: datetime, limit: int) -> "list[RecalledMemory]":
    """What matters most of all that is known: the important first, and of these the fresh."""
    ordered = sorted(records, key=lambda one: (not one.pinned, -one.importance, -freshness(one, at), one.id))
    most = max(limit, sum(record.pinned for record in records))
    return [recalled(record, 1.0) for record in ordered[:most]]


def _bearing(
    relevant: Floats, live: NDArray[np.bool_], least: float, most: int, records: Sequence[MemoryRecord]
) -> "list[int]":
    """The live rows that are relevant enough, no more than `most`: freshness chooses among these, not among all."""
    rows = np.flatnonzero(live & (relevant >= least))
    return sorted(map(int, rows), key=lambda row: (-relevant[row], records[row].id))[:most]


def _pinned_first(
    ranked: Sequence[Ranked], records: Sequence[MemoryRecord], limit: int, least: float
) -> "list[RecalledMemory]":
    """All pinned memories, then the best others; a pinned one is relevant only if it would have come unpinned."""
    pinned = [one for one in ranked if records[one.row].pinned]
    others = [one for one in ranked if not records[one.row].pinned]
    return [
        replace(recalled(records[one.row], one.relevance), relevant=one.relevance >= least)
        for one in (*pinned, *others[:limit])
    ]
