"""A set of questions asked of a base as it stands: which expected texts reach the prompt, and what lost the others."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from zhiji.core.settings import Settings
from zhiji.evals.lines import Line, read_lines, reject
from zhiji.evals.measured import Advance, silent
from zhiji.evals.plot import bars
from zhiji.graph.inspect import Inspector, inspecting
from zhiji.stores.knowledge.inspection import LOSSES

REACHED = "reached the prompt"


class CheckLine(Line):
    """A question, and the text or texts that should reach the prompt; `evidence` is another name for them."""

    question: str = Field(min_length=1)
    expect: str | tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    answerable: bool = True

    @property
    def expected(self) -> tuple[str, ...]:
        """The texts that should reach the prompt; none: nothing should."""
        named = (self.expect,) if isinstance(self.expect, str) else self.expect
        return tuple(text for text in dict.fromkeys((*named, *self.evidence)) if text.strip())


def read_checks(path: Path) -> list[CheckLine]:
    """The lines of a file of questions.

    Raises:
        Misuse: The file cannot be read, or a line names no text although it should be answered.
    """
    lines = read_lines(path, CheckLine)
    for line in lines:
        if line.answerable and not line.expected:
            raise reject(
                line, 'no text in "expect" or "evidence"; say "answerable": false where nothing should be found'
            )
    return lines


async def check_questions(
    lines: Sequence[CheckLine],
    *,
    base: str = "default",
    category: str | None = None,
    settings: Settings | None = None,
    advance: Advance = silent,
) -> dict[str, Any]:
    """How many expected texts reached the prompt, how many each stage lost, and each that was lost with a hint.

    Questions that nothing answers count apart: a passage in their prompt is a false answer.
    """
    lost: Counter[str] = Counter()
    missed: list[dict[str, Any]] = []
    answered, release = 0, 0
    async with inspecting(base, settings) as inspector:
        for done, line in enumerate(lines, 1):
            found = await _followed(inspector, line, category)
            release, answered = found["release"], answered + found["answered"]
            lost.update(one["lost_at"] for one in found["missed"])
            missed += found["missed"]
            advance("ask", done, len(lines))
    expected = sum(len(line.expected) for line in lines if line.answerable)
    return {
        "base": base,
        "release": release,
        "questions": len(lines),
        "expected": expected,
        "reached": expected - lost.total(),
        "lost": {stage: lost[stage] for stage in LOSSES},
        "unanswerable": sum(not line.answerable for line in lines),
        "answered_all_the_same": answered,
        "missed": missed,
    }


def plot(result: dict[str, Any]) -> str:
    """Where the expected texts went, as SVG."""
    title = f"{result['base']}, release {result['release']}: {result['expected']} expected texts"
    return bars(title, {REACHED: result["reached"], **result["lost"]})


async def _followed(inspector: Inspector, line: CheckLine, category: str | None) -> dict[str, Any]:
    trace = await inspector.trace(line.question, category)
    if not line.answerable:
        return {"release": trace.release, "answered": bool(trace.prompt), "missed": []}
    expectations = [await inspector.expectation(trace, text) for text in line.expected]
    missed = [{"question": line.question, **one} for one in expectations if not one["found"]]
    return {"release": trace.release, "answered": False, "missed": missed}
