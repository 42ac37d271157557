"""A scenario: what a user says over some sessions, one question, and what must then hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pydantic import field_validator

from zhiji.core.errors import InvalidInput
from zhiji.core.text import fold
from zhiji.core.time import parse_time
from zhiji.core.turn import Role
from zhiji.evals.lines import Line
from zhiji.stores.memory.records import Operation

Either = str | tuple[str, ...]
"""A text, or several of which one is enough."""


class _Timed(Line):
    at: str

    @field_validator("at")
    @classmethod
    def _is_time(cls, at: str) -> str:
        try:
            parse_time(at)
        except InvalidInput as wrong:
            raise ValueError(str(wrong)) from None
        return at

    @property
    def moment(self) -> datetime:
        """When it is said."""
        return parse_time(self.at)


class ScriptTurn(Line):
    """One turn; an assistant's text replaces the generated answer."""

    role: Role
    text: str


class ScriptSession(_Timed):
    """Turns of one thread; `same_thread` on the last one lets the question continue it."""

    turns: list[ScriptTurn]
    same_thread: bool = False


class Ask(_Timed):
    """The question."""

    text: str


class Op(Line):
    """An operation that must have happened, and a part of the memory it left or withdrew."""

    op: Operation
    value: str


class AnswerChecks(Line):
    """What must hold of the answer; `cites` names the letters of labels."""

    contains: tuple[Either, ...] = ()
    omits: tuple[str, ...] = ()
    abstained: bool | None = None
    cites: tuple[Literal["M", "K", "D"], ...] = ()


class StoredChecks(Line):
    """What must hold of the active memories after the question."""

    contains: tuple[Either, ...] = ()
    omits: tuple[str, ...] = ()
    count: int | None = None


class Scenario(Line):
    """One story; the texts of `expect` and `forbid` are looked for in what entered the prompt."""

    id: str
    lang: str
    sessions: list[ScriptSession]
    ask: Ask
    expect: list[Either]
    forbid: list[str]
    category: str = ""
    ops: tuple[Op, ...] = ()
    answer: AnswerChecks = AnswerChecks()
    stored: StoredChecks = StoredChecks()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What playing a scenario gave: texts as they were, operations as `(op, words)`."""

    prompt: Sequence[str] = ()
    answer: str = ""
    abstained: bool = False
    labels: Sequence[str] = ()
    ops: Sequence[tuple[str, str]] = ()
    stored: Sequence[str] = ()
    degraded: Sequence[str] = field(default_factory=tuple)

    def as_json(self) -> dict[str, Any]:
        """The outcome as plain JSON."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


def _plain(held: Any) -> Any:
    return list(held) if isinstance(held, tuple | list) else held


def failures(scenario: Scenario, outcome: Outcome) -> list[str]:
    """Why a scenario failed, one reason each; nothing when all holds."""
    prompt, answer, stored = _joined(outcome.prompt), fold(outcome.answer), _joined(outcome.stored)
    return [
        *_texts("prompt", prompt, scenario.expect, scenario.forbid),
        *_ops(scenario.ops, outcome.ops),
        *_texts("answer", answer, scenario.answer.contains, scenario.answer.omits),
        *_answer(scenario.answer, outcome),
        *_texts("memory", stored, scenario.stored.contains, scenario.stored.omits),
        *_count(scenario.stored.count, len(outcome.stored)),
        *(f"degraded: {note}" for note in outcome.degraded),
    ]


def _joined(texts: Sequence[str]) -> str:
    return "\n".join(fold(text) for text in texts)


def _texts(where: str, text: str, wanted: Sequence[Either], unwanted: Sequence[str]) -> Iterator[str]:
    for either in wanted:
        options = [either] if isinstance(either, str) else either
        if not any(fold(option) in text for option in options):
            yield f"{where} lacks {' | '.join(options)}"
    yield from (f"{where} holds {one}" for one in unwanted if fold(one) in text)


def _ops(wanted: Sequence[Op], happened: Sequence[tuple[str, str]]) -> Iterator[str]:
    for one in wanted:
        if not any(op == one.op and fold(one.value) in fold(words) for op, words in happened):
            yield f"no {one.op} of {one.value}"


def _answer(checks: AnswerChecks, outcome: Outcome) -> Iterator[str]:
    if checks.abstained is not None and checks.abstained != outcome.abstained:
        yield "answers" if checks.abstained else "abstains"
    cited = {label[:1] for label in outcome.labels}
    yield from (f"cites no [{letter}]" for letter in checks.cites if letter not in cited)


def _count(wanted: int | None, held: int) -> Iterator[str]:
    if wanted is not None and wanted != held:
        yield f"{held} memories instead of {wanted}"


def words_of(learned: Mapping[str, Any]) -> tuple[str, str]:
    """An operation, and the words of the memory and of the user it is known by."""
    return str(learned["op"]), f"{learned['content']}\n{learned['quote']}"
