"""Whether to extract memories now, and why."""

from collections.abc import Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from zhiji.core.time import now
from zhiji.core.turn import Turn
from zhiji.models.extract import Verdict
from zhiji.nodes.conversation import question_of, turn_of, turns_before
from zhiji.nodes.engines import Engines, engines, memory_of
from zhiji.nodes.state import Asked
from zhiji.nodes.threads import thread_of
from zhiji.nodes.timing import timed
from zhiji.stores.memory.user import UserMemory

EVERY_TURNS = 4
"""Unextracted messages that make a batch; seeds, document 000 §5.4: every 3 to 5 turns."""
CONTEXT_TURNS = 4
"""Turns kept with a queued message, to understand it by."""


@timed
async def gate(state: Asked, runtime: Runtime[Any]) -> Command[Literal["extract_memory", "__end__"]]:
    """Extract when the user's words hold something lasting, else keep them queued.

    Reads `messages`; writes `gate_reason`. What may hold something is queued durably first, so that a crash from here
    on loses nothing; chit-chat stays in the queue until enough has come together, the thread idles or the user comes
    back.
    """
    using = await engines()
    question = question_of(dict(state))
    memory, thread = await memory_of(runtime), thread_of(runtime)
    message, window = turn_of(question), turns_before(state["messages"], question)
    verdict = await _verdict(using, memory, thread, message, window)
    runtime.stream_writer({"stage": "gate", "extract": verdict.worth, "why": verdict.reason})
    return Command(goto="extract_memory" if verdict.worth else "__end__", update={"gate_reason": verdict.reason})


async def _verdict(using: Engines, memory: UserMemory, thread: str, message: Turn, window: Sequence[Turn]) -> Verdict:
    asked = await memory.questions(thread)
    verdict = using.extractor.worth(message, window)
    if not (using.extractor.quick or verdict.worth) and await _left_elsewhere(memory, thread):
        verdict = Verdict(True, "messages of another thread are waiting")
    if verdict.barren and not asked:
        return verdict
    waiting = await memory.enqueue(message, window[-CONTEXT_TURNS:], thread=thread)
    if waiting == 0:
        return Verdict(False, "already extracted")
    if asked:
        return Verdict(True, "a question to the user is open")
    if not verdict.worth and waiting >= EVERY_TURNS:
        return Verdict(True, f"{waiting} messages are waiting")
    return verdict


async def _left_elsewhere(memory: UserMemory, thread: str) -> bool:
    """Whether another thread left messages that a slow extractor takes after an answer, never before it."""
    at = now()
    return any(message.thread != thread and message.due(at) for message in await memory.queued())
