"""What the user told before that bears on the question."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from zhiji.core.settings import RankingPreset
from zhiji.core.turn import Query, RecalledMemory
from zhiji.models.nearness import asks_nearby
from zhiji.nodes.budget import within
from zhiji.nodes.conversation import question_of, time_of
from zhiji.nodes.engines import engines, memory_of, option
from zhiji.nodes.queries import query_of
from zhiji.nodes.state import Searched
from zhiji.nodes.timing import timed

NARROW, WIDE = 5, 10
"""How many memories enter the prompt; the larger number when the user asks to recall something said before,
or for all that is known."""


@timed
async def retrieve_memory(state: Searched, runtime: Runtime[Any]) -> dict[str, Any]:
    """Recall what the user's own memory holds on the query; safety constraints always come along.

    Reads `query` (made from the last message where no node made one) and `profile`; writes `memories` labelled `M1`,
    `M2`… with the profile's own facts among them, and past the time budget `degraded`.
    """
    using = await engines()
    query = await query_of(dict(state), using)
    memory = await memory_of(runtime)
    preset: RankingPreset = option(runtime, "weights", using.settings.weights)
    recalled = await within(
        using.settings.retrieval_ms,
        memory.recall(
            query,
            at=time_of(question_of(dict(state))),
            limit=WIDE if query.recall_signal or query.overview else NARROW,
            wide=query.recall_signal,
            preset=preset,
        ),
    )
    profile = _placed(query, state.get("profile") or [])
    known = {memory.id for memory in recalled or ()}
    given = [*(recalled or ()), *(fact for fact in profile if fact.id not in known)]
    labelled = [replace(memory, label=f"M{number}") for number, memory in enumerate(given, 1)]
    if recalled is None:
        return {"memories": labelled, "degraded": [f"memory: no answer within {using.settings.retrieval_ms} ms"]}
    runtime.stream_writer({"stage": "recalled", "memories": [(memory.label, memory.content) for memory in labelled]})
    return {"memories": labelled}


def _placed(query: Query, profile: Sequence[RecalledMemory]) -> list[RecalledMemory]:
    """The profile's facts, where the user lives among the relevant ones if the question is about what is near."""
    near = asks_nearby(query.text)
    return [replace(fact, relevant=query.overview or (near and fact.key.startswith("residence."))) for fact in profile]
