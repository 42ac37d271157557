"""The query of a turn, also where a foreign graph has no node that makes one."""

from typing import Any

from zhiji.core.turn import Query
from zhiji.nodes.conversation import question_of, text_of, turns_before
from zhiji.nodes.engines import Engines


async def query_of(state: dict[str, Any], using: Engines) -> Query:
    """The state's query, else the last message completed from the window."""
    held = state.get("query")
    if isinstance(held, Query):
        return held
    question = question_of(state)
    return await using.rewriter.rewrite(text_of(question), turns_before(state["messages"], question))
