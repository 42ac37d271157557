"""The relational store as one SQLite file: WAL, a busy timeout, and writers that never deadlock."""

import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, text
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from zhiji.core.errors import StoreCorrupted, ZhijiError
from zhiji.stores.migrations import Branch, upgrade
from zhiji.stores.sqlite_driver import open_connection

BUSY_TIMEOUT_S = 30
_migrating = threading.Lock()


class SqliteFile:
    """A database in a file of its own; a write transaction begins with BEGIN IMMEDIATE, so that two writers queue."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)

    def prepare(self, branch: Branch) -> None:
        """Create the file, or bring it to the newest migration.

        Raises:
            StoreCorrupted: The file is no database, or damaged. It is left as it is.
            ZhijiError: The folder cannot be written, or the disk is full.
        """
        try:
            self._migrate(branch)
        except (OperationalError, OSError) as failed:
            raise ZhijiError(
                f"Cannot open {self.path}: {_cause(failed)}. Check the folder's rights and the free space."
            ) from failed
        except DatabaseError as damaged:
            raise StoreCorrupted(
                f"{self.path} is no readable database ({_cause(damaged)}). "
                "It is untouched: move it away or restore a backup."
            ) from damaged

    def _migrate(self, branch: Branch) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(f"sqlite:///{self.path}")
        configure(engine)
        try:
            with _migrating, engine.connect() as connection:
                upgrade(connection.execution_options(zhiji_write=True), branch)
        finally:
            engine.dispose()

    def engine(self) -> AsyncEngine:
        """The pool of connections."""
        engine = create_async_engine(
            f"sqlite+aiosqlite:///{self.path}",
            async_creator=partial(open_connection, self.path),
            pool_size=8,
            max_overflow=8,
        )
        configure(engine.sync_engine)
        return engine

    def reading(self, engine: AsyncEngine) -> AsyncEngine:
        """The engine for reads; any transaction sees one consistent state."""
        return engine

    async def begin(self, connection: AsyncConnection, owner: str, *, write: bool) -> None:
        """The begin event takes the lock of the whole file; there is nothing to do for one person."""

    def failure(self, error: DBAPIError) -> ZhijiError | None:
        """A file does not go away while it is open: what fails is named by the command line."""
        return None

    async def check(self, engine: AsyncEngine) -> str:
        """SQLite's own verdict on the file: "ok", or what is wrong with it."""
        async with engine.connect() as connection:
            return str((await connection.execute(text("PRAGMA quick_check"))).scalar_one())

    async def compact(self, engine: AsyncEngine, tables: Sequence[Table]) -> str:
        """Empty the write-ahead log; deleted pages were overwritten when they were freed."""
        async with engine.connect() as connection:
            raw = await connection.get_raw_connection()  # below SQLAlchemy, which would open a transaction first
            cursor = await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
            busy, *_ = await cursor.fetchone()
            await cursor.close()
        return still_held(self.path.name) if busy else ""


def still_held(file: str) -> str:
    """What to do when a write-ahead log could not be emptied within the busy timeout."""
    return (
        f"another process reads {file}, so that its log still holds the words. "
        "Stop that process and run the command again."
    )


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


def _cause(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
