"""The agent: one turn, from the question to the memory of it."""

from langgraph.graph import START, StateGraph

from zhiji.graph.context import Context
from zhiji.graph.state import TurnInput, TurnOutput, TurnState
from zhiji.nodes.extract_memory import extract_memory
from zhiji.nodes.gate import gate
from zhiji.nodes.generate import generate
from zhiji.nodes.load_profile import load_profile
from zhiji.nodes.rerank import rerank
from zhiji.nodes.retrieve_knowledge import retrieve_knowledge
from zhiji.nodes.retrieve_memory import retrieve_memory
from zhiji.nodes.rewrite_query import rewrite_query
from zhiji.nodes.write_memory import write_memory


def build_agent() -> StateGraph[TurnState, Context, TurnInput, TurnOutput]:
    """The agent graph, uncompiled, so that the host picks checkpointer and store.

    agent = build_agent().compile(checkpointer=InMemorySaver())
    await agent.ainvoke({"messages": "怎么退款"}, {"configurable": {"thread_id": "1"}}, context={"user_id": "lin"})
    """
    return (
        StateGraph(TurnState, context_schema=Context, input_schema=TurnInput, output_schema=TurnOutput)
        .add_node(load_profile)
        .add_node(rewrite_query)
        .add_node(retrieve_memory)
        .add_node(retrieve_knowledge)
        .add_node(rerank)
        .add_node(generate)
        .add_node(gate)
        .add_node(extract_memory)
        .add_node(write_memory)
        .add_edge(START, "load_profile")
        .add_edge("load_profile", "rewrite_query")
        .add_edge("rewrite_query", "retrieve_memory")
        .add_edge("rewrite_query", "retrieve_knowledge")
        .add_edge(["retrieve_memory", "retrieve_knowledge"], "rerank")
        .add_edge("rerank", "generate")
        .add_edge("generate", "gate")
        .add_edge("extract_memory", "write_memory")
    )


graph = build_agent().compile(name="zhiji")
