"""The engines that nodes call, and how a node finds them and its user."""

import asyncio
import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from langgraph.runtime import Runtime

from zhiji.core.errors import InvalidInput
from zhiji.core.settings import Settings
from zhiji.models.answer import Answerer
from zhiji.models.embed import Embedder
from zhiji.models.extract import Extractor
from zhiji.models.rerank import Reranker
from zhiji.models.rewrite import Rewriter
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.memory.store import MemoryStore
from zhiji.stores.memory.user import UserMemory

OPENER = "zhiji.graph.runtime:open_engines"
"""Resolved on first use, so that a node works alone although the floor above builds its engines."""


class HasUser(Protocol):
    """All that a context must have for the memory nodes."""

    user_id: str


@dataclass(frozen=True, slots=True)
class Engines:
    """Everything a turn needs, opened once for each event loop."""

    settings: Settings
    embedder: Embedder
    rewriter: Rewriter
    reranker: Reranker
    answerer: Answerer
    extractor: Extractor
    memory: MemoryStore
    knowledge: Callable[[str], Awaitable[KnowledgeBase]]
    release: Callable[[], Awaitable[None]]
    """Let go of what only one process at a time can hold; the next use takes it again."""
    close: Callable[[], Awaitable[None]]


_open: WeakKeyDictionary[asyncio.AbstractEventLoop, "asyncio.Task[Engines]"] = WeakKeyDictionary()


async def engines() -> Engines:
    """The engines of the running event loop, opened from the environment's settings on first use."""
    opening = _open.get(asyncio.get_running_loop())
    if opening is None or (opening.done() and (opening.cancelled() or opening.exception() is not None)):
        opening = use_engines()
    return await asyncio.shield(opening)


def use_engines(settings: Settings | None = None) -> "asyncio.Task[Engines]":
    """Open the running loop's engines from these settings (None: the environment's)."""
    loop = asyncio.get_running_loop()
    _open[loop] = loop.create_task(pkgutil.resolve_name(OPENER)(settings))
    return _open[loop]


async def close_engines() -> None:
    """Close the running loop's engines; the next turn opens them again."""
    opening = _open.pop(asyncio.get_running_loop(), None)
    if opening is not None:
        await (await opening).close()


def user_of(runtime: Runtime[Any]) -> str:
    """Who is speaking: the server's authenticated user, else the context's `user_id`.

    Raises:
        InvalidInput: Neither names a user. Guessing one would mix people up.
    """
    server = runtime.server_info
    if server is not None and server.user is not None:
        return str(server.user.identity)
    user_id = option(runtime, "user_id", None)
    if not user_id:
        raise InvalidInput('No user: pass context={"user_id": "..."} with the call.')
    return str(user_id)


T = TypeVar("T")


def option(runtime: Runtime[Any], name: str, default: T) -> T:
    """A setting of this run's context; a foreign context may lack it, or be a plain dict."""
    context = runtime.context
    value = context.get(name) if isinstance(context, dict) else getattr(context, name, None)
    return default if value is None else value


async def memory_of(runtime: Runtime[Any]) -> UserMemory:
    """The memory of the user who is speaking, and of nobody else."""
    return (await engines()).memory.of(user_of(runtime))
