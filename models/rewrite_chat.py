"""The rewriter over any LangChain chat model: one call where there is a conversation to complete the question from."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zhiji.core.errors import Unreachable
from zhiji.core.tokens import codes
from zhiji.core.turn import Query, Turn
from zhiji.models.chatting.endpoint import completion
from zhiji.models.rewrite import Rewriter
from zhiji.models.rewriting import signals
from zhiji.prompts import prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

logger = logging.getLogger("zhiji.rewrite")

LONGER_BY = 120
"""Characters that a completion may add: what is longer is an answer, not a question."""
REPLY_TOKENS = 200
_QUOTES = " \t\"'“”「」`"


class ChatRewriter:
    """Completes a question with a chat model; the rest of the query is read as the embedded rewriter reads it.

    A model that fails or strays (several lines, an answer, a code of the question gone) is overruled by the embedded one.

    Args:
        model: Any LangChain chat model.
        embedded: The embedded rewriter.
        timeout_s: Seconds for one reply.
    """

    name = "chat"

    def __init__(self, model: "BaseChatModel", embedded: Rewriter, timeout_s: float) -> None:
        self._model = model
        self._embedded = embedded
        self._timeout_s = timeout_s

    async def rewrite(self, question: str, window: Sequence[Turn]) -> Query:
        """The query for a question, given the turns before it (oldest first, the question not among them)."""
        query = await self._embedded.rewrite(question, window)
        if not window or not question.strip():
            return query
        try:
            reply = await completion(
                self._model, _messages(question, window, query), self._timeout_s, max_tokens=REPLY_TOKENS
            )
        except Unreachable as failed:
            logger.warning("the chat model rewrote nothing, the embedded rewriter did: %s", failed)
            return query
        text = reply.strip(_QUOTES)
        return replace(query, text=text, keywords=signals.keywords(text)) if _plausible(text, question) else query


def _plausible(text: str, question: str) -> bool:
    kept = set(codes(question)) <= set(codes(text))
    return bool(text) and "\n" not in text and len(text) <= len(question) + LONGER_BY and kept


def _messages(question: str, window: Sequence[Turn], query: Query) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage, SystemMessage

    talk = "\n".join(f"{turn.role}: {turn.text}" for turn in window)
    given = prompt("rewrite_question", query.lang).fill(conversation=talk, question=question)
    return [SystemMessage(prompt("rewrite", query.lang).text), HumanMessage(given)]
