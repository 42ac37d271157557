"""An aiosqlite connection whose statements each cross to its thread once.

SQLAlchemy's adapter opens a cursor, executes, fetches and closes in four messages to aiosqlite's thread, and begins a
transaction in three more. Each costs an event loop as much as the statement itself, and a turn has some fifteen.
"""

import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite

DEFERRED = "BEGIN"
"""Takes no lock and no snapshot until the first statement, so it may as well be sent with that."""


class Crossing(aiosqlite.Connection):
    """A connection for SQLAlchemy's adapter."""

    begin_first = False
    """Whether a deferred transaction waits for its first statement."""
    _touched = False
    """Whether anything was sent since the last end of a transaction; what was cancelled may still run."""

    def cursor(self) -> "Cursor":  # type: ignore[override]  # the adapter enters it, and aiosqlite's own would cross over
        """A cursor that does not exist in SQLite until it executes."""
        return Cursor(self)

    async def across(self, work: Any, *args: Any) -> Any:
        """What `work(sqlite3 connection, *args)` returns, run in the connection's thread."""
        begin, self.begin_first, self._touched = self.begin_first, False, True
        return await self._execute(_run, self._conn, begin, work, *args)  # type: ignore[no-untyped-call]  # aiosqlite's

    async def commit(self) -> None:
        """Commit what is open."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Undo what is open."""
        await self._end(super().rollback)

    async def _end(self, end: Callable[[], Awaitable[None]]) -> None:
        self.begin_first = False
        if self._touched:
            await end()
            self._touched = False


def _run(connection: sqlite3.Connection, begin: bool, work: Any, *args: Any) -> Any:
    if begin:
        connection.execute(DEFERRED)
    return work(connection, *args)


class Cursor:
    """A cursor that holds all rows of its last statement."""

    def __init__(self, connection: Crossing) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> "Cursor":
        return self

    async def execute(self, sql: str, parameters: Sequence[Any] = ()) -> "Cursor":
        """Run a statement and take its rows."""
        if sql == DEFERRED:
            self._connection.begin_first = True
            return self
        return await self._take(sqlite3.Cursor.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> "Cursor":
        """Run a statement for each of the parameters."""
        return await self._take(sqlite3.Cursor.executemany, sql, parameters)

    async def fetchall(self) -> list[Any]:
        """The rows of the last statement."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Nothing is open between statements."""

    async def _take(self, execute: Any, *args: Any) -> "Cursor":
        self._rows, self.description, self.rowcount, self.lastrowid = await self._connection.across(
            _all_of, execute, *args
        )
        return self


def _all_of(connection: sqlite3.Connection, execute: Any, *args: Any) -> tuple[list[Any], Any, int, int | None]:
    cursor = connection.cursor()
    try:
        execute(cursor, *args)
        rows = cursor.fetchall() if cursor.description else []
        return rows, cursor.description, cursor.rowcount, cursor.lastrowid
    finally:
        cursor.close()


async def open_connection(path: Path) -> Crossing:
    """A connection to a database file, its thread ended with the process."""
    connection = Crossing(partial(sqlite3.connect, path, check_same_thread=False), iter_chunk_size=64)
    connection._thread.daemon = True
    return await connection  # type: ignore[return-value]  # it returns itself
