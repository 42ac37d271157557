"""Statements that cross to SQLite's thread once: nothing is lost, left open or held by it."""

import asyncio
import sqlite3
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import create_async_engine

from zhiji.stores.sqlite import configure
from zhiji.stores.sqlite_driver import Crossing, open_connection


@pytest.fixture
async def engine(tmp_path):
    path = tmp_path / "one.db"
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", async_creator=partial(open_connection, path))
    configure(engine.sync_engine)
    async with engine.connect() as connection:
        await connection.execution_options(zhiji_write=True)
        async with connection.begin():
            await connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY, word TEXT)"))
            await connection.execute(text("INSERT INTO t VALUES (:n, :w)"), [{"n": n, "w": "字"} for n in range(100)])
    yield engine
    await engine.dispose()


@pytest.fixture
def crossings(monkeypatch):
    """What is sent to the connections' threads, once they are open."""
    sent = []
    cross = Crossing._execute

    async def counted(self, fn, *args, **kwargs):
        sent.append(fn)
        return await cross(self, fn, *args, **kwargs)

    monkeypatch.setattr(Crossing, "_execute", counted)
    return sent


def outsider(engine):
    return sqlite3.connect(engine.url.database, timeout=0, isolation_level=None)


async def test_a_read_crosses_for_its_statement_and_its_end(engine, crossings):
    async with engine.connect() as connection:
        rows = (await connection.execute(text("SELECT n FROM t WHERE word = :w"), {"w": "字"})).scalars().all()
    assert rows == list(range(100))
    assert len(crossings) == 2


async def test_statements_of_a_read_see_one_state(engine):
    async with engine.connect() as connection:
        before = (await connection.execute(text("SELECT count(*) FROM t"))).scalar_one()
        outsider(engine).execute("INSERT INTO t VALUES (1000, '新')")
        assert (await connection.execute(text("SELECT count(*) FROM t"))).scalar_one() == before
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM t"))).scalar_one() == before + 1


async def test_a_writer_holds_the_lock_from_its_beginning(engine):
    async with engine.connect() as connection:
        await connection.execution_options(zhiji_write=True)
        async with connection.begin():
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                outsider(engine).execute("INSERT INTO t VALUES (1000, '新')")
    outsider(engine).execute("INSERT INTO t VALUES (1000, '新')")


async def test_a_statement_that_fails_undoes_its_transaction_and_frees_the_lock(engine):
    async with engine.connect() as connection:
        await connection.execution_options(zhiji_write=True)
        with pytest.raises(IntegrityError):
            async with connection.begin():
                await connection.execute(text("INSERT INTO t VALUES (1000, '新')"))
                await connection.execute(text("INSERT INTO t VALUES (1, '旧')"))
    assert outsider(engine).execute("SELECT count(*) FROM t WHERE n = 1000").fetchone() == (0,)
    outsider(engine).execute("INSERT INTO t VALUES (1000, '新')")


async def test_a_writer_that_is_cancelled_while_it_waits_leaves_no_lock_behind(engine):
    async def write():
        async with engine.connect() as connection:
            await connection.execution_options(zhiji_write=True)
            async with connection.begin():
                await connection.execute(text("INSERT INTO t VALUES (1000, '新')"))

    holder = outsider(engine)
    holder.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(write())
    await asyncio.sleep(0.1)
    waiting.cancel()
    holder.execute("COMMIT")
    with pytest.raises(asyncio.CancelledError):
        await waiting
    later = sqlite3.connect(engine.url.database, timeout=5, isolation_level=None, check_same_thread=False)
    await asyncio.to_thread(later.execute, "INSERT INTO t VALUES (1000, '新')")


async def test_rows_written_report_how_many_they_are(engine):
    async with engine.connect() as connection:
        await connection.execution_options(zhiji_write=True)
        async with connection.begin():
            done = await connection.execute(text("UPDATE t SET word = '改' WHERE n < 10"))
            assert done.rowcount == 10
            kept = await connection.execute(text("DELETE FROM t WHERE n < 5 RETURNING n"))
            assert kept.scalars().all() == [0, 1, 2, 3, 4]


async def test_a_statement_that_is_wrong_is_named(engine):
    async with engine.connect() as connection:
        with pytest.raises(OperationalError, match="no such table"):
            await connection.execute(text("SELECT * FROM nowhere"))
        assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1
