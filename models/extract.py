"""The capability of finding what is worth remembering in what a user says."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from zhiji.core.turn import MemoryType, Turn

CandidateOp = Literal["add", "supersede", "retract"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a message is worth extracting from now, and why (a short English reason, no user words)."""

    worth: bool
    reason: str
    score: float = 0.0
    barren: bool = False
    """Nothing would ever be extracted from it, so it need not wait for more to come."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that a user's words may become.

    `quote` stands verbatim in the user's message `turn` (its index among the request's turns). `content` is one
    complete sentence in the user's own language and script. `key` is canonical and dotted (`residence.city`).
    """

    op: CandidateOp
    type: MemoryType
    key: str
    value: str
    content: str
    quote: str
    turn: int
    subject: str = "user"
    polarity: Literal["+", "-"] = "+"
    temporary: bool = False
    rule: bool = False
    """The user made it a rule or asked to remember it ("以后都", "记住")."""
    pinned: bool = False
    """A safety constraint: allergy, medical, religious diet."""
    inferred: bool = False
    replaces: str = ""
    """The value that the words say is no longer so ("不叫小明" → 小明), where named."""
    scene: str | None = None
    expire_at: datetime | None = None
    valid_from: datetime | None = None
    confidence: float = 1.0


class Extractor(Protocol):
    """Finds what a user said about themselves that will still matter."""

    quick: bool
    """Extracting takes milliseconds, so that it may come before an answer."""

    def worth(self, message: Turn, window: Sequence[Turn]) -> Verdict:
        """Whether to extract from this message now; no model call, a few milliseconds."""
        ...

    async def extract(self, turns: Sequence[Turn], new: Sequence[int]) -> Sequence[Candidate]:
        """Candidates from the user turns whose indices are in `new`; the other turns are context only."""
        ...
