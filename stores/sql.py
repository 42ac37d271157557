"""The relational store: one SQLite file of a home folder, or one schema of a PostgreSQL server, used alike."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from zhiji.core.errors import Unreachable, ZhijiError
from zhiji.core.settings import Settings
from zhiji.stores.migrations import Branch
from zhiji.stores.postgres import EVERYONE, PostgresSchema
from zhiji.stores.sqlite import SqliteFile

__all__ = ["EVERYONE", "Backend", "Database", "backend_of", "upsert"]


class Backend(Protocol):
    """What differs between the engines."""

    name: str

    def prepare(self, branch: Branch) -> None:
        """Create it, or bring it to the newest migration; blocks the calling thread."""
        ...

    def engine(self) -> AsyncEngine:
        """The pool of connections."""
        ...

    def reading(self, engine: AsyncEngine) -> AsyncEngine:
        """The same pool for reads, each of which sees one consistent state."""
        ...

    async def begin(self, connection: AsyncConnection, owner: str, *, write: bool) -> None:
        """Make a transaction its owner's; a writer waits for the owner's other writers."""
        ...

    def failure(self, error: DBAPIError) -> ZhijiError | None:
        """What a failed statement means to a user; None for a fault of ours."""
        ...

    async def check(self, engine: AsyncEngine) -> str:
        """The engine's own verdict: "ok", or what is wrong."""
        ...

    async def compact(self, engine: AsyncEngine, tables: Sequence[Table]) -> str:
        """Leave nothing of deleted rows on disk; why that could not be done now, and what to do, or nothing."""
        ...


class Database:
    """One branch of tables ("memory" or "knowledge"), opened for async use.

    database = await Database.open(home, "memory", settings)
    async with database.read(tenant) as connection: ...
    async with database.write(tenant) as connection: ...
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._engine = backend.engine()
        self._reading = backend.reading(self._engine)
        self.name = backend.name

    @classmethod
    async def open(cls, home: Path, branch: Branch, settings: Settings) -> "Database":
        """Open what the settings name, creating it and bringing it to the newest migration.

        Raises:
            StoreCorrupted: The file is no database, or damaged. It is left as it is.
            Unreachable: The server does not answer, or refuses.
            ZhijiError: The folder cannot be written, or the disk is full.
        """
        backend = backend_of(home, branch, settings)
        await asyncio.to_thread(backend.prepare, branch)
        return cls(backend)

    @asynccontextmanager
    async def read(self, owner: str = "") -> AsyncIterator[AsyncConnection]:
        """A connection that sees one consistent state; readers never wait for a writer.

        Args:
            owner: Whose rows are read; `EVERYONE` for work on all of them, nothing for tables that belong to nobody.
        """
        with self._named():
            async with self._reading.connect() as connection:
                await self._backend.begin(connection, owner, write=False)
                yield connection

    @asynccontextmanager
    async def write(self, owner: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that no other writer of the owner's rows overlaps, in any process; all of it lands, or none."""
        with self._named():
            async with self._engine.connect() as connection:
                await connection.execution_options(zhiji_write=True)
                async with connection.begin():
                    await self._backend.begin(connection, owner, write=True)
                    yield connection

    async def compact(self, tables: Sequence[Table]) -> str:
        """Leave nothing of deleted rows on disk; why that could not be done now, and what to do, or nothing."""
        with self._named():
            return await self._backend.compact(self._engine, tables)

    async def check(self) -> str:
        """The engine's own verdict: "ok", or what is wrong."""
        return await self._backend.check(self._engine)

    async def close(self) -> None:
        """Close the pooled connections."""
        await self._engine.dispose()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Say in one line what a failure of the server means."""
        try:
            yield
        except DBAPIError as failed:
            named = self._backend.failure(failed)
            if named is None:
                raise
            raise named from failed
        except PoolExhausted as busy:
            raise Unreachable(f"{self.name}: every connection is in use; try again, or run fewer at once.") from busy


def backend_of(home: Path, branch: Branch, settings: Settings) -> Backend:
    """The engine the settings name for a branch: its own file, or its own schema."""
    url = settings.database_url.get_secret_value()
    if url:
        return PostgresSchema(url, f"{settings.namespace}_{branch}")
    return SqliteFile(home / f"{branch}.db")


def upsert(connection: AsyncConnection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT that can say what happens on a conflict, as the connection's engine spells it."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
