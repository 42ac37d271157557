"""What the user's memory becomes."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from zhiji.core.settings import ConfirmPolicy
from zhiji.nodes.conversation import question_of
from zhiji.nodes.engines import engines, memory_of, option
from zhiji.nodes.learning import learn
from zhiji.nodes.state import TurnState
from zhiji.nodes.threads import thread_of
from zhiji.nodes.timing import timed


@timed
async def write_memory(state: TurnState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Reconcile the candidates with what is held and store them; ask where a memory waits for a yes.

    Reads `extracted`; writes `learned`, `pending`, and the question to `messages` where one is asked.
    """
    using = await engines()
    memory, thread = await memory_of(runtime), thread_of(runtime)
    confirm: ConfirmPolicy = option(runtime, "confirm", using.settings.confirm)
    learned = await learn(memory, state.get("extracted") or [], confirm)
    pending = await memory.ask(thread, [one.id for one in learned if one.status == "pending"])
    runtime.stream_writer({"stage": "learned", "learned": [(one.op, one.content, one.status) for one in learned]})
    update: dict[str, Any] = {"learned": learned, "pending": pending}
    if not pending:
        return update
    asked = AIMessage("\n".join(one["question"] for one in pending), id=f"{question_of(dict(state)).id}:ask")
    return {**update, "messages": [asked]}
