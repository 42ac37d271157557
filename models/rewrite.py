"""The capability of making a question self-contained."""

from collections.abc import Sequence
from typing import Protocol

from zhiji.core.turn import Query, Turn


class Rewriter(Protocol):
    """Completes a question from the conversation; a self-contained one comes back unchanged."""

    async def rewrite(self, question: str, window: Sequence[Turn]) -> Query:
        """The query for a question, given the turns before it (oldest first, the question not among them)."""
        ...
