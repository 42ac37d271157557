"""A turn that goes on without what came too late, and says so."""

import shutil

from zhiji.core.settings import Settings
from zhiji.graph.session import Said, open_session


async def test_a_late_retrieval_is_left_out_and_named(sample_home, home):
    shutil.copytree(sample_home, home)
    async with open_session(Settings(home=home, retrieval_ms=1)) as session:
        reply = (await session.say(Said("怎么退款", user="a"))).as_json()
    assert reply["answer"]
    assert any(note.startswith("knowledge") and "1 ms" in note for note in reply["degraded"])


async def test_the_next_turn_of_the_thread_is_whole_again(sample_home, home):
    shutil.copytree(sample_home, home)
    async with open_session(Settings(home=home, retrieval_ms=1)) as session:
        await session.say(Said("怎么退款", user="a", thread="t"))
    async with open_session(Settings(home=home, retrieval_ms=30_000)) as session:
        reply = (await session.say(Said("怎么退货", user="a", thread="t"))).as_json()
    assert reply["degraded"] == [] and reply["passages"]


async def test_an_overflowing_window_folds_into_a_summary_and_the_thread_keeps_its_messages(home):
    async with open_session(Settings(home=home, window_turns=3, fold_turns=2)) as session:
        for number in range(5):
            reply = await session.say(Said(f"第{number}号水泵的流量是多少", user="a", thread="t"))
    summary = reply.state["summary"]
    assert summary["text"] and summary["through_message_id"]
    assert sum(message.type == "human" for message in reply.state["messages"]) == 5
