"""What the relational store knows of one knowledge base: which releases exist, and what is valid in each."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, Table, and_, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.core.errors import StoreLocked, UnknownRelease
from zhiji.core.time import iso, now
from zhiji.stores.knowledge.frequencies import Frequencies
from zhiji.stores.knowledge.records import Base, Release, StoredChunk, StoredDocument
from zhiji.stores.knowledge.tables import bases, chunks, documents, releases
from zhiji.stores.sql import Database
from zhiji.stores.vectors.base import OPEN, batches

_FEW = 500  # values in one IN (...): SQLite takes 32,766, a plan is made for each length


class Ledger:
    """The ledger of one base. The vector index holds what it says, and is never asked what is valid."""

    def __init__(self, database: Database, base: str) -> None:
        self._db = database
        self.name = base

    async def base(self) -> Base | None:
        """The base as it now stands, or None if nothing was ever ingested."""
        async with self._db.read() as connection:
            row = (await connection.execute(select(bases).where(bases.c.name == self.name))).mappings().first()
        return Base(**row) if row else None

    async def save_base(self, base: Base) -> None:
        """Write what the base is built with."""
        async with self._db.write(self.name) as connection:
            await connection.execute(delete(bases).where(bases.c.name == base.name))
            await connection.execute(insert(bases).values(**asdict(base)))

    async def releases(self) -> list[Release]:
        """The releases that are kept, ascending."""
        base = await self.base()
        columns = [column for column in releases.c if column.name not in ("base", "number", "frequencies")]
        query = select(releases.c.number.label("release"), *columns).where(releases.c.base == self.name)
        async with self._db.read() as connection:
            rows = (await connection.execute(query.order_by(releases.c.number))).mappings().all()
        current = base.current if base else 0
        return [Release(**row, current=row["release"] == current) for row in rows]

    async def frequencies(self, release: int) -> Frequencies:
        """The term frequencies of a release.

        Raises:
            UnknownRelease: The base has no such release.
        """
        if release == 0:
            return Frequencies.empty()
        query = select(releases.c.frequencies).where(releases.c.base == self.name, releases.c.number == release)
        async with self._db.read() as connection:
            packed = (await connection.execute(query)).scalar_one_or_none()
        if packed is None:
            raise unknown_release(self.name, release)
        return await asyncio.to_thread(Frequencies.unpack, packed)

    async def documents(self, release: int, sources: Iterable[str] | None = None) -> list[StoredDocument]:
        """The documents of a release, by source; only those of some sources where given."""
        valid = _valid(documents, self.name, release)
        columns = [column for column in documents.c if column.name != "base"]
        query = select(*columns).where(valid).order_by(documents.c.source, documents.c.root)
        async with self._db.read() as connection:
            rows = await _by(connection, query, documents.c.source, sources)
        return [StoredDocument(**row) for row in rows]

    async def layouts(self, release: int, sources: Iterable[str]) -> list[tuple[str, bytes]]:
        """Source and layout of the documents of a release that have some sources: all that a search needs of them."""
        query = select(documents.c.source, documents.c.layout).where(_valid(documents, self.name, release))
        async with self._db.read() as connection:
            rows = await _by(connection, query, documents.c.source, sources)
        return [(row["source"], row["layout"]) for row in rows]

    async def chunks(self, release: int, keys: Iterable[str] | None = None) -> list[StoredChunk]:
        """The chunks of a release; only those with some keys where given."""
        query = _chunk_query().where(_valid(chunks, self.name, release))
        async with self._db.read() as connection:
            rows = await _by(connection, query, chunks.c.key, keys)
        return [StoredChunk(**row) for row in rows]

    async def all_chunks(self) -> list[StoredChunk]:
        """The chunks of every kept release."""
        async with self._db.read() as connection:
            rows = (await connection.execute(_chunk_query().where(chunks.c.base == self.name))).mappings().all()
        return [StoredChunk(**row) for row in rows]

    async def point_to(self, release: int) -> None:
        """Make a release the one that readers see.

        Raises:
            UnknownRelease: The base has no such release.
        """
        known = select(releases.c.number).where(releases.c.base == self.name, releases.c.number == release)
        async with self._db.write(self.name) as connection:
            if (await connection.execute(known)).first() is None:
                raise unknown_release(self.name, release)
            await connection.execute(update(bases).where(bases.c.name == self.name).values(current=release))

    async def publish(self, change: "Publication") -> None:
        """Write a release and move the pointer to it, in one transaction.

        Raises:
            StoreLocked: Another process published in between; nothing was written.
        """
        row = await asyncio.to_thread(change.row)
        async with self._db.write(self.name) as connection:
            query = select(bases.c.newest).where(bases.c.name == self.name)
            if (await connection.execute(query)).scalar_one() != change.release - 1:
                raise StoreLocked(f"Another ingest into '{self.name}' finished first. Run the command again.")
            await self._close(connection, chunks, change.closed_chunks, change.release)
            await self._close(connection, documents, change.closed_documents, change.release)
            await _insert(connection, chunks, [{"base": self.name, **asdict(chunk)} for chunk in change.chunks])
            await _insert(connection, documents, [{"base": self.name, **row} for row in change.documents])
            await connection.execute(insert(releases).values(base=self.name, created_at=iso(now()), **row))
            pointer = update(bases).where(bases.c.name == self.name)
            await connection.execute(pointer.values(current=change.release, newest=change.release))

    async def _close(self, connection: AsyncConnection, table: Table, ids: Sequence[Any], release: int) -> None:
        if ids:
            closing = update(table).where(table.c.id == bindparam("closed")).values(to_release=release)
            await connection.execute(closing, [{"closed": one} for one in ids])

    async def forget(self, numbers: Sequence[int], chunk_ids: Sequence[str], document_ids: Sequence[int]) -> None:
        """Drop releases and what was valid in no other."""
        async with self._db.write(self.name) as connection:
            await connection.execute(
                delete(releases).where(releases.c.base == self.name, releases.c.number.in_(numbers))
            )
            for batch in batches(chunk_ids, _FEW):
                await connection.execute(delete(chunks).where(chunks.c.id.in_(batch)))
            for start in range(0, len(document_ids), _FEW):
                some = document_ids[start : start + _FEW]
                await connection.execute(delete(documents).where(documents.c.id.in_(some)))

    async def all_documents(self) -> list[tuple[int, int, int]]:
        """Id, from and to of every kept version of every document."""
        query = select(documents.c.id, documents.c.from_release, documents.c.to_release)
        async with self._db.read() as connection:
            rows = await connection.execute(query.where(documents.c.base == self.name))
        return [(row[0], row[1], row[2]) for row in rows]

    async def rebuilt(self, base: Base, frequencies: Mapping[int, Frequencies]) -> None:
        """Switch to an index that was built beside, with its own term frequencies, in one transaction."""
        async with self._db.write(self.name) as connection:
            for number, table in frequencies.items():
                row = update(releases).where(releases.c.base == self.name, releases.c.number == number)
                await connection.execute(row.values(frequencies=table.pack()))
            built = {"model": base.model, "dim": base.dim, "terms_version": base.terms_version}
            row = update(bases).where(bases.c.name == self.name)
            await connection.execute(row.values(generation=base.generation, **built))


class Publication:
    """All that one release changes in the ledger."""

    def __init__(self, release: int, frequencies: Frequencies) -> None:
        self.release = release
        self.frequencies = frequencies
        self.counts: dict[str, int] = {}
        self.chunks: list[StoredChunk] = []
        self.closed_chunks: list[str] = []
        self.documents: list[dict[str, Any]] = []
        self.closed_documents: list[int] = []

    def row(self) -> dict[str, Any]:
        """The release's own row."""
        return {"number": self.release, "frequencies": self.frequencies.pack(), **self.counts}

    def add_document(self, values: Mapping[str, Any]) -> None:
        """Add a version of a document that begins with this release."""
        self.documents.append({**values, "from_release": self.release, "to_release": OPEN})


def unknown_release(base: str, release: int) -> UnknownRelease:
    """The error for a release number that a base does not have."""
    return UnknownRelease(
        f"The knowledge base '{base}' has no release {release}; see `zhiji kb releases --base {base}`."
    )


def _chunk_query() -> Select[Any]:
    return select(*[column for column in chunks.c if column.name != "base"])


def _valid(table: Table, base: str, release: int) -> Any:
    return and_(table.c.base == base, table.c.from_release <= release, table.c.to_release > release)


async def _by(connection: AsyncConnection, query: Select[Any], column: Any, values: Iterable[str] | None) -> list[Any]:
    if values is None:
        return list((await connection.execute(query)).mappings().all())
    rows: list[Any] = []
    for batch in batches(values, _FEW):
        rows += (await connection.execute(query.where(column.in_(batch)))).mappings().all()
    return rows


async def _insert(connection: AsyncConnection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        await connection.execute(insert(table), list(rows))
