"""The suite `rewrite`: is a question completed from the conversation, and left alone where it needs nothing?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from zhiji.core.turn import Role, Turn
from zhiji.evals.lines import Half, Line, read_lines
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import Metrics, char_f1, means
from zhiji.evals.texts import bare
from zhiji.models.rewrite import Rewriter

SELF_CONTAINED = "self_contained"


class Spoken(Line):
    """One turn of a conversation."""

    role: Role
    text: str

    def turn(self) -> Turn:
        """The turn as the capabilities take it."""
        return Turn(self.role, self.text)


class RewriteLine(Line):
    """A question after some turns, and what it means by itself."""

    id: str
    history: list[Spoken]
    query: str
    rewrite: str
    category: Literal["rewrite", "self_contained"] | str = ""

    @property
    def self_contained(self) -> bool:
        """Whether the question must come back as it was."""
        return self.category == SELF_CONTAINED or bare(self.query) == bare(self.rewrite)


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Rewrite every question of a set."""
    from zhiji.models.rewrite_embedded import EmbeddedRewriter

    return await measure_with(EmbeddedRewriter(), read_lines(data, RewriteLine, half), advance)


async def measure_with(rewriter: Rewriter, lines: Sequence[RewriteLine], advance: Advance) -> Measured:
    """The figures of a rewriter, beside those of leaving every question as it is and of gluing it to the one before."""
    cases = []
    for done, line in enumerate(lines, 1):
        query = await rewriter.rewrite(line.query, [spoken.turn() for spoken in line.history])
        cases.append(_case(line, query.text))
        advance("rewrite", done, len(lines))
    metrics = means([case.scores for case in cases])
    baselines: dict[str, Metrics] = {
        "unchanged": means([scores_of(line, line.query) for line in lines]),
        "glued": means([scores_of(line, glued(line)) for line in lines]),
    }
    details = {"by_category": _by_category(lines, cases), "outcomes": _outcomes(lines, cases)}
    return Measured(len(lines), metrics, baselines, details, cases)


def glued(line: RewriteLine) -> str:
    """The user's last turn and the query, one after the other."""
    last = next((spoken.text for spoken in reversed(line.history) if spoken.role == "user"), "")
    return f"{last} {line.query}".strip()


def _outcomes(lines: Sequence[RewriteLine], cases: Sequence[Case]) -> dict[str, int]:
    """How many follow-ups were completed (`tp`) or not (`fn`), and how many other questions kept (`tn`) or not (`fp`).

    Completed is what came nearer to what is meant.
    """
    counts = dict.fromkeys(("tp", "fp", "fn", "tn"), 0)
    for line, case in zip(lines, cases, strict=True):
        before = scores_of(line, line.query)
        if line.self_contained:
            counts["tn" if case.scores["unchanged_rate"] else "fp"] += 1
        else:
            counts["tp" if case.scores["char_f1"] > before["char_f1"] else "fn"] += 1
    return counts


def scores_of(line: RewriteLine, text: str) -> dict[str, float]:
    """The figures of one rewritten question; a self-contained one can only be left alone or not."""
    given, wanted = bare(text), bare(line.rewrite)
    if line.self_contained:
        return {"unchanged_rate": float(given == bare(line.query))}
    return {"exact": float(given == wanted), "char_f1": char_f1(given, wanted)}


def _case(line: RewriteLine, text: str) -> Case:
    inputs = {"history": [spoken.model_dump() for spoken in line.history], "query": line.query}
    return Case(line.id, inputs, {"rewrite": line.rewrite}, {"rewrite": text}, scores_of(line, text))


def _by_category(lines: Sequence[RewriteLine], cases: Sequence[Case]) -> dict[str, Metrics]:
    names = dict.fromkeys(line.category for line in lines)
    grouped = {name: [case for line, case in zip(lines, cases, strict=True) if line.category == name] for name in names}
    return {name: {"n": len(some), **means([case.scores for case in some])} for name, some in grouped.items()}
