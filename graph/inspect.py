"""Searching as a turn does, and naming the stage that lost an expected text."""

import asyncio
from copy import copy
from typing import Any

from zhiji.core.errors import InvalidInput
from zhiji.core.settings import Settings, load_settings
from zhiji.core.text import clean
from zhiji.models.dedup import dedup
from zhiji.nodes.engines import Engines, close_engines, engines, use_engines
from zhiji.nodes.rerank import KEEP
from zhiji.stores.knowledge.inspection import Trace
from zhiji.stores.knowledge.inspection import inspect as describe
from zhiji.stores.vectors.base import Where


async def inspect(
    question: str,
    *,
    expect: str | None = None,
    base: str = "default",
    category: str | None = None,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Every stage of a search and, with `expect`, the one that lost that text.

    Raises:
        InvalidInput: The question is empty.
    """
    if not clean(question).strip():
        raise InvalidInput("The question is empty; write what you would ask.")
    use_engines(settings or load_settings())
    try:
        return describe(await _trace(await engines(), clean(question), base, category), expect)
    finally:
        await close_engines()


async def _trace(using: Engines, question: str, base: str, category: str | None) -> Trace:
    query = await using.rewriter.rewrite(question, [])
    knowledge = await using.knowledge(base)
    vector = await asyncio.to_thread(using.embedder.query, query.text)
    found = await knowledge.search(query.text, vector, category=category)
    deduped = copy(found)
    deduped.hits = dedup(found.hits)
    reranked = await using.reranker.rerank(query, deduped)
    threshold = using.reranker.threshold()
    where = Where((category,) if category else ())
    dense, bm25 = await knowledge.orders(query.text, vector, where, found.release)
    return Trace(
        query=query.text,
        release=found.release,
        documents=await knowledge.contents(found.release or None),
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
