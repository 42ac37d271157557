"""One knowledge base, opened for reading: search in a release, and its releases."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiji.core.settings import Settings
from zhiji.core.text import normalised
from zhiji.core.turn import Found, Hit
from zhiji.models.embed import Embedder, Vector
from zhiji.stores.knowledge import maintenance
from zhiji.stores.knowledge.bm25 import terms_version
from zhiji.stores.knowledge.cache import Recent
from zhiji.stores.knowledge.catalog import Catalog
from zhiji.stores.knowledge.ledger import Ledger, unknown_release
from zhiji.stores.knowledge.pictures import picture_folder, sweep_pictures
from zhiji.stores.knowledge.records import Base
from zhiji.stores.knowledge.search import Searcher
from zhiji.stores.knowledge.update import Target
from zhiji.stores.sql import Database
from zhiji.stores.vectors.base import IndexedChunk, VectorIndex, Where

if TYPE_CHECKING:
    from zhiji.stores.knowledge.retriever import KnowledgeRetriever

RESULTS = 256


class KnowledgeBase:
    """A base as its readers see it.

    knowledge = await KnowledgeBase.open(home, settings, embedder)
    found = await knowledge.search("怎么退款", embedder.query("怎么退款"))
    """

    def __init__(self, database: Database, target: Target) -> None:
        self._db = database
        self._target = target
        self._ledger = Ledger(database, target.base)
        self._catalog = Catalog(database, target.home, target.settings)
        self._results: Recent[tuple[Any, ...], Found] = Recent(RESULTS, target.settings.knowledge_cache_s)
        self._terms = ""
        self._index: VectorIndex | None = None
        self._searcher: tuple[int, Searcher] | None = None

    @classmethod
    async def open(cls, home: Path, settings: Settings, embedder: Embedder, base: str = "default") -> "KnowledgeBase":
        """Open a base; one into which nothing was ingested is empty. The vector index is opened when first searched.

        Raises:
            EmbedderChanged: The base was built with another embedding model, dimension or tokeniser.
            StoreCorrupted: The tables are damaged; they are left as they are.
        """
        knowledge = cls(await Database.open(home, "knowledge", settings), Target(home, base, settings, embedder))
        try:
            await knowledge._base()
        except BaseException:
            await knowledge.close()
            raise
        return knowledge

    @property
    def name(self) -> str:
        """The base's name."""
        return self._target.base

    @property
    def embedder(self) -> Embedder:
        """What its queries are embedded with."""
        return self._target.embedder

    async def search(
        self,
        query_text: str,
        vector: Vector,
        *,
        category: str | Sequence[str] | None = None,
        source: str | Sequence[str] | None = None,
        release: int | None = None,
        seen: Base | None = None,
    ) -> Found:
        """The 20 best of each channel in a release (None: the current one), with both scores of every hit.

        A hot result is reused for five minutes; it is a copy, and is the caller's to change.

        Args:
            query_text: What is searched for, self-contained.
            vector: Its embedding, shape `(dim,)`, unit length.
            category: Only these categories.
            source: Only these documents, by their path relative to their root.
            release: Which release to search.
            seen: The base as `warm` just saw it, so that it need not be read again.

        Raises:
            UnknownRelease: The base has no such release.
            StoreLocked: Another process holds the vector engine for longer than the settings' wait.
        """
        base = seen or await self._base()
        number = (base.current if base else 0) if release is None else release
        if base is None or number == 0:
            if release:
                raise unknown_release(self.name, release)
            return Found(0)
        query_text, where = normalised(query_text), Where(_several(category), _several(source))
        digest = hashlib.sha256(query_text.encode() + vector.tobytes()).digest()
        key = (base.generation, number, where, digest)
        if (found := self._results.get(key)) is None:
            searcher = self._searching(base)
            found = self._results.put(key, await searcher.search(query_text, vector, number, where))
        return Found(found.release, [replace(hit) for hit in found.hits], dict(found.idf))

    async def warm(self) -> Base | None:
        """Open what a search needs, so that the first one is as fast as the next; returns the base as it is now."""
        base = await self._base()
        if base is not None and base.current:
            searcher = self._searching(base)
            await searcher.frequencies(base.current)
            assert self._index
            async with self._index.session():
                pass
        return base

    async def around(self, hit: Hit, reach: int = 1) -> list[IndexedChunk]:
        """The chunks next to a hit in its document and release, in order, itself included."""
        base = await self._base()
        return await self._searching(base).around(hit, reach) if base else []

    async def contents(self, release: int | None = None) -> list[list[IndexedChunk]]:
        """Every chunk of a release, each document's in order; for looking into it, so vectors are left out."""
        base = await self._base()
        if base is None or not base.current:
            return []
        return await self._searching(base).contents(release or base.current)

    async def texts(self, release: int | None = None) -> list[IndexedChunk]:
        """Every chunk of a release, its vectors left out."""
        return [chunk for document in await self.contents(release) for chunk in document]

    async def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The stored embeddings of some chunks by their ids."""
        base = await self._base()
        if base is None or not base.current:
            return {}
        return await self._searching(base).vectors(ids)

    async def orders(self, query_text: str, vector: Vector, where: Where, release: int) -> tuple[list[str], list[str]]:
        """The ids that each channel finds, far beyond its pool: to tell how far off a chunk was."""
        base = await self._base()
        if base is None or not release:
            return [], []
        return await self._searching(base).orders(normalised(query_text), vector, where, release)

    async def releases(self) -> list[dict[str, Any]]:
        """The kept releases, ascending."""
        return await self._catalog.releases(self.name)

    async def diff(self, older: int, newer: int) -> dict[str, Any]:
        """The documents that differ between two releases."""
        return await self._catalog.diff(self.name, older, newer)

    async def rollback(self, release: int) -> None:
        """Make a release the current one."""
        await self._catalog.rollback(self.name, release)

    async def bases(self) -> list[dict[str, Any]]:
        """Every base of this home."""
        return await self._catalog.bases()

    async def require(self) -> None:
        """Refuse a name that no base has; the default one may be empty.

        Raises:
            InvalidInput: There is no such base.
        """
        await self._catalog.require(self.name)

    async def gc(self, keep: int = 3) -> list[int]:
        """Remove all releases but the `keep` newest and the current one; returns the numbers removed.

        Raises:
            StoreLocked: An ingest is running, or another process holds the engine.
        """
        async with self._target.writing() as ledger:
            base = await ledger.base()
            if base is None or not base.newest:
                return []
            self._results.clear()
            index = self._target.index(base.generation)
            removed = await maintenance.collect(ledger, index, base, keep)
            kept = [chunk.id for chunk in await ledger.all_chunks()]
            await sweep_pictures(picture_folder(self._target.home, self.name), index, kept)
            return removed

    async def check(self) -> list[str]:
        """What is wrong with the base, one line each; nothing when tables and vectors agree."""
        base = await self._base()
        if base is None or not base.newest:
            return []
        return await maintenance.check(self._db, self._ledger, self._target.index(base.generation), base)

    def as_retriever(self, *, k: int = 5, category: str | None = None) -> "KnowledgeRetriever":
        """The base as a LangChain retriever."""
        from zhiji.stores.knowledge.retriever import KnowledgeRetriever

        return KnowledgeRetriever(base=self, k=k, category=category)

    async def release(self) -> None:
        """Let another process have the vector engine; the next search takes it again."""
        if self._index is not None:
            await self._index.release()

    async def close(self) -> None:
        """Close the base."""
        await self.release()
        await self._db.close()

    async def _base(self) -> Base | None:
        base = await self._ledger.base()
        if base is not None and base.newest:
            self._terms = self._terms or await asyncio.to_thread(terms_version)  # loads the tokeniser's dictionary
            base.require(self.embedder.model_id, self.embedder.dim, self._terms)
        return base

    def _searching(self, base: Base) -> Searcher:
        """The searcher of the base's index; a reindex has made another one."""
        if self._searcher is None or self._searcher[0] != base.generation:
            self._index = self._target.index(base.generation, keep=True)
            pictures = picture_folder(self._target.home, self.name)
            self._searcher = (base.generation, Searcher(self._ledger, self._index, pictures))
        return self._searcher[1]


def _several(value: str | Sequence[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)
