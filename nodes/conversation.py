"""The thread as the nodes see it: the question, the window before it, and when each message was said."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from zhiji.core.errors import InvalidInput
from zhiji.core.secrets import mask_secrets
from zhiji.core.text import clean
from zhiji.core.time import now, parse_time
from zhiji.core.turn import Role, Turn

MAX_MESSAGE = 20_000
"""Characters of one message; longer text belongs into the knowledge base."""


def text_of(message: AnyMessage) -> str:
    """The words of a message, cleaned, its secrets blacked out; content blocks that are not text are left out."""
    return mask_secrets(clean(str(message.text)).strip())


def said_at(message: AnyMessage) -> datetime | None:
    """When a message was said, where that is known."""
    at = message.additional_kwargs.get("at")
    return parse_time(at) if isinstance(at, str) else None


def question_of(state: dict[str, Any]) -> HumanMessage:
    """The message this turn answers: the one `question_id` names, else the user's last.

    Raises:
        InvalidInput: The thread holds no words of the user, or too many at once.
    """
    wanted = state.get("question_id")
    for message in reversed(state.get("messages") or []):
        if isinstance(message, HumanMessage) and (not wanted or message.id == wanted):
            return _checked(message)
    raise InvalidInput("There is no message to answer; send one with role user.")


def _checked(message: HumanMessage) -> HumanMessage:
    length = len(str(message.text))
    if length > MAX_MESSAGE:
        raise InvalidInput(
            f"The message has {length} characters; at most {MAX_MESSAGE} are read."
            " Put long text into a file and ingest it."
        )
    if not text_of(message):
        raise InvalidInput("The message is empty; write something.")
    return message


def answer_id(question: HumanMessage) -> str:
    """The id of a question's answer, so that answering it again replaces the answer."""
    return f"{question.id}:answer"


def turns_before(messages: Sequence[AnyMessage], question: HumanMessage, after: str = "") -> list[Turn]:
    """The user's and the assistant's turns before a question, oldest first, from the message after `after` on."""
    turns: list[Turn] = []
    for message in messages:
        if message.id == question.id:
            break
        if isinstance(message, HumanMessage | AIMessage) and text_of(message):
            turns.append(turn_of(message))
        if after and message.id == after:
            turns.clear()
    return turns


def turn_of(message: AnyMessage) -> Turn:
    """A message as the policies see it."""
    role: Role = "user" if isinstance(message, HumanMessage) else "assistant"
    return Turn(role, text_of(message), message.id or "", said_at(message))


def time_of(question: HumanMessage) -> datetime:
    """The moment of a turn: when its message was said, else now."""
    return said_at(question) or now()
