"""Timing a node and telling the stream that its stage is done."""

import functools
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from langgraph.types import Command

Node = TypeVar("Node", bound=Callable[..., Awaitable[Any]])


def timed(node: Node) -> Node:
    """Add `timings_ms: {node: milliseconds}` to what a node returns."""

    @functools.wraps(node)
    async def run(*args: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        update = await node(*args, **kwargs)
        spent = {"timings_ms": {node.__name__: round((time.perf_counter() - started) * 1000, 2)}}
        if isinstance(update, Command):
            return replace(update, update={**cast(dict[str, Any], update.update or {}), **spent})
        return {**update, **spent}

    return cast(Node, run)
