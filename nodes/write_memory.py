"""What the user's memory becomes."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from zhiji.core.settings import ConfirmPolicy
from zhiji.models.yes_no import yes_or_no
from zhiji.nodes.conversation import question_of, text_of
from zhiji.nodes.engines import engines, memory_of, option
from zhiji.nodes.learning import learn
from zhiji.nodes.state import Learning
from zhiji.nodes.threads import thread_of
from zhiji.nodes.timing import timed
from zhiji.stores.memory.records import Learned
from zhiji.stores.memory.user import UserMemory


@timed
async def write_memory(state: Learning, runtime: Runtime[Any]) -> dict[str, Any]:
    """Reconcile the candidates with what is held and store them; ask where a memory waits for a yes.

    Reads `extracted`; writes `learned`, `pending`, and the question to `messages` where one is asked.
    """
    using = await engines()
    memory, thread = await memory_of(runtime), thread_of(runtime)
    confirm: ConfirmPolicy = option(runtime, "confirm", using.settings.confirm)
    settled = await _settle(memory, thread, text_of(question_of(dict(state))))
    learned = settled + await learn(memory, state.get("extracted") or [], confirm)
    waiting = [one.id for one in learned if one.status == "pending"]
    pending = await memory.ask(thread, waiting) if waiting else []
    runtime.stream_writer({"stage": "learned", "learned": [(one.op, one.content, one.status) for one in learned]})
    update: dict[str, Any] = {"learned": learned, "pending": pending}
    if not pending:
        return update
    asked = AIMessage("\n".join(one["question"] for one in pending), id=f"{question_of(dict(state)).id}:ask")
    return {**update, "messages": [asked]}


async def _settle(memory: UserMemory, thread: str, reply: str) -> list[Learned]:
    """Let a yes or no decide what the thread's last turn asked; anything else leaves it pending."""
    if not await memory.questions(thread):
        return []
    accept = yes_or_no(reply)
    if accept is None:
        await memory.pass_over(thread)
        return []
    return await memory.settle(thread, accept)
