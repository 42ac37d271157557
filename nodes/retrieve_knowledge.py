"""What the documents may hold on the question."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from zhiji.core.turn import Found, Query
from zhiji.nodes.budget import within
from zhiji.nodes.engines import Engines, engines, option
from zhiji.nodes.queries import query_of
from zhiji.nodes.state import TurnState
from zhiji.nodes.timing import timed


@timed
async def retrieve_knowledge(state: TurnState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Search both channels of the current release, 20 candidates each.

    Reads `query`; writes `found`, and past the time budget `degraded`. A base that was never built is simply empty.
    """
    using = await engines()
    query = await query_of(dict(state), using)
    found = await within(using.settings.retrieval_ms, _search(using, option(runtime, "base", "default"), query))
    if found is None:
        return {"found": None, "degraded": [f"knowledge: no answer within {using.settings.retrieval_ms} ms"]}
    runtime.stream_writer({"stage": "found", "release": found.release, "candidates": len(found.hits)})
    return {"found": found}


async def _search(using: Engines, base: str, query: Query) -> Found:
    knowledge = await using.knowledge(base)
    vector = await asyncio.to_thread(using.embedder.query, query.text)
    return await knowledge.search(query.text, vector, category=query.category)
