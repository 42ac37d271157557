"""The relational store as one schema of a PostgreSQL database."""

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from zhiji.core.errors import Misuse, NotInstalled, Unreachable, ZhijiError
from zhiji.stores.migrations import Branch, upgrade

CONNECT_S = 5
POOL = {"pool_size": 8, "max_overflow": 8, "pool_timeout": CONNECT_S}
REWRITE_BELOW = 256 * 1024 * 1024
"""Bytes up to which erasing rewrites a table at once: a second or two during which its readers wait."""
LOCK_WAIT = "5s"
LEFT = (
    "the pages of {tables} in schema {schema} hold the bytes of deleted rows until they are rewritten: "
    "run VACUUM (FULL) on them at a quiet time."
)
EVERYONE = "*"
"""The owner of a transaction that may see every person's rows."""
_LOCK = text("SELECT pg_advisory_xact_lock(:key), set_config('zhiji.tenant', :owner, true)")
_FENCE = text("SELECT set_config('zhiji.tenant', :owner, true)")
_SIZE = text("SELECT pg_total_relation_size(to_regclass(:name))")


class PostgresSchema:
    """A schema of a server's database; one person's writers queue by an advisory lock, whatever process they are in.

    Row level security is the second fence: a transaction sees only the rows of the owner it was opened for, even where
    a query forgets to say whose rows it wants. (A superuser passes it; run zhiji as an ordinary role.)
    """

    def __init__(self, url: str, schema: str) -> None:
        self._url = parsed(url)
        self.schema = schema
        self.name = f"{place_of(self._url)}, schema {schema}"

    def prepare(self, branch: Branch) -> None:
        """Create the schema, or bring it to the newest migration; processes that start together take turns.

        Raises:
            Unreachable: The server does not answer, or refuses.
            ZhijiError: The database cannot hold the texts, or the role may not create the schema.
        """
        engine = create_engine(self._url, connect_args=self._connect())
        try:
            with engine.begin() as connection:
                self._create(connection)
                upgrade(connection, branch)
        except DBAPIError as failed:
            raise self.failure(failed) or self._unprepared(failed) from failed
        finally:
            engine.dispose()

    def _create(self, connection: Connection) -> None:
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise ZhijiError(f"The database at {self.name} is encoded in {encoding}; create one with ENCODING 'UTF8'.")
        connection.execute(_LOCK, {"key": lock_key(self.schema, "migrate"), "owner": EVERYONE})
        known = text("SELECT 1 FROM information_schema.schemata WHERE schema_name = :name")
        if connection.execute(known, {"name": self.schema}).first() is None:
            connection.execute(text(f'CREATE SCHEMA "{self.schema}"'))

    def engine(self) -> AsyncEngine:
        """The pool of connections; one that died while idle is replaced before it is used."""
        return create_async_engine(self._url, connect_args=self._connect(), pool_pre_ping=True, **POOL)

    def reading(self, engine: AsyncEngine) -> AsyncEngine:
        """The engine for reads: all statements of a transaction see the state of its first."""
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    async def begin(self, connection: AsyncConnection, owner: str, *, write: bool) -> None:
        """Make the transaction its owner's; a writer waits for the owner's other writers."""
        if write:
            await connection.execute(_LOCK, {"key": lock_key(self.schema, owner), "owner": owner})
        elif owner:
            await connection.execute(_FENCE, {"owner": owner})

    def failure(self, error: DBAPIError) -> ZhijiError | None:
        """What a failed statement means: a server that is gone or out of room, or None for a fault of ours."""
        code = getattr(error.orig, "sqlstate", None)
        lost = type(error.orig).__name__ in ("OperationalError", "InterfaceError") and code is None
        if lost or error.connection_invalidated or (code or "").startswith(("08", "28", "57P", "3D")):
            return Unreachable(f"PostgreSQL at {self.name}: {_cause(error)}. Start it, or correct ZHIJI_DATABASE_URL.")
        if (code or "").startswith("53"):
            return ZhijiError(f"PostgreSQL at {self.name} is out of room: {_cause(error)}.")
        return None

    def _unprepared(self, error: DBAPIError) -> ZhijiError:
        return ZhijiError(
            f"Cannot set up {self.name}: {_cause(error)}. The role must be allowed to create a schema in the database."
        )

    async def check(self, engine: AsyncEngine) -> str:
        """Whether the server answers: "ok", or what is wrong."""
        try:
            async with engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        except DBAPIError as failed:
            return _cause(failed)
        return "ok"

    async def compact(self, engine: AsyncEngine, tables: Sequence[Table]) -> str:
        """Leave nothing of deleted rows in the tables' files, unless one is too large to rewrite while others wait.

        A plain VACUUM frees the rows but leaves their bytes in the pages; only a rewritten table has none.
        """
        options = {"isolation_level": "AUTOCOMMIT"}
        async with engine.execution_options(**options).connect() as connection:
            await connection.execute(text(f"SET lock_timeout = '{LOCK_WAIT}'"))
            try:
                done = [await self._rewritten(connection, table) for table in tables]
            finally:
                await connection.execute(text("RESET lock_timeout"))
        left = [table.name for table, rewritten in zip(tables, done, strict=True) if not rewritten]
        return LEFT.format(schema=self.schema, tables=", ".join(left)) if left else ""

    async def _rewritten(self, connection: AsyncConnection, table: Table) -> bool:
        name = f'"{self.schema}"."{table.name}"'
        size = (await connection.execute(_SIZE, {"name": name})).scalar_one()
        if size < REWRITE_BELOW:
            try:
                await connection.execute(text(f"VACUUM (FULL) {name}"))
                return True
            except DBAPIError as busy:
                if getattr(busy.orig, "sqlstate", None) != "55P03":  # somebody reads it for long
                    raise
        await connection.execute(text(f"VACUUM {name}"))
        return False

    def _connect(self) -> dict[str, Any]:
        return {
            "connect_timeout": CONNECT_S,
            "tcp_user_timeout": CONNECT_S * 1000,
            "application_name": "zhiji",
            "options": f"-csearch_path={self.schema}",
        }


def parsed(url: str) -> URL:
    """The URL for the driver that is installed.

    Raises:
        Misuse: It is no URL of PostgreSQL.
        NotInstalled: The driver is missing.
    """
    try:
        named = make_url(url)
    except (ArgumentError, ValueError):
        raise Misuse("ZHIJI_DATABASE_URL is no URL; write postgresql://user:password@host:5432/database.") from None
    if named.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise Misuse(
            f"ZHIJI_DATABASE_URL names '{named.drivername}'; write postgresql://user:password@host:5432/database, "
            "or leave it empty for SQLite below ZHIJI_HOME."
        )
    try:
        import psycopg  # noqa: F401
    except ImportError as missing:
        raise NotInstalled('ZHIJI_DATABASE_URL needs `pip install "zhiji[postgres]"`.') from missing
    return named.set(drivername="postgresql+psycopg")


def place_of(url: URL) -> str:
    """Where a database is, as a message names it: no user, no password."""
    return f"{url.host or 'the local socket'}:{url.port or 5432}/{url.database or url.username or ''}"


def lock_key(schema: str, owner: str) -> int:
    """The advisory lock of one owner: 64 bits, signed, apart for every schema of the database."""
    digest = hashlib.sha256(f"{schema}\x1f{owner}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def _cause(error: BaseException) -> str:
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0].rstrip(".") if lines else "no answer"
