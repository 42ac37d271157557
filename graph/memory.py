"""The memory nodes as subgraphs for other orchestrations: recall before answering, remember after."""

from langgraph.graph import START, StateGraph

from zhiji.graph.context import Context
from zhiji.graph.state import RecallOutput, RememberOutput, TurnInput, TurnState
from zhiji.nodes.extract_memory import extract_memory
from zhiji.nodes.gate import gate
from zhiji.nodes.load_profile import load_profile
from zhiji.nodes.retrieve_memory import retrieve_memory
from zhiji.nodes.rewrite_query import rewrite_query
from zhiji.nodes.write_memory import write_memory


def build_recall() -> StateGraph[TurnState, Context, TurnInput, RecallOutput]:
    """What the user told before that bears on the last message; needs only `user_id` in the context.

    host = StateGraph(HostState, context_schema=HostContext).add_node("recall", build_recall().compile())
    """
    return (
        StateGraph(TurnState, context_schema=Context, input_schema=TurnInput, output_schema=RecallOutput)
        .add_node(load_profile)
        .add_node(rewrite_query)
        .add_node(retrieve_memory)
        .add_edge(START, "load_profile")
        .add_edge("load_profile", "rewrite_query")
        .add_edge("rewrite_query", "retrieve_memory")
    )


def build_remember() -> StateGraph[TurnState, Context, TurnInput, RememberOutput]:
    """Keep what is lasting in the user's last message; run it after the answer is sent."""
    return (
        StateGraph(TurnState, context_schema=Context, input_schema=TurnInput, output_schema=RememberOutput)
        .add_node(gate)
        .add_node(extract_memory)
        .add_node(write_memory)
        .add_edge(START, "gate")
        .add_edge("extract_memory", "write_memory")
    )


recall = build_recall().compile(name="recall")
remember = build_remember().compile(name="remember")
