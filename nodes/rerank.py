"""Which of the found passages answer the question."""

from typing import Any

from langgraph.runtime import Runtime

from zhiji.core.turn import Hit, Passage
from zhiji.models.dedup import dedup
from zhiji.nodes.engines import engines
from zhiji.nodes.state import TurnState
from zhiji.nodes.timing import timed

KEEP = 5
"""Passages that enter the prompt; seeds, document 000 §4.3."""


@timed
async def rerank(state: TurnState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Union, dedup, rerank, keep the five best that pass the threshold.

    Reads `query`, `found`; writes `passages` labelled `K1`, `K2`….
    """
    found = state.get("found")
    if found is None or not found.hits:
        return {"passages": []}
    using = await engines()
    found.hits = dedup(found.hits)
    ranked = await using.reranker.rerank(state["query"], found)
    floor = using.reranker.threshold()
    kept = [(hit, score) for hit, score in ranked[:KEEP] if score >= floor]
    runtime.stream_writer(
        {"stage": "dropped", "below_threshold": len(ranked[:KEEP]) - len(kept), "candidates": len(ranked)}
    )
    return {"passages": [passage_of(hit, score, f"K{number}") for number, (hit, score) in enumerate(kept, 1)]}


def passage_of(hit: Hit, score: float, label: str = "") -> Passage:
    """A hit as it enters the prompt."""
    return Passage(
        id=hit.id,
        source=hit.source,
        heading=hit.heading,
        text=hit.text,
        score=round(score, 4),
        release=hit.release,
        label=label,
        title=hit.title,
        page=hit.page,
        category=hit.category,
        images=hit.images,
    )
