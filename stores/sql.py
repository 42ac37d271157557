"""Opening the relational store: one engine, its pragmas and its migrations."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from zhiji.core.errors import StoreCorrupted, ZhijiError

BUSY_TIMEOUT_S = 30
_MIGRATIONS = Path(__file__).parent / "migrations"
_migrating = threading.Lock()


class Database:
    """One SQLite file opened for async use: WAL, a busy timeout, and writers that never deadlock.

    A write transaction starts with BEGIN IMMEDIATE, so two writers queue instead of failing half-way.

        database = await Database.open(home / "memory.db", "memory")
        async with database.read() as connection: ...
        async with database.write() as connection: ...
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    async def open(cls, path: Path, branch: str) -> "Database":
        """Open the file, creating it and bringing it to the newest migration of `branch` ("memory", "knowledge").

        Raises:
            StoreCorrupted: The file is no database, or damaged. It is left as it is.
            ZhijiError: The folder cannot be written, or the disk is full.
        """
        try:
            await asyncio.to_thread(_prepare, path, branch)
        except (OperationalError, OSError) as failed:
            raise ZhijiError(
                f"Cannot open {path}: {_cause(failed)}. Check the folder's rights and the free space."
            ) from failed
        except DatabaseError as damaged:
            raise StoreCorrupted(
                f"{path} is no readable database ({_cause(damaged)}). It is untouched: move it away or restore a backup."
            ) from damaged
        return cls(_engine(path))

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one consistent state; readers never wait for a writer."""
        async with self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that holds the write lock from its first statement; all of it lands, or none."""
        async with self._engine.connect() as connection:
            await connection.execution_options(zhiji_write=True)
            async with connection.begin():
                yield connection

    async def checkpoint(self) -> bool:
        """Empty the write-ahead log, so that nothing deleted is left in it; False while another process reads."""
        async with self._engine.connect() as connection:
            raw = await connection.get_raw_connection()  # below SQLAlchemy, which would open a transaction first
            cursor = await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
            busy, *_ = await cursor.fetchone()
            await cursor.close()
            return not busy

    async def close(self) -> None:
        """Close the pooled connections."""
        await self._engine.dispose()


def _engine(path: Path) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", pool_size=8, max_overflow=8)
    configure(engine.sync_engine)
    return engine


def configure(engine: Engine) -> None:
    """Give an engine zhiji's pragmas and its explicit transactions.

    The driver's own implicit BEGIN is switched off, so that SQLAlchemy's begin event decides which kind it is.
    """

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_TIMEOUT_S * 1000}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("zhiji_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _prepare(path: Path, branch: str) -> None:
    from sqlalchemy import create_engine

    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}")
    configure(engine)
    try:
        with _migrating, engine.connect() as connection:
            migrate(connection.execution_options(zhiji_write=True), branch)
    finally:
        engine.dispose()


def migrate(connection: Connection, branch: str) -> None:
    """Bring an open connection's database to the newest migration of a branch."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS / branch).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def require_empty(emptied: bool, name: str) -> None:
    """Say it when a write-ahead log could not be emptied within the busy timeout.

    Raises:
        ZhijiError: Another process reads on, so that erased words are still in the log.
    """
    if not emptied:
        raise ZhijiError(
            f"Everything is erased, but another process reads {name}, so that its log still holds the words. "
            "Stop that process and run the command again."
        )


async def check(database: Database) -> str:
    """SQLite's own verdict on the file: "ok", or what is wrong with it."""
    async with database.read() as connection:
        return str((await connection.execute(text("PRAGMA quick_check"))).scalar_one())


def _cause(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
