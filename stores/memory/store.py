"""The store of all users' memories: opening it, and handing out one user's handle."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import func, select

from zhiji.core.errors import EmbedderChanged
from zhiji.core.ids import tenant_of
from zhiji.core.schema_file import use_schema
from zhiji.core.settings import Settings
from zhiji.models.embed import Embedder, Vector
from zhiji.models.similarity import load_calibration
from zhiji.models.space import Space
from zhiji.stores.memory.handle import Engines
from zhiji.stores.memory.people import MOST, Person, find_people
from zhiji.stores.memory.reindex import other_models
from zhiji.stores.memory.snapshot import Snapshots
from zhiji.stores.memory.tables import memories, queue, users
from zhiji.stores.memory.user import UserMemory
from zhiji.stores.sql import EVERYONE, Database

CALIBRATIONS = "calibration"
"""Folder below the home where `zhiji calibrate` puts what it fits."""


class MemoryStore:
    """All users' memories in one database; a user's rows are reached only through that user's handle."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    @classmethod
    async def open(cls, home: Path, embedder: Embedder, settings: Settings) -> "MemoryStore":
        """Open the store below a home folder, creating it on first use.

        Raises:
            Misuse: The profile schema cannot be used.
            NotCalibrated: The embedding model has no calibration.
            EmbedderChanged: Memories were embedded with another model.
            StoreCorrupted: The file is no readable database.
        """
        use_schema(settings.profile_schema)
        calibration = load_calibration(embedder.model_id, home / CALIBRATIONS)
        database = await Database.open(home, "memory", settings)
        built = await other_models(database, embedder.model_id)
        if built:
            await database.close()
            raise EmbedderChanged(
                f"The memories were embedded with {built[0]}, but settings name {embedder.model_id}. "
                "Run `zhiji reindex`, or set ZHIJI_EMBEDDING back."
            )
        space = await asyncio.to_thread(Space.of, embedder)
        return cls(Engines(database, embedder, settings, calibration, space, Snapshots(space)))

    def of(self, user_id: str) -> UserMemory:
        """The memory of one user.

        Raises:
            InvalidInput: The id is empty, too long, or holds control characters.
        """
        tenant_of(user_id)
        return UserMemory(user_id, self._engines)

    def topics_of(self, vector: Vector) -> tuple[str, ...]:
        """The topics of a text, nearest first, as recall compares them."""
        return self._engines.topics_of(vector)

    async def counts(self) -> dict[str, int]:
        """How many users, memories and waiting messages the store holds; no text."""
        async with self._engines.database.read(EVERYONE) as connection:
            return {
                table.name: int((await connection.execute(select(func.count()).select_from(table))).scalar_one())
                for table in (users, memories, queue)
            }

    async def failures(self) -> tuple[int, str]:
        """How many waiting messages could not be learned from so far, and why the last of them could not; no text."""
        failed = select(queue.c.last_error).where(queue.c.attempts > 0).order_by(queue.c.tried_at)
        async with self._engines.database.read(EVERYONE) as connection:
            reasons = (await connection.execute(failed)).scalars().all()
        return len(reasons), reasons[-1] if reasons else ""

    async def check(self) -> str:
        """The database's own verdict: "ok", or what is wrong with it."""
        return await self._engines.database.check()

    @property
    def place(self) -> str:
        """Where the memories lie; no password."""
        return self._engines.database.name

    async def find_people(
        self, wanted: Mapping[str, Sequence[str]], *, limit: int = MOST, after: str = ""
    ) -> list[Person]:
        """The people whose profile has all the wanted values: an exact look-up, for whoever runs the service.

        `{"job.title": ["adviser"], "crops": ["litchi"]}`; `after` is the last user id of the page before.

        Raises:
            Misuse: Nothing is asked for, or a field that people cannot be found by.
        """
        async with self._engines.database.read(EVERYONE) as connection:
            return await find_people(connection, wanted, limit=limit, after=after)

    async def waiting(self) -> list[str]:
        """The users of whom messages wait to be learned from."""
        statement = (
            select(users.c.user_id)
            .where(users.c.tenant.in_(select(queue.c.tenant).distinct()))
            .order_by(users.c.user_id)
        )
        async with self._engines.database.read(EVERYONE) as connection:
            return list((await connection.execute(statement)).scalars())

    async def close(self) -> None:
        """Close the database."""
        await self._engines.database.close()
