"""What the nodes read and write: the state of one turn."""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import UntrackedValue
from langgraph.graph import add_messages
from typing_extensions import TypedDict

from zhiji.core.turn import Citation, Digest, Found, Passage, Query, RecalledMemory
from zhiji.nodes.learning import Extracted
from zhiji.stores.memory.records import Learned


class Summary(TypedDict):
    """What the turns that left the window said."""

    text: str
    through_message_id: str


class Pending(TypedDict):
    """A memory that waits for the user's yes or no."""

    id: str
    content: str
    question: str


def merge(held: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """Add a branch's entries to those of its siblings."""
    return {**(held or {}), **new}


def union(held: list[str] | None, new: list[str]) -> list[str]:
    """Add what is not yet in the list."""
    return [*(held or []), *(item for item in new if item not in (held or []))]


class TurnState(TypedDict, total=False):
    """One thread's messages and summary, and what the present turn found.

    The per-turn keys are never written to a checkpoint, so they cannot leak into the next turn, and a user's
    memories lie in the memory store alone.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    summary: Summary
    question_id: Annotated[str, UntrackedValue]
    profile: Annotated[list[RecalledMemory], UntrackedValue]
    query: Annotated[Query, UntrackedValue]
    memories: Annotated[list[RecalledMemory], UntrackedValue]
    documents: Annotated[list[Digest], UntrackedValue]
    found: Annotated[Found | None, UntrackedValue]
    passages: Annotated[list[Passage], UntrackedValue]
    abstained: Annotated[bool, UntrackedValue]
    citations: Annotated[list[Citation], UntrackedValue]
    gate_reason: Annotated[str, UntrackedValue]
    extracted: Annotated[list[Extracted], UntrackedValue]
    learned: Annotated[list[Learned], UntrackedValue]
    pending: Annotated[list[Pending], UntrackedValue]
    degraded: Annotated[list[str], union]
    timings_ms: Annotated[dict[str, float], merge]


class Asked(TypedDict, total=False):
    """What a node reads that needs only the conversation.

    A node's input names no more than it reads: a foreign graph may keep its own `memories` beside ours.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    question_id: Annotated[str, UntrackedValue]


class Searched(Asked, total=False):
    """What a retrieval reads."""

    query: Annotated[Query, UntrackedValue]
    profile: Annotated[list[RecalledMemory], UntrackedValue]


class Learning(Asked, total=False):
    """What is written into the memory."""

    extracted: Annotated[list[Extracted], UntrackedValue]


class TurnInput(TypedDict):
    """What a caller sends: messages alone."""

    messages: Annotated[list[AnyMessage], add_messages]
