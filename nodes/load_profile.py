"""Who is speaking: a few lines of identity, and the constraints that always hold."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from zhiji.core.errors import InvalidInput
from zhiji.core.ids import tenant_of
from zhiji.core.secrets import find_secret
from zhiji.core.settings import ConfirmPolicy
from zhiji.core.time import iso, now
from zhiji.nodes.conversation import question_of, said_at, text_of
from zhiji.nodes.engines import engines, memory_of, option, user_of
from zhiji.nodes.learning import catch_up
from zhiji.nodes.state import Begun
from zhiji.nodes.threads import thread_of
from zhiji.nodes.timing import timed


@timed
async def load_profile(state: Begun, runtime: Runtime[Any]) -> dict[str, Any]:
    """Load the user's core identity and start the turn afresh.

    Reads `messages`; writes `question_id`, `profile`, and the time of a message that came without one. What other
    threads left unextracted is learned first.

    Raises:
        InvalidInput: The thread is another user's, whose words this one must not see.
    """
    owner = tenant_of(user_of(runtime))
    if state.get("thread_owner", owner) != owner:
        raise InvalidInput("This thread belongs to another user; start a new one.")
    question = question_of({"messages": state["messages"], "question_id": option(runtime, "message_id", "")})
    using, memory = await engines(), await memory_of(runtime)
    confirm: ConfirmPolicy = option(runtime, "confirm", using.settings.confirm)
    if using.extractor.quick:
        await catch_up(using.extractor, memory, thread_of(runtime), confirm)
    facts = await memory.profile_facts()
    fresh: dict[str, Any] = {
        "thread_owner": owner,
        "question_id": question.id,
        "profile": [replace(fact, pinned=True, relevant=False) for fact in facts],
        "degraded": [],
    }
    if (kept := _kept(question, option(runtime, "at", now()))) is not question:
        fresh["messages"] = [kept]
    return fresh


def _kept(message: HumanMessage, at: datetime) -> HumanMessage:
    """The message as the thread keeps it: with its time, and without a secret."""
    changes: dict[str, Any] = {}
    if said_at(message) is None:
        changes["additional_kwargs"] = {**message.additional_kwargs, "at": iso(at)}
    if find_secret(str(message.text)):
        changes["content"] = text_of(message)
    return message.model_copy(update=changes) if changes else message
