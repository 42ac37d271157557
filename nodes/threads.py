"""The id of the running thread."""

from typing import Any

from langgraph.runtime import Runtime


def thread_of(runtime: Runtime[Any]) -> str:
    """The name of the thread a turn runs in, without the tenant before it; empty without a checkpointer."""
    info = runtime.execution_info
    key = (info.thread_id if info else None) or ""
    return key.split(":", 1)[-1]
