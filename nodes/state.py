"""What the nodes read and write: the state of one turn."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

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


class Gathered(UntrackedValue[Any]):
    """A per-turn value that several nodes of one step add to: never written to a checkpoint."""

    __slots__ = ("add",)

    def __init__(self, typ: Any, add: Callable[[Any, Any], Any]) -> None:
        super().__init__(typ)
        self.add = add

    def copy(self) -> Self:
        """The same channel with the same value."""
        twin = self.from_checkpoint(None)
        twin.value = self.value
        return twin

    def from_checkpoint(self, checkpoint: Any) -> Self:
        """The channel as a turn begins: empty, whatever the turn before has left."""
        empty = type(self)(self.typ, self.add)
        empty.key = self.key
        return empty

    def update(self, values: Sequence[Any]) -> bool:
        """Add what the nodes of one step give."""
        for value in values:
            self.value = self.add(self.value if self.is_available() else None, value)
        return bool(values)


class TurnState(TypedDict, total=False):
    """One thread's messages and summary, and what the present turn found.

    The per-turn keys are never written to a checkpoint, so they cannot leak into the next turn, and a user's
    memories lie in the memory store alone.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    summary: Summary
    thread_owner: str
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
    degraded: Annotated[list[str], Gathered(list, union)]
    timings_ms: Annotated[dict[str, float], Gathered(dict, merge)]


class Asked(TypedDict, total=False):
    """What a node reads that needs only the conversation.

    A node's input names no more than it reads: a foreign graph may keep its own `memories` beside ours.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    question_id: Annotated[str, UntrackedValue]


class Begun(Asked, total=False):
    """What a turn begins with: whose the thread is, as an opaque key, once its first turn has said so."""

    thread_owner: str


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
