"""What every part of a person's memory stands on: the tenant, the database, one writer at a time."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakKeyDictionary

from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.core.ids import tenant_of
from zhiji.core.settings import Settings
from zhiji.models.embed import Embedder, Matrix, Vector
from zhiji.models.similarity import Calibration
from zhiji.models.space import Space
from zhiji.stores.memory.held import Held
from zhiji.stores.memory.ledger import Ledger
from zhiji.stores.memory.snapshot import Snapshot, Snapshots
from zhiji.stores.sql import Database

_Locks = dict[str, asyncio.Lock]


class Writers:
    """One lock for each person and event loop, so that a person's writes queue up without blocking a thread.

    Writers of other loops and processes are kept apart by the database's own write lock. Waiting here costs no
    connection, so that one busy person does not use up the pool.
    """

    def __init__(self) -> None:
        self._held: WeakKeyDictionary[asyncio.AbstractEventLoop, _Locks] = WeakKeyDictionary()
        self._guard = Lock()

    def of(self, tenant: str) -> asyncio.Lock:
        """The running loop's lock for a person."""
        with self._guard:
            locks = self._held.setdefault(asyncio.get_running_loop(), {})
            return locks.setdefault(tenant, asyncio.Lock())


@dataclass(frozen=True)
class Engines:
    """What the store opened once and every handle shares."""

    database: Database
    embedder: Embedder
    settings: Settings
    calibration: Calibration
    space: Space
    snapshots: Snapshots
    writers: Writers = field(default_factory=Writers)

    def topics_of(self, vector: Vector) -> tuple[str, ...]:
        """The topics of one text."""
        return self.space.topics.of_vector(vector)


@dataclass(frozen=True)
class Handle:
    """One person's memory; the tenant is in the handle, so no query can be made without it."""

    user_id: str
    engines: Engines

    @property
    def tenant(self) -> str:
        """The key of this person's rows."""
        return tenant_of(self.user_id)

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection that reads this person's rows."""
        return self.engines.database.read(self.tenant)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A write transaction of this person, one at a time: in this process by a lock, beyond it by the database's."""
        async with self.engines.writers.of(self.tenant), self.engines.database.write(self.tenant) as connection:
            yield connection

    async def snapshot(self) -> Snapshot:
        """The person's current memories, read again only where they changed."""
        async with self.reading() as connection:
            return await self.engines.snapshots.of(connection, self.tenant)

    @asynccontextmanager
    async def writing(self, actor: str) -> AsyncIterator[tuple[Ledger, Held]]:
        """A write transaction of this person, with the current memories as it sees them."""
        async with self.transaction() as connection:
            snapshot = await self.engines.snapshots.of(connection, self.tenant)
            ledger = Ledger(connection, self.tenant, self.user_id, self.engines.embedder.model_id, actor)
            await ledger.begin()
            yield ledger, Held(snapshot)

    async def embed(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of texts, computed off the event loop and outside any transaction."""
        wanted = list(dict.fromkeys(texts))
        if not wanted:
            return {}
        matrix: Matrix = await asyncio.to_thread(self.engines.embedder.passages, wanted)
        return dict(zip(wanted, matrix, strict=True))

    def vector_in(self, known: dict[str, Vector]) -> Callable[[str], Vector]:
        """Vectors by text; one that a transaction needs unexpectedly (a merged sentence) is computed there."""

        def vector_of(text: str) -> Vector:
            if text not in known:
                known[text] = self.engines.embedder.passages([text])[0]
            return known[text]

        return vector_of
