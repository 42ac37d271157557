"""What is really asked: the question made self-contained."""

import asyncio
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from zhiji.nodes.conversation import question_of, text_of, turns_before
from zhiji.nodes.engines import engines, option
from zhiji.nodes.state import Asked
from zhiji.nodes.timing import timed


@timed
async def rewrite_query(state: Asked, runtime: Runtime[Any]) -> dict[str, Any]:
    """Complete the question from the window and embed it once for both retrievals.

    Reads `messages`, `question_id`; writes `query`. The embedder remembers the vector of the query's text.
    """
    using = await engines()
    question = question_of(dict(state))
    query = await using.rewriter.rewrite(text_of(question), turns_before(state["messages"], question))
    vector = await asyncio.to_thread(using.embedder.query, query.text)
    query = replace(
        query,
        topics=using.memory.topics_of(vector),
        category=option(runtime, "category", query.category),
        scene=option(runtime, "scene", query.scene),
    )
    runtime.stream_writer({"stage": "rewritten", "query": query.text, "recall_signal": query.recall_signal})
    return {"query": query}
