"""Working memory: pruned, swept, erased, and apart for each user."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.graph import START, MessagesState, StateGraph

from zhiji.core.errors import StoreCorrupted
from zhiji.stores.checkpoints import open_working_memory, thread_key


def graph(working):
    def answer(state: MessagesState) -> MessagesState:
        return {"messages": [("ai", "ok")]}

    return StateGraph(MessagesState).add_node(answer).add_edge(START, "answer").compile(checkpointer=working)


def config(user: str, thread: str = "t"):
    return {"configurable": {"thread_id": thread_key(user, thread)}}


async def test_a_thread_keeps_every_message_but_only_its_latest_checkpoint(home):
    async with open_working_memory(home, ttl_s=60) as working:
        for text in ("一", "二", "三"):
            await graph(working).ainvoke({"messages": [HumanMessage(text)]}, config("a"))
        kept = [one async for one in working.alist(config("a"))]
        assert len(kept) == 1
        assert len(kept[0].checkpoint["channel_values"]["messages"]) == 6


async def test_two_users_threads_of_one_name_never_meet(home):
    async with open_working_memory(home, ttl_s=60) as working:
        await graph(working).ainvoke({"messages": [HumanMessage("秘密")]}, config("a"))
        assert (await graph(working).aget_state(config("b"))).values == {}


async def test_a_pause_of_its_time_to_live_ends_a_conversation(home):
    async with open_working_memory(home, ttl_s=60) as working:
        await graph(working).ainvoke({"messages": [HumanMessage("一")]}, config("a"))
        await working.conn.execute("UPDATE touched SET at = at - 61")
        await working.conn.commit()
        assert await working.sweep() == [thread_key("a", "t")]
        assert (await graph(working).aget_state(config("a"))).values == {}


async def test_a_message_renews_the_time_to_live(home):
    async with open_working_memory(home, ttl_s=60) as working:
        await graph(working).ainvoke({"messages": [HumanMessage("一")]}, config("a"))
        await working.conn.execute("UPDATE touched SET at = at - 61")
        await graph(working).ainvoke({"messages": [HumanMessage("二")]}, config("a"))
        assert await working.sweep() == []


async def test_erasing_a_user_leaves_no_word_on_disk_and_other_users_alone(home):
    async with open_working_memory(home, ttl_s=60) as working:
        for user, text in (("a", "阿尔法的秘密"), ("b", "贝塔的话")):
            await graph(working).ainvoke({"messages": [HumanMessage(text)]}, config(user))
        await working.erase("a")
        assert (await graph(working).aget_state(config("b"))).values["messages"]
    left = b"".join(file.read_bytes() for file in home.glob("threads.db*"))
    assert "阿尔法的秘密".encode() not in left and "贝塔的话".encode() in left


async def test_a_damaged_file_is_named_and_left_as_it_is(home):
    home.mkdir(parents=True)
    (home / "threads.db").write_bytes(b"no database " * 500)
    with pytest.raises(StoreCorrupted, match=r"threads\.db"):
        async with open_working_memory(home, ttl_s=60):
            pass
    assert (home / "threads.db").read_bytes() == b"no database " * 500
