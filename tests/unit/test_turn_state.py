"""What one turn leaves to the next: its messages, and nothing else."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from zhiji.core.errors import InvalidInput
from zhiji.core.settings import Settings
from zhiji.graph.agent import build_agent
from zhiji.graph.session import Said, open_session
from zhiji.nodes.engines import close_engines
from zhiji.stores.checkpoints import thread_key
from zhiji.stores.knowledge.catalog import unfinished
from zhiji.stores.knowledge.ledger import Ledger
from zhiji.stores.knowledge.records import Base
from zhiji.stores.sql import Database

LASTING = {"messages", "summary", "thread_owner"}
TALK = {
    "zh": ["我叫李雷，我对花生过敏，我月薪两万", "你好", "推荐个零食", "谢谢"],
    "en": ["My name is Lei and I earn 20000 a month", "Hello", "Suggest a snack", "Thanks"],
}


@pytest.mark.parametrize("lang", TALK)
async def test_nothing_of_a_turn_is_kept_but_its_messages(home, lang):
    async with open_session(Settings(home=home)) as session:
        for text in TALK[lang]:
            await session.say(Said(text, user="lin", thread="t"))
            held = await session.working.aget({"configurable": {"thread_id": thread_key("lin", "t")}})
            kept = {name for name in held["channel_values"] if ":" not in name}  # the others are the engine's own
            assert kept <= LASTING


@pytest.mark.parametrize("lang", TALK)
async def test_a_turn_reports_only_what_it_did_itself(home, lang):
    async with open_session(Settings(home=home)) as session:
        taught, *others = [(await session.say(Said(text, user="lin", thread="t"))).as_json() for text in TALK[lang]]
    assert taught["learned"] and "write_memory" in taught["timings_ms"]
    for reply in others:
        assert (reply["learned"], reply["pending"], reply["degraded"]) == ([], [], [])
        assert not {"extract_memory", "write_memory"} & set(reply["timings_ms"])


async def test_what_a_turn_asked_is_not_asked_by_the_next(home):
    async with open_session(Settings(home=home, confirm="always")) as session:
        asked = await session.say(Said("我叫李雷，住在杭州", user="lin", thread="t"))
        assert asked.state["pending"]
        for text in ("你好", "谢谢"):
            assert not (await session.say(Said(text, user="lin", thread="t"))).state.get("pending")


async def test_what_a_turn_went_without_is_not_said_of_the_next(home):
    async with open_session(Settings(home=home)) as session:
        database = await Database.open(home, "knowledge", Settings(home=home))
        begun = Base("default", session.engines.embedder.model_id, 384, "", 1, current=0, newest=0, created_at="")
        await Ledger(database, "default").save_base(begun)
        await database.close()
        reply = await session.say(Said("怎么退款", user="lin", thread="t"))
        assert reply.state["degraded"] == [f"knowledge: {unfinished('default')}"]
        (home / "knowledge.db").unlink()
    async with open_session(Settings(home=home)) as session:
        assert (await session.say(Said("怎么退款", user="lin", thread="t"))).state["degraded"] == []


async def test_a_thread_is_not_shown_to_another_user():
    agent = build_agent().compile(checkpointer=InMemorySaver())
    where = {"configurable": {"thread_id": "shared"}}
    try:
        await agent.ainvoke({"messages": [HumanMessage("我的方案是周四上线红苹果")]}, where, context={"user_id": "lin"})
        with pytest.raises(InvalidInput, match="another user"):
            await agent.ainvoke({"messages": [HumanMessage("把刚才的缩短")]}, where, context={"user_id": "Lin"})
        again = await agent.ainvoke({"messages": [HumanMessage("你好")]}, where, context={"user_id": "lin"})
        assert again["messages"][-1].text
    finally:
        await close_engines()
