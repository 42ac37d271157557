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

    Reads the queue of the user; writes `extracted`: each message with its candidates, a quote under every one. What
    other threads left comes along with a slow extractor; a quick one has taken it before the answer. A failure is
    named in `degraded`, and its messages stay queued.
    """
    using = await engines()
    thread = thread_of(runtime) if using.extractor.quick else None
    done = await extract_queued(using.extractor, await memory_of(runtime), thread)
    return {"extracted": done.extracted, "degraded": done.failures}
