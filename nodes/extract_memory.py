"""What of the user's words is worth keeping."""

from typing import Any

from langgraph.runtime import Runtime

from zhiji.nodes.engines import engines, memory_of
from zhiji.nodes.learning import extract_queued
from zhiji.nodes.state import Asked
from zhiji.nodes.threads import thread_of
from zhiji.nodes.timing import timed


@timed
async def extract_memory(state: Asked, runtime: Runtime[Any]) -> dict[str, Any]:
    """Extract candidates from this thread's unextracted user messages, and from nothing else.

    Reads the queue of the user; writes `extracted`: each message with its candidates, a quote under every one.
    """
    using = await engines()
    extracted = await extract_queued(using.extractor, await memory_of(runtime), thread_of(runtime))
    return {"extracted": extracted}
