"""What the graphs take in and give out."""

from typing import Annotated

from langchain_core.messages import AnyMessage
from langgraph.graph import add_messages
from typing_extensions import TypedDict

from zhiji.core.turn import Citation, Passage, Query, RecalledMemory
from zhiji.nodes.state import Pending, TurnInput, TurnState
from zhiji.stores.memory.records import Learned

__all__ = ["RecallOutput", "RememberOutput", "TurnInput", "TurnOutput", "TurnState"]


class TurnOutput(TypedDict, total=False):
    """One turn's answer with everything that made it."""

    messages: Annotated[list[AnyMessage], add_messages]
    query: Query
    memories: list[RecalledMemory]
    passages: list[Passage]
    citations: list[Citation]
    abstained: bool
    gate_reason: str
    learned: list[Learned]
    pending: list[Pending]
    degraded: list[str]
    timings_ms: dict[str, float]


class RecallOutput(TypedDict, total=False):
    """What the user's memory holds on the last message."""

    profile: list[RecalledMemory]
    memories: list[RecalledMemory]


class RememberOutput(TypedDict, total=False):
    """What the user's memory became."""

    gate_reason: str
    learned: list[Learned]
    pending: list[Pending]
