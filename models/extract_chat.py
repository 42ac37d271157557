"""The extractor over any LangChain chat model: one call a window, its reply checked against the user's words."""

import re
from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from zhiji.core.errors import Unreachable
from zhiji.core.text import language_of
from zhiji.core.time import iso
from zhiji.core.turn import Turn
from zhiji.models.chatting.endpoint import ChatModelFailed, completion
from zhiji.models.chatting.json_reply import read_object
from zhiji.models.chatting.memories_reply import KEYS, candidates, schema
from zhiji.models.extract import Candidate, Extractor, Verdict
from zhiji.models.extracting.people import CODES
from zhiji.prompts import prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

REPLY_TOKENS = 800
"""A dozen memories; what a model writes beyond that is a loop, and the part read so far still counts."""
_TAG = re.compile(r"<(?=\s*/?\s*turn\b)", re.IGNORECASE)
# In the body alone: the client would raise on a reply that was cut off, of which the part that came still counts.
_FORMAT = {"type": "json_schema", "json_schema": {"name": "memories", "schema": schema(), "strict": True}}


class UnreadableReply(Unreachable):
    """The chat model refused, or wrote no JSON that can be read."""


class ChatExtractor:
    """Finds what a user said about themselves with a chat model; whether to look at all stays with the gate's classifier.

    Args:
        model: Any LangChain chat model.
        gate: The embedded extractor, whose `worth` decides without a model.
        timeout_s: Seconds for one reply.
        zone: The user's time zone, for relative dates.
        reply_tokens: Most tokens of one reply.
    """

    quick = False

    def __init__(
        self,
        model: "BaseChatModel",
        gate: Extractor,
        timeout_s: float,
        zone: tzinfo | None = None,
        *,
        reply_tokens: int = REPLY_TOKENS,
    ) -> None:
        self._model = model
        self._gate = gate
        self._timeout_s = timeout_s
        self._zone = zone
        self._reply_tokens = reply_tokens
        self._structured = True

    def worth(self, message: Turn, window: Sequence[Turn]) -> Verdict:
        """Whether to extract from this message now."""
        return self._gate.worth(message, window)

    async def extract(self, turns: Sequence[Turn], new: Sequence[int]) -> Sequence[Candidate]:
        """Candidates from the user turns whose indices are in `new`, in one call.

        Raises:
            Unreachable: The model failed, took too long, refused, or wrote nothing that can be read.
        """
        reply = await self._reply(_messages(turns, new))
        found = read_object(reply, "memories")
        if found is None:
            raise UnreadableReply("The chat model's reply holds no JSON with the memories.")
        return candidates(found, turns, new, self._zone)

    async def _reply(self, messages: "list[BaseMessage]") -> str:
        """The reply, asked for by schema where the endpoint knows that; one that refuses it is not asked so again."""
        given: dict[str, Any] = {"extra_body": {"response_format": _FORMAT}} if self._structured else {}
        try:
            return await completion(self._model, messages, self._timeout_s, max_tokens=self._reply_tokens, **given)
        except ChatModelFailed as refused:
            if not (self._structured and "response_format" in str(refused)):
                raise
        self._structured = False
        return await completion(self._model, messages, self._timeout_s, max_tokens=self._reply_tokens)


def _messages(turns: Sequence[Turn], new: Sequence[int]) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage, SystemMessage

    lang = language_of(" ".join(turns[at].text for at in new))
    system = prompt("extract", lang).fill(kin=", ".join(CODES), keys=", ".join(KEYS))
    shown = "\n".join(_shown(at, turn, at in new) for at, turn in enumerate(turns))
    return [SystemMessage(system), HumanMessage(shown)]


def _shown(at: int, turn: Turn, new: bool) -> str:
    said = f' at="{iso(turn.at)}"' if turn.at else ""
    mark = ' new="yes"' if new else ""
    return f'<turn n="{at}" role="{turn.role}"{said}{mark}>\n{_TAG.sub("‹", turn.text)}\n</turn>'
