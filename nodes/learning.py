"""From queued messages to memories: the same path for a turn, an idle thread and the end of a chat."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from zhiji.core.errors import Unreachable
from zhiji.core.settings import ConfirmPolicy
from zhiji.core.time import now
from zhiji.core.turn import Turn
from zhiji.models.extract import Candidate, Extractor
from zhiji.stores.memory.records import Learned, QueuedMessage
from zhiji.stores.memory.user import UserMemory

logger = logging.getLogger("zhiji.memory")


@dataclass(frozen=True, slots=True)
class Extracted:
    """One queued message, and the candidates its words gave."""

    message: QueuedMessage
    candidates: Sequence[Candidate]


@dataclass(slots=True)
class Extraction:
    """What was extracted, and why some of the messages stay queued."""

    extracted: list[Extracted] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


async def extract_queued(extractor: Extractor, memory: UserMemory, thread: str | None = None) -> Extraction:
    """Candidates from the queued messages of a thread (None: of all threads), oldest first, one call a thread."""
    return await _extract(extractor, memory, await memory.queued(thread))


async def learn(memory: UserMemory, extracted: Sequence[Extracted], confirm: ConfirmPolicy) -> list[Learned]:
    """Reconcile and store message by message, each in one transaction that also takes it off the queue."""
    learned: list[Learned] = []
    for one in extracted:
        learned += await memory.learn(one.candidates, one.message, confirm=confirm)
    return learned


async def flush(extractor: Extractor, memory: UserMemory, confirm: ConfirmPolicy) -> list[Learned]:
    """Learn from everything that is still queued of a user."""
    return await learn(memory, (await extract_queued(extractor, memory)).extracted, confirm)


async def catch_up(extractor: Extractor, memory: UserMemory, thread: str, confirm: ConfirmPolicy) -> list[Learned]:
    """Learn from what the user's other threads left behind, so that this turn can already recall it."""
    left = [message for message in await memory.queued() if message.thread != thread]
    return await learn(memory, (await _extract(extractor, memory, left)).extracted, confirm)


async def _extract(extractor: Extractor, memory: UserMemory, waiting: Sequence[QueuedMessage]) -> Extraction:
    """A message whose extraction fails stays queued and is tried again later, after a growing pause."""
    done, at = Extraction(), now()
    for talk in _by_thread(message for message in waiting if message.due(at)):
        turns, new = _together(talk)
        try:
            found = await extractor.extract(turns, new)
        except Unreachable as failed:
            for message in talk:
                await memory.failed(message, str(failed))
            logger.warning("extraction from %d messages failed, to be tried again: %s", len(talk), failed)
            done.failures.append(f"extraction: {failed}")
            continue
        done.extracted += [
            Extracted(message, [one for one in found if one.turn == place])
            for message, place in zip(talk, new, strict=True)
        ]
    return done


def _by_thread(messages: Iterable[QueuedMessage]) -> list[list[QueuedMessage]]:
    threads: dict[str, list[QueuedMessage]] = {}
    for message in messages:
        threads.setdefault(message.thread, []).append(message)
    return list(threads.values())


def _together(talk: Sequence[QueuedMessage]) -> tuple[list[Turn], list[int]]:
    """The turns of a thread's messages in one row, each once, and the places of the messages."""
    turns: dict[object, Turn] = {}
    for message in talk:
        for turn in (*message.window, message.turn):
            turns.setdefault(_key(turn), turn)
    places = {key: place for place, key in enumerate(turns)}
    return list(turns.values()), [places[_key(message.turn)] for message in talk]


def _key(turn: Turn) -> object:
    return turn.id or (turn.role, turn.text)
