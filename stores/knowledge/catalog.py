"""The knowledge bases of a home folder as their tables know them: no vector index is opened."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import select

from zhiji.core.errors import InvalidInput
from zhiji.core.settings import Settings, load_settings
from zhiji.stores.knowledge.folders import DEFAULT_BASE, MAX_NAME, write_lock
from zhiji.stores.knowledge.ledger import Ledger, unknown_release
from zhiji.stores.knowledge.records import Difference, StoredDocument
from zhiji.stores.knowledge.tables import bases, releases
from zhiji.stores.sql import Database


class Catalog:
    """What can be asked and done while another process holds the vectors."""

    def __init__(self, database: Database, home: Path, settings: Settings) -> None:
        self._db = database
        self._home = home
        self._settings = settings

    @classmethod
    async def open(cls, home: Path, settings: Settings | None = None) -> "Catalog":
        """Open the tables.

        Raises:
            StoreCorrupted: The file is damaged; it is left as it is.
        """
        settings = settings or load_settings()
        return cls(await Database.open(home, "knowledge", settings), home, settings)

    async def bases(self) -> list[dict[str, Any]]:
        """Every base by name: its current release, how much that holds, and the embedding model it was built with.

        `note` says what is to be done about a base that has no release.
        """
        held = (bases.c.name == releases.c.base) & (bases.c.current == releases.c.number)
        query = select(bases, releases.c.files, releases.c.chunks).outerjoin(releases, held).order_by(bases.c.name)
        async with self._db.read() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [
            {
                "base": row["name"],
                "release": row["current"],
                "files": row["files"] or 0,
                "chunks": row["chunks"] or 0,
                "embedding_model": row["model"],
                "dim": row["dim"],
                "created_at": row["created_at"],
                "note": "" if row["current"] else unfinished(row["name"]),
            }
            for row in rows
        ]

    async def require(self, base: str) -> None:
        """Refuse a name that no base has; the default one may be empty.

        Raises:
            InvalidInput: There is no such base.
        """
        if base != DEFAULT_BASE and base not in {one["base"] for one in await self.bases()}:
            raise InvalidInput(f"There is no knowledge base '{base[:MAX_NAME]}'; see `zhiji kb list`.")

    async def releases(self, base: str) -> list[dict[str, Any]]:
        """The kept releases of a base, ascending, with what each changed."""
        return [asdict(release) for release in await Ledger(self._db, base).releases()]

    async def diff(self, base: str, older: int, newer: int) -> dict[str, Any]:
        """The documents that differ between two releases, by source.

        Raises:
            UnknownRelease: The base has no such release.
        """
        return asdict(await difference(Ledger(self._db, base), older, newer))

    async def rollback(self, base: str, release: int) -> None:
        """Make a release the current one; nothing is copied, so its results are what they were to the byte.

        Raises:
            UnknownRelease: The base has no such release.
            StoreLocked: An ingest is running.
        """
        ledger = Ledger(self._db, base)
        if release not in {one.release for one in await ledger.releases()}:
            raise unknown_release(base, release)
        lock = write_lock(self._home, base)
        await asyncio.to_thread(lock.acquire, self._settings.lock_wait_s)
        try:
            await ledger.point_to(release)
        finally:
            lock.free()

    async def close(self) -> None:
        """Close the tables."""
        await self._db.close()


def unfinished(base: str) -> str:
    """What to say of a base that was begun and has no release: nothing in it can be found."""
    return f"the first ingest into '{base}' has not finished; if none is running, run it again"


async def difference(ledger: Ledger, older: int, newer: int) -> Difference:
    """What differs between two releases of a base.

    Raises:
        UnknownRelease: One of them does not exist.
    """
    known = {one.release for one in await ledger.releases()}
    for release in (older, newer):
        if release not in known:
            raise unknown_release(ledger.name, release)
    before, after = [_by_place(await ledger.documents(release)) for release in (older, newer)]
    old_keys, new_keys = [{c.key for c in await ledger.chunks(release)} for release in (older, newer)]
    both = before.keys() & after.keys()
    return Difference(
        added=_sources(after, after.keys() - before.keys()),
        changed=_sources(after, {place for place in both if before[place].identity != after[place].identity}),
        removed=_sources(before, before.keys() - after.keys()),
        chunks_added=len(new_keys - old_keys),
        chunks_removed=len(old_keys - new_keys),
    )


def _by_place(documents: list[StoredDocument]) -> dict[tuple[str, str], StoredDocument]:
    return {document.place: document for document in documents}


def _sources(documents: dict[tuple[str, str], StoredDocument], places: set[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted(documents[place].source for place in places))
