"""The memory nodes in an orchestration that is not ours."""

from typing import Annotated

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph, add_messages
from typing_extensions import TypedDict

from zhiji.core.errors import InvalidInput
from zhiji.graph.agent import build_agent
from zhiji.graph.memory import build_recall, build_remember
from zhiji.nodes.engines import close_engines
from zhiji.nodes.extract_memory import extract_memory
from zhiji.nodes.gate import gate
from zhiji.nodes.retrieve_memory import retrieve_memory
from zhiji.nodes.write_memory import write_memory


class OnlyUser(TypedDict):
    user_id: str


class Host(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    memories: list


def reply(state: Host) -> Host:
    return {"messages": [AIMessage("ok")]}


@pytest.fixture(autouse=True)
async def closed():
    yield
    await close_engines()


def host():
    return (
        StateGraph(Host, context_schema=OnlyUser)
        .add_node("recall", build_recall().compile())
        .add_node("reply", reply)
        .add_node("remember", build_remember().compile())
        .add_edge(START, "recall")
        .add_edge("recall", "reply")
        .add_edge("reply", "remember")
        .compile(checkpointer=InMemorySaver())
    )


def plain_host():
    return (
        StateGraph(Host, context_schema=OnlyUser)
        .add_node(retrieve_memory)
        .add_node(gate)
        .add_node(extract_memory)
        .add_node(write_memory)
        .add_edge(START, "retrieve_memory")
        .add_edge("retrieve_memory", "gate")
        .add_edge("extract_memory", "write_memory")
        .compile(checkpointer=InMemorySaver())
    )


async def say(graph, text: str, user: str, thread: str) -> str:
    state = {"messages": [HumanMessage(text)]}
    out = await graph.ainvoke(state, {"configurable": {"thread_id": thread}}, context={"user_id": user})
    return " ".join(memory.content for memory in out["memories"])


@pytest.mark.parametrize("build", [host, plain_host], ids=["subgraphs", "plain nodes"])
async def test_recall_and_remember_work_where_the_context_has_only_a_user(build):
    graph = build()
    assert await say(graph, "我住在杭州", "a", "1") == ""
    assert "杭州" in await say(graph, "我在哪个城市", "a", "2")
    assert await say(graph, "我在哪个城市", "b", "3") == ""


async def test_a_run_without_a_user_is_refused_rather_than_mixed_up():
    with pytest.raises(InvalidInput, match="user_id"):
        await build_agent().compile().ainvoke({"messages": [HumanMessage("hi")]})


async def test_a_turn_leaves_nothing_of_itself_in_the_thread():
    graph = build_agent().compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    await graph.ainvoke({"messages": [HumanMessage("我对花生过敏")]}, config, context={"user_id": "a"})
    kept = (await graph.aget_state(config)).values
    assert set(kept) <= {"messages", "summary", "thread_owner"}
