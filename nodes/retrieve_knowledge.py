"""What the documents may hold on the question."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from zhiji.nodes.budget import within
from zhiji.nodes.engines import engines, option
from zhiji.nodes.queries import query_of
from zhiji.nodes.state import Searched
from zhiji.nodes.timing import timed
from zhiji.stores.knowledge.catalog import unfinished


@timed
async def retrieve_knowledge(state: Searched, runtime: Runtime[Any]) -> dict[str, Any]:
    """Search both channels of the current release, 20 candidates each.

    Reads `query`; writes `found`, and past the time budget `degraded`. A base that was never built is simply empty;
    one whose first ingest has not finished is named in `degraded`.
    """
    using = await engines()
    query = await query_of(dict(state), using)
    knowledge = await using.knowledge(option(runtime, "base", "default"))
    seen = await knowledge.warm()  # opening the engine is no part of the budget
    if seen is not None and not seen.current:
        return {"found": None, "degraded": [f"knowledge: {unfinished(knowledge.name)}"]}
    vector = await asyncio.to_thread(using.embedder.query, query.text)
    search = knowledge.search(query.text, vector, category=query.category, seen=seen)
    found = await within(using.settings.retrieval_ms, search)
    if found is None:
        return {"found": None, "degraded": [f"knowledge: no answer within {using.settings.retrieval_ms} ms"]}
    runtime.stream_writer({"stage": "found", "release": found.release, "candidates": len(found.hits)})
    return {"found": found}
