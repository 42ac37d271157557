"""The answering capability."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from zhiji.core.text import Language
from zhiji.core.turn import Digest, Passage, RecalledMemory, Turn


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """All that an answer may be made from, and nothing else.

    `memories`, `passages` and `documents` carry their labels (`M1`, `K2`, `D1`); `abstain` is decided before: then
    nothing that was found is good enough, and the answer says so.
    """

    question: str
    query: str
    lang: Language
    instruction: str = ""
    topics: Sequence[str] = ()
    """What the question is about in the recall's own terms, nearest first."""
    memories: Sequence[RecalledMemory] = ()
    passages: Sequence[Passage] = ()
    documents: Sequence[Digest] = ()
    summary: str = ""
    window: Sequence[Turn] = ()
    abstain: bool = False


class Answerer(Protocol):
    """Answers from the given sources, citing them as `[M1]` `[K2]` `[D1]`."""

    name: str

    def answer(self, request: AnswerRequest) -> AsyncIterator[str]:
        """The answer, piece by piece."""
        ...
