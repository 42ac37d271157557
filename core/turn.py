"""What a turn is made of: the query, and the sources that may enter the prompt."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from zhiji.core.text import Language

MemoryType = Literal["fact", "preference", "event"]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation, as the policies see it."""

    role: Role
    text: str
    id: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for: the question made self-contained, and what it is about."""

    text: str
    original: str
    lang: Language = "zh"
    keywords: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    category: str | None = None
    scene: str | None = None
    recall_signal: bool = False
    overview: bool = False
    """The user asks for all that is known of them ("你都知道我什么")."""
    instruction: str = ""
    """How this one answer should be written ("请详细一点"); empty when the user says nothing of it."""

    @property
    def rewritten(self) -> bool:
        """Whether the question was completed from the conversation."""
        return self.text != self.original


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """One of the user's memories, as it enters the prompt; `score` is its rank score in [0, 1].

    `pinned` comes along whatever is asked (safety constraints, core identity); `relevant` passed the relevance
    threshold for this question.
    """

    id: str
    type: MemoryType
    key: str
    content: str
    score: float
    label: str = ""
    status: str = "active"
    pinned: bool = False
    relevant: bool = True
    value: str = ""
    updated_at: str = ""
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of the knowledge base, as it enters the prompt; `score` is the calibrated relevance in [0, 1]."""

    id: str
    source: str
    heading: str
    text: str
    score: float
    release: int
    label: str = ""
    title: str = ""
    page: int | None = None
    category: str | None = None
    images: tuple[str, ...] = ()
    """Paths of the pictures that it shows."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A few sentences of a document the user uploaded, labelled `[D1]`."""

    id: str
    source: str
    text: str
    score: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A source the answer names, and the words it takes from it."""

    label: str
    id: str
    source: str
    quote: str


@dataclass(slots=True)
class Hit:
    """A chunk found by search, with what each channel thought of it.

    `dense` is the cosine in [-1, 1] and `bm25` the raw BM25 score; both are filled for every hit of the union, also
    for one that only the other channel found. A rank counts from 1 and is None where the channel did not find it.
    """

    id: str
    text: str
    title: str
    heading: str
    source: str
    release: int
    dense: float = 0.0
    bm25: float = 0.0
    dense_rank: int | None = None
    bm25_rank: int | None = None
    page: int | None = None
    category: str | None = None
    updated_at: str = ""
    images: tuple[str, ...] = ()
    """Paths of the pictures that it shows."""
    ordinal: int = 0
    """Position of the chunk in its document, from 0."""
    span: tuple[int, int] = (0, 0)
    """Character offsets of the chunk in its document."""


@dataclass(slots=True)
class Found:
    """The union of both channels, before rerank, with the release's weights of the query's terms."""

    release: int
    hits: list[Hit] = field(default_factory=list)
    idf: dict[str, float] = field(default_factory=dict)
    """Inverse document frequency of each query term in this release (BM25 form, never negative)."""
