"""Searching as a turn does, and naming the stage that lost an expected text."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from copy import copy
from typing import Any

from zhiji.core.errors import InvalidInput
from zhiji.core.settings import Settings, load_settings
from zhiji.core.text import clean
from zhiji.models.dedup import dedup
from zhiji.models.rerank import Reranker
from zhiji.models.rewrite import Rewriter
from zhiji.nodes.engines import close_engines, engines, use_engines
from zhiji.nodes.rerank import KEEP
from zhiji.stores.knowledge.inspection import Trace, compared, expectation, holding, squashed, staged
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.vectors.base import IndexedChunk, Where

SAME_VECTOR = 0.98
"""Cosine above which two embeddings of one text are of one model; other threads or kernels keep them above .999."""


class Inspector:
    """Follows questions through the search of one base; what a release holds is read once."""

    def __init__(self, knowledge: KnowledgeBase, rewriter: Rewriter, reranker: Reranker) -> None:
        self._knowledge = knowledge
        self._rewriter = rewriter
        self._reranker = reranker
        self._contents: dict[int, list[list[IndexedChunk]]] = {}

    async def trace(self, question: str, category: str | None = None, release: int | None = None) -> Trace:
        """A question's way through the current release, or through another.

        Raises:
            InvalidInput: The question is empty.
            UnknownRelease: The base has no such release.
        """
        if not clean(question).strip():
            raise InvalidInput("The question is empty; write what you would ask.")
        query = await self._rewriter.rewrite(clean(question), [])
        vector = await asyncio.to_thread(self._knowledge.embedder.query, query.text)
        where = Where((category,) if category else ())
        found = await self._knowledge.search(query.text, vector, category=category, release=release)
        deduped = copy(found)
        deduped.hits = dedup(found.hits)
        reranked = await self._reranker.rerank(query, deduped)
        threshold = self._reranker.threshold()
        dense, bm25 = await self._knowledge.orders(query.text, vector, where, found.release)
        return Trace(
            query=query.text,
            release=found.release,
            documents=await self._documents(found.release),
            where=where,
            found=found,
            deduped=deduped.hits,
            reranked=reranked,
            keep=KEEP,
            threshold=threshold,
            prompt=[hit.id for hit, score in reranked[:KEEP] if score >= threshold],
            dense_order=dense,
            bm25_order=bm25,
        )

    async def expectation(self, trace: Trace, expect: str) -> dict[str, Any]:
        """Whether a text entered the prompt, else the stage that lost it; a vector of another model is named as such."""
        found = expectation(trace, expect)
        if found["lost_at"] == "retrieval" and (strange := await self._strange(holding(trace.documents, expect))):
            found["hint"] = f"{found['hint']} {strange}"
        return found

    async def _strange(self, holders: Sequence[IndexedChunk]) -> str:
        """What to say where the stored vectors are not those the embedding model gives for these texts now."""
        stored = await self._knowledge.vectors([chunk.id for chunk in holders])
        texts = [chunk.index_text for chunk in holders]
        fresh = await asyncio.to_thread(self._knowledge.embedder.passages, texts)
        alike = [float(stored[chunk.id] @ vector) for chunk, vector in zip(holders, fresh, strict=True)]
        if max(alike) >= SAME_VECTOR:
            return ""
        return (
            f"Its stored vector is not what {self._knowledge.embedder.model_id} gives for it (cosine {max(alike):.2f}): "
            f"run `zhiji reindex --base {self._knowledge.name}`."
        )

    async def _documents(self, release: int) -> Sequence[Sequence[IndexedChunk]]:
        if release not in self._contents:
            self._contents[release] = await self._knowledge.contents(release or None)
        return self._contents[release]


@asynccontextmanager
async def inspecting(base: str = "default", settings: Settings | None = None) -> AsyncIterator[Inspector]:
    """An inspector of a base, with the engines a turn would use; they are closed afterwards."""
    use_engines(settings or load_settings())
    try:
        using = await engines()
        yield Inspector(await using.knowledge(base), using.rewriter, using.reranker)
    finally:
        await close_engines()


async def inspect(
    question: str,
    *,
    expect: str | None = None,
    base: str = "default",
    category: str | None = None,
    against: int | None = None,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Every stage of a search and, with `expect`, the one that lost that text.

    Args:
        question: What would be asked.
        expect: Text that should enter the prompt.
        base: Which knowledge base.
        category: Only documents of this category.
        against: Another release; `against` of the result then says what entered the prompt there and not here.
        settings: Those of the engines; None: the environment's.

    Raises:
        InvalidInput: The question is empty.
        UnknownRelease: The base has no release `against`.
    """
    async with inspecting(base, settings) as inspector:
        trace = await inspector.trace(question, category)
        wanted = expect if expect and squashed(expect) else None
        document = staged(trace) | {"expect": await inspector.expectation(trace, wanted) if wanted else None}
        if against is not None:
            other = await inspector.trace(question, category, against)
            found = await inspector.expectation(other, wanted) if wanted else None
            document["against"] = compared(trace, other) | {"expect": found}
        return document
