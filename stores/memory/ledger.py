"""Writing one person's memories inside a transaction: rows, history, profile and revision change together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.core.time import now
from zhiji.models.embed import Vector
from zhiji.stores.memory.projection import project
from zhiji.stores.memory.records import MemoryRecord, Operation
from zhiji.stores.memory.rows import changed, to_json, to_row
from zhiji.stores.memory.tables import history, memories, processed, queue, users
from zhiji.stores.sql import upsert


@dataclass(slots=True)
class Ledger:
    """One write transaction of one person; nothing in it can name another person's rows."""

    connection: AsyncConnection
    tenant: str
    user_id: str
    model_id: str
    actor: str
    _revision: int = 0

    async def begin(self) -> None:
        """Enter the person on first use."""
        await enter(self.connection, self.tenant, self.user_id)

    async def revision(self) -> int:
        """The revision of what this transaction changes, counted up with the first change.

        A transaction that changes no memory leaves it, so that nobody reads the person's memories again for nothing.
        """
        if not self._revision:
            held = select(users.c.revision).where(users.c.tenant == self.tenant)
            self._revision = int((await self.connection.execute(held)).scalar_one()) + 1
            await self.connection.execute(
                update(users).where(users.c.tenant == self.tenant).values(revision=self._revision)
            )
        return self._revision

    async def insert(self, record: MemoryRecord, vector: Vector, operation: str, reason: str = "") -> None:
        """Keep a new memory."""
        row = to_row(record, self.tenant, vector, self.model_id) | {"revision": await self.revision()}
        await self.connection.execute(insert(memories).values(row))
        await self._note(record.id, operation, record.created_at or now(), reason, None, to_json(record))
        await project(self.connection, self.tenant, None, record)

    async def change(
        self,
        before: MemoryRecord,
        after: MemoryRecord,
        operation: Operation,
        at: datetime,
        reason: str,
        vector: Vector | None = None,
    ) -> None:
        """Change a memory; its earlier state goes into the history."""
        row: dict[str, Any] = (
            to_row(after, self.tenant, vector, self.model_id) if vector is not None else _plain_row(after)
        )
        if vector is None:
            row.pop("embedding", None)
        row |= {"revision": await self.revision()}
        await self.connection.execute(
            update(memories).where(memories.c.tenant == self.tenant, memories.c.id == before.id).values(row)
        )
        old, new = changed(before, after)
        old, new = {"content": before.content, **old}, {"content": after.content, **new}
        await self._note(before.id, operation, at, reason, old, new)
        await project(self.connection, self.tenant, before, after)

    async def seen(self, thread: str, message_id: str) -> bool:
        """Whether a message was learned from before."""
        statement = select(processed.c.at).where(
            processed.c.tenant == self.tenant, processed.c.thread == thread, processed.c.message_id == message_id
        )
        return (await self.connection.execute(statement)).first() is not None

    async def mark_seen(self, thread: str, message_ids: Sequence[str], at: datetime) -> None:
        """Note that messages were learned from, and take them off the queue."""
        for message_id in message_ids:
            row = {"tenant": self.tenant, "thread": thread, "message_id": message_id, "at": at}
            await self.connection.execute(upsert(self.connection, processed).values(row).on_conflict_do_nothing())
            await self.connection.execute(
                delete(queue).where(
                    queue.c.tenant == self.tenant, queue.c.thread == thread, queue.c.message_id == message_id
                )
            )

    async def _note(
        self,
        memory_id: str,
        operation: str,
        at: datetime,
        reason: str,
        before: dict[str, Any] | None,
        after: dict[str, Any] | None,
    ) -> None:
        row = {"tenant": self.tenant, "memory_id": memory_id, "operation": operation, "actor": self.actor, "at": at}
        await self.connection.execute(
            insert(history).values(row | {"reason": reason, "before": before, "after": after})
        )


async def enter(connection: AsyncConnection, tenant: str, user_id: str) -> None:
    """Note a person on first use."""
    first = {"tenant": tenant, "user_id": user_id, "revision": 0, "created_at": now()}
    await connection.execute(upsert(connection, users).values(first).on_conflict_do_nothing())


def _plain_row(record: MemoryRecord) -> dict[str, Any]:
    import numpy as np

    row = to_row(record, "", np.zeros(0, dtype=np.float32), "")
    for name in ("tenant", "embedding", "model_id"):
        row.pop(name)
    return row


def touched(record: MemoryRecord, at: datetime, **changes: Any) -> MemoryRecord:
    """The record with changes, said again at a moment; a message dated earlier does not make it older."""
    latest = max(at, record.updated_at) if record.updated_at else at
    return replace(record, updated_at=latest, **changes)
