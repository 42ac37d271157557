"""From queued messages to memories: the same path for a turn, an idle thread and the end of a chat."""

from collections.abc import Sequence
from dataclasses import dataclass

from zhiji.core.settings import ConfirmPolicy
from zhiji.models.extract import Candidate, Extractor
from zhiji.stores.memory.records import Learned, QueuedMessage
from zhiji.stores.memory.user import UserMemory


@dataclass(frozen=True, slots=True)
class Extracted:
    """One queued message, and the candidates its words gave."""

    message: QueuedMessage
    candidates: Sequence[Candidate]


async def extract_queued(extractor: Extractor, memory: UserMemory, thread: str | None = None) -> list[Extracted]:
    """Candidates from every queued message of a thread (None: of all threads), oldest first."""
    return [await _extract(extractor, message) for message in await memory.queued(thread)]


async def _extract(extractor: Extractor, message: QueuedMessage) -> Extracted:
    turns = [*message.window, message.turn]
    return Extracted(message, await extractor.extract(turns, [len(turns) - 1]))


async def learn(memory: UserMemory, extracted: Sequence[Extracted], confirm: ConfirmPolicy) -> list[Learned]:
    """Reconcile and store message by message, each in one transaction that also takes it off the queue."""
    learned: list[Learned] = []
    for one in extracted:
        learned += await memory.learn(one.candidates, one.message, confirm=confirm)
    return learned


async def flush(extractor: Extractor, memory: UserMemory, confirm: ConfirmPolicy) -> list[Learned]:
    """Learn from everything that is still queued of a user."""
    return await learn(memory, await extract_queued(extractor, memory), confirm)


async def catch_up(extractor: Extractor, memory: UserMemory, thread: str, confirm: ConfirmPolicy) -> list[Learned]:
    """Learn from what the user's other threads left behind, so that this turn can already recall it."""
    left = [message for message in await memory.queued() if message.thread != thread]
    return await learn(memory, [await _extract(extractor, message) for message in left], confirm)
