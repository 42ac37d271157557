"""Turns of one conversation that begin together: one after the other, and no word lost."""

import asyncio
import os
import subprocess
import sys

import pytest

from zhiji.core.errors import StoreLocked
from zhiji.core.settings import Settings
from zhiji.graph.session import Said, open_session
from zhiji.stores.checkpoints import thread_key
from zhiji.stores.turns import one_turn

SAYS = """
import asyncio, sys
from zhiji.graph.session import Said, open_session

async def main():
    async with open_session(sharing=True) as session:
        await session.say(Said(sys.argv[1], user="lin", thread="t", message_id=sys.argv[2]))

asyncio.run(main())
"""


async def texts(session):
    held = await session.working.aget({"configurable": {"thread_id": thread_key("lin", "t")}})
    return [message.text for message in held["channel_values"]["messages"] if message.type == "human"]


@pytest.mark.parametrize(
    "said",
    [["我养了一只猫", "我住在杭州", "我喜欢爬山"], ["I have a cat", "I live in Leeds", "I like hiking"]],
    ids=["zh", "en"],
)
async def test_messages_of_several_processes_are_all_kept(home, said):
    command = [sys.executable, "-P", "-c", SAYS]
    children = [
        subprocess.Popen([*command, text, f"m{number}"], env={**os.environ, "ZHIJI_HOME": str(home)})
        for number, text in enumerate(said)
    ]
    assert [child.wait(120) for child in children] == [0] * len(said)
    async with open_session(Settings(home=home)) as session:
        assert sorted(await texts(session)) == sorted(said)
        assert len(await session.engines.memory.of("lin").list()) == len(said)
    assert list((home / "turns").iterdir()) == []


async def test_turns_of_one_process_queue_too(home):
    async with open_session(Settings(home=home)) as session:
        said = [Said(f"我养了{number}只羊", user="lin", thread="t") for number in range(3)]
        await asyncio.gather(*(session.say(one) for one in said))
        assert sorted(await texts(session)) == [one.text for one in said]


async def test_a_turn_that_does_not_end_is_named(home):
    async with one_turn(home, "a:t", 0):
        with pytest.raises(StoreLocked, match=str(os.getpid())):
            async with one_turn(home, "a:t", 0.1):
                pass
        async with one_turn(home, "a:other", 0):
            pass
    async with one_turn(home, "a:t", 0):
        pass
