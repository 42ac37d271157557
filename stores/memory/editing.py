"""Changing one person's memory by hand: add, correct, confirm, reject, forget, erase."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from sqlalchemy import delete, insert, select

from zhiji.core.errors import InvalidInput, UnknownMemory, ZhijiError
from zhiji.core.ids import new_id
from zhiji.core.secrets import find_secret
from zhiji.core.settings import ConfirmPolicy
from zhiji.core.text import clean
from zhiji.core.time import now
from zhiji.core.turn import MemoryType
from zhiji.models.embed import Vector
from zhiji.models.extract import Candidate
from zhiji.stores.memory.held import Held
from zhiji.stores.memory.learning import Learner, Said
from zhiji.stores.memory.ledger import Ledger, touched
from zhiji.stores.memory.recalling import Recalling
from zhiji.stores.memory.records import Evidence, Learned, MemoryRecord, Source, VerbatimMessage
from zhiji.stores.memory.rows import searchable, to_row
from zhiji.stores.memory.tables import OF_A_USER, memories
from zhiji.stores.profiles import canonical


class Editing(Recalling):
    """The part of a person's memory that the user edits directly."""

    def learner(
        self,
        ledger: Ledger,
        held: Held,
        vector_of: Callable[[str], Vector],
        confirm: ConfirmPolicy,
        source: Source = "dialogue",
    ) -> Learner:
        """What applies candidates inside a transaction."""
        engines = self.engines
        return Learner(ledger, held, engines.calibration, engines.topics_of, vector_of, confirm, source)

    async def add(
        self,
        content: str,
        *,
        type: MemoryType = "fact",
        key: str = "",
        value: str = "",
        polarity: Literal["+", "-"] = "+",
        source: Source = "manual",
        at: datetime | None = None,
    ) -> Learned:
        """Store a memory the user wrote; one that is held already is reinforced instead.

        Raises:
            InvalidInput: The text is empty or holds a secret.
        """
        content = _checked(content)
        at = at or now()
        candidate = Candidate("add", type, canonical(key), value, content, content, 0, polarity=polarity)
        known = await self.embed([content])
        async with self.writing("user") as (ledger, held):
            learner = self.learner(ledger, held, self.vector_in(known), "never", source)
            learned = await learner.learn([(candidate, Said("", "", at, content))])
        return learned[0]

    async def correct(
        self, memory_id: str, content: str, *, value: str | None = None, at: datetime | None = None
    ) -> Learned:
        """Put a right sentence in the place of a wrong one; the wrong one stays in the history.

        Raises:
            UnknownMemory: This user has none with that id that is still current.
            InvalidInput: The text is empty or holds a secret.
        """
        content = _checked(content)
        at = at or now()
        vector = (await self.embed([content]))[content]
        async with self.writing("user") as (ledger, held):
            old = self._current(held, memory_id)
            new = replace(
                old,
                id=new_id(),
                content=content,
                value=_corrected_value(old, content, value),
                source="manual",
                status="active",
                importance=max(old.importance, 4),
                topics=self.engines.topics_of(vector),
                created_at=at,
                updated_at=at,
                confirmed_at=at,
                valid_from=at,
                supersedes=old.id,
                evidence=(Evidence(content, at=at.isoformat(timespec="seconds")),),
            )
            retired = replace(old, status="superseded", valid_to=at)
            await ledger.change(old, retired, "SUPERSEDE", at, f"corrected to {new.id}")
            await ledger.insert(new, vector, "SUPERSEDE", f"corrects {old.id}")
        return Learned("SUPERSEDE", new.id, content, content, "active", (old.id,))

    async def confirm(self, memory_id: str, at: datetime | None = None) -> Learned:
        """Say yes to a pending memory; an active one is confirmed anew.

        Raises:
            UnknownMemory: This user has none with that id that is still current.
        """
        at = at or now()
        async with self.writing("user") as (ledger, held):
            old = self._current(held, memory_id)
            new = touched(old, at, status="active", confirmed_at=at)
            await ledger.change(old, new, "REINFORCE", at, "confirmed")
            replaced = held.records.get(old.supersedes or "")
            if replaced is not None and old.status == "pending":
                gone = replace(replaced, status="superseded", valid_to=at)
                await ledger.change(replaced, gone, "SUPERSEDE", at, f"superseded by {new.id}")
        return Learned("REINFORCE", new.id, new.content, "", "active")

    async def reject(self, memory_id: str, at: datetime | None = None) -> Learned:
        """Say no to a memory: it is withdrawn.

        Raises:
            UnknownMemory: This user has none with that id that is still current.
        """
        return await self._withdraw(memory_id, at, "rejected")

    async def forget(self, memory_id: str, at: datetime | None = None) -> Learned:
        """Withdraw a memory: never recalled again, kept in the history.

        Raises:
            UnknownMemory: This user has none with that id that is still current.
        """
        return await self._withdraw(memory_id, at, "forgotten")

    async def _withdraw(self, memory_id: str, at: datetime | None, reason: str) -> Learned:
        at = at or now()
        async with self.writing("user") as (ledger, held):
            old = self._current(held, memory_id)
            await ledger.change(old, replace(old, status="retracted", valid_to=at), "RETRACT", at, reason)
        return Learned("RETRACT", old.id, old.content, "", "retracted")

    def _current(self, held: Held, memory_id: str) -> MemoryRecord:
        if memory_id not in held.records:
            raise UnknownMemory(f"There is no current memory '{memory_id[:64]}'; `zhiji memory list` shows them.")
        return held.records[memory_id]

    async def erase(self) -> int:
        """Remove everything of this user: memories, history, queue, profile; returns how many rows.

        The database then frees and overwrites what they took up, so that the text is not left on disk either.

        Raises:
            ZhijiError: That could not be done now; the rows are gone, and the message says what to do.
        """
        removed = 0
        async with self.transaction() as connection:
            for table in OF_A_USER:
                done = await connection.execute(delete(table).where(table.c.tenant == self.tenant))
                removed += done.rowcount
            self.engines.snapshots.drop(self.tenant)
        if left := await self.engines.database.compact(OF_A_USER):
            raise ZhijiError(f"Everything is erased, but {left}")
        return removed

    async def remember_verbatim(self, messages: Sequence[VerbatimMessage]) -> None:
        """Keep each message word for word as one memory: no extraction, no reconciling; ids that exist are left alone."""
        records = [_verbatim(message) for message in messages]
        vectors = await self.embed([searchable(record) for record in records])
        async with self.writing("import") as (ledger, _):
            wanted = [record.id for record in records]
            known = select(memories.c.id).where(memories.c.tenant == self.tenant, memories.c.id.in_(wanted))
            present = set((await ledger.connection.execute(known)).scalars())
            revision = await ledger.revision()
            rows = [
                to_row(
                    _with_topics(record, vectors, self.engines.topics_of),
                    self.tenant,
                    vectors[searchable(record)],
                    ledger.model_id,
                )
                | {"revision": revision}
                for record in records
                if record.id not in present
            ]
            if rows:
                await ledger.connection.execute(insert(memories), rows)


def _with_topics(
    record: MemoryRecord, vectors: dict[str, Vector], topics_of: Callable[[Vector], tuple[str, ...]]
) -> MemoryRecord:
    return replace(record, topics=topics_of(vectors[searchable(record)]))


def _verbatim(message: VerbatimMessage) -> MemoryRecord:
    return MemoryRecord(
        id=message.id,
        type="event",
        key="",
        value="",
        content=clean(message.text),
        subject=message.speaker or "user",
        created_at=message.at,
        updated_at=message.at,
        valid_from=message.at,
        evidence=(Evidence(message.text, at=message.at.isoformat(timespec="seconds")),),
    )


def _checked(content: str) -> str:
    content = clean(content).strip()
    if not content:
        raise InvalidInput("The memory is empty; write one sentence.")
    secret = find_secret(content)
    if secret is not None:
        raise InvalidInput(f"The text holds a secret ({secret}); secrets are never stored.")
    return content


def _corrected_value(old: MemoryRecord, content: str, value: str | None) -> str:
    """The value of a corrected memory: the one given, else the old one where the sentence still holds it."""
    if value is not None:
        return value
    return old.value if old.value and old.value in content else ""
