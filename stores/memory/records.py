"""A memory as it is kept, and the entry each change leaves in its history."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from zhiji.core.turn import MemoryType, Turn

Source = Literal["manual", "dialogue", "document"]
Status = Literal["pending", "active", "superseded", "retracted", "expired"]
Operation = Literal["ADD", "REINFORCE", "SUPERSEDE", "MERGE", "RETRACT"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words a memory rests on, and where they were said."""

    quote: str
    thread: str = ""
    message: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One memory of one user. Times are UTC.

    `key` is canonical (`residence.city`), `content` one complete sentence in the user's own language and script.
    """

    id: str
    type: MemoryType
    key: str
    value: str
    content: str
    subject: str = "user"
    polarity: Literal["+", "-"] = "+"
    domain: str = ""
    scene: str | None = None
    project: str | None = None
    topics: tuple[str, ...] = ()
    importance: int = 1
    confidence: float = 1.0
    source: Source = "dialogue"
    status: Status = "active"
    pinned: bool = False
    temporary: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expire_at: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    confirmed_at: datetime | None = None
    supersedes: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change of one memory; the history is only ever appended to."""

    memory_id: str
    operation: str
    actor: str
    at: datetime
    reason: str = ""
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    """What one candidate became: the operation, and the memory it left."""

    op: Operation
    id: str
    content: str
    quote: str
    status: Status
    replaced: tuple[str, ...] = field(default=())
    """Ids of the memories that this one superseded or merged."""


LONGEST_PAUSE_MIN = 64


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A user message that was not extracted yet, with the turns before it (oldest first)."""

    turn: Turn
    thread: str
    window: tuple[Turn, ...] = ()
    attempts: int = 0
    last_error: str = ""
    tried_at: datetime | None = None

    def due(self, at: datetime) -> bool:
        """Whether it is time to try: after each failure the pause doubles, from two minutes to about an hour."""
        if self.tried_at is None:
            return True
        return at - self.tried_at >= timedelta(minutes=min(2**self.attempts, LONGEST_PAUSE_MIN))


@dataclass(frozen=True, slots=True)
class Question:
    """A memory that waits for the user's yes, and where the user was asked."""

    memory_id: str
    thread: str
    message_id: str
    content: str
    question: str


@dataclass(frozen=True, slots=True)
class VerbatimMessage:
    """One message to be kept word for word as one memory."""

    id: str
    text: str
    at: datetime
    speaker: str = ""
