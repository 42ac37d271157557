"""Working memory: each thread's latest checkpoint, kept for its time to live."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from zhiji.core.errors import StoreCorrupted, ZhijiError
from zhiji.core.ids import tenant_of
from zhiji.stores.sqlite import BUSY_TIMEOUT_S, still_held

_TOUCHED = "CREATE TABLE IF NOT EXISTS touched (thread_id TEXT PRIMARY KEY, at REAL NOT NULL)"


def thread_key(user_id: str, thread: str) -> str:
    """The checkpoint key of a user's thread: two users' threads of the same name never meet."""
    return f"{tenant_of(user_id)}:{thread}"


class WorkingMemory(AsyncSqliteSaver):
    """A SQLite checkpointer that prunes: one checkpoint a thread, gone when its time to live has passed.

    The time to live counts from the thread's last message by the wall clock, so a pause of its length ends a
    conversation and every message renews it.
    """

    def __init__(self, connection: aiosqlite.Connection, ttl_s: float) -> None:
        super().__init__(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self._ttl_s = ttl_s

    async def setup(self) -> None:
        """Create the tables once, with deleted words overwritten on disk."""
        if self.is_setup:
            return
        await super().setup()
        pragmas = ("secure_delete=ON", f"busy_timeout={BUSY_TIMEOUT_S * 1000}")
        for statement in (*(f"PRAGMA {pragma}" for pragma in pragmas), _TOUCHED):
            await self.conn.execute(statement)
        await self.conn.commit()

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep the checkpoint, drop the thread's older ones, and renew its time to live.

        The time comes first: a crash in between must not leave a thread that is never swept out.
        """
        await self._touch(str(config["configurable"]["thread_id"]))
        saved = await super().aput(config, checkpoint, metadata, new_versions)
        where = saved["configurable"]
        key = (where["thread_id"], where["checkpoint_ns"], where["checkpoint_id"])
        async with self.lock:
            for table in ("checkpoints", "writes"):
                await self.conn.execute(
                    f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id < ?", key
                )
            await self.conn.commit()
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a step that did not end has written, for the thread's time to live."""
        await self._touch(str(config["configurable"]["thread_id"]))
        await super().aput_writes(config, writes, task_id, task_path)

    async def _touch(self, thread: str) -> None:
        async with self.lock:
            await self.conn.execute("INSERT OR REPLACE INTO touched VALUES (?, ?)", (thread, time.time()))
            await self.conn.commit()

    async def sweep(self) -> list[str]:
        """Delete every thread whose time to live has passed; their keys."""
        return await self._delete_where("at < ?", (time.time() - self._ttl_s,))

    async def erase(self, user_id: str) -> int:
        """Delete all threads of a user, and their words from the file; returns how many there were.

        Raises:
            ZhijiError: Another process reads the log all the time, so the words are still in it.
        """
        gone = await self._delete_where("thread_id LIKE ? || ':%'", (tenant_of(user_id),))
        if not await self._checkpoint():
            raise ZhijiError(f"Everything is erased, but {still_held('threads.db')}")
        return len(gone)

    async def _checkpoint(self) -> bool:
        async with self.lock:
            cursor = await self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            row = await cursor.fetchone()
            return row is not None and not row[0]

    async def _delete_where(self, condition: str, values: Sequence[Any]) -> list[str]:
        await self.setup()
        cursor = await self.conn.execute(f"SELECT thread_id FROM touched WHERE {condition}", values)
        gone = [str(row[0]) for row in await cursor.fetchall()]
        for thread in gone:
            await self.adelete_thread(thread)
        async with self.lock:
            await self.conn.executemany("DELETE FROM touched WHERE thread_id = ?", [(thread,) for thread in gone])
            await self.conn.commit()
        return gone


@asynccontextmanager
async def open_working_memory(home: Path, ttl_s: float) -> AsyncIterator[WorkingMemory]:
    """Open the checkpointer of a home folder, with what has expired swept out.

    Raises:
        StoreCorrupted: The file is no database, or damaged. It is left as it is.
    """
    home.mkdir(parents=True, exist_ok=True)
    path = home / "threads.db"
    async with aiosqlite.connect(path) as connection:
        memory = WorkingMemory(connection, ttl_s)
        try:
            await connection.execute("PRAGMA synchronous=NORMAL")  # a crash of the machine may cost the last turn
            await memory.sweep()
        except aiosqlite.OperationalError as failed:
            raise ZhijiError(
                f"Cannot write {path} ({failed}). Check the folder's rights and the free space."
            ) from failed
        except aiosqlite.DatabaseError as damaged:
            raise StoreCorrupted(
                f"{path} is no readable database ({damaged}). It holds only running conversations: move it away."
            ) from damaged
        yield memory
