"""The suite `statements`: does an utterance state an attribute of its speaker, and does it agree with the profile?"""

from collections.abc import Sequence
from pathlib import Path

from zhiji.evals.lines import Half, Line, read_lines
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import Metrics, f1, mean, share
from zhiji.models.statements.judge import LABELS, Label, shares
from zhiji.models.statements.mentions import Attribute

_STEP = 256
"""Lines between two reports of progress."""


class Profile(Line):
    """What is held of the speaker; "" where nothing is."""

    gender: str = ""
    loc: str = ""
    constellation: str = ""


class StatementLine(Line):
    """An utterance, the attribute it may state, and what it states of its speaker."""

    id: str
    profile: Profile
    utterance: str
    attribute: Attribute
    label: Label

    @property
    def held(self) -> str:
        """What the profile says of the attribute."""
        value: str = getattr(self.profile, self.attribute)
        return value


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Judge every utterance of a set with the shipped weights."""
    lines = read_lines(data, StatementLine, half)
    told: list[Label] = []
    cases = []
    for done, line in enumerate(lines, 1):
        likely = shares(line.utterance, line.attribute, line.held)
        told.append(LABELS[int(likely.argmax())])
        cases.append(_case(line, told[-1], float(likely.max())))
        if done % _STEP == 0 or done == len(lines):
            advance("judge", done, len(lines))
    wanted = [line.label for line in lines]
    details = {"by_attribute": _by_attribute(lines, told), "by_label": by_label(told, wanted)}
    return Measured(len(lines), figures(told, wanted), {}, details, cases)


def figures(told: Sequence[Label], wanted: Sequence[Label]) -> Metrics:
    """Accuracy, the mean F1 of the labels, and how many irrelevant utterances are taken to state something.

    >>> figures(["entailed", "irrelevant"], ["irrelevant", "irrelevant"])["irrelevant_false_rate"]
    0.5
    """
    irrelevant = [got for got, want in zip(told, wanted, strict=True) if want == "irrelevant"]
    scores = [one["f1"] for one in by_label(told, wanted).values()]
    return {
        "accuracy": share(sum(got == want for got, want in zip(told, wanted, strict=True)), len(wanted)),
        "f1": mean([score for score in scores if score is not None]),
        "irrelevant_false_rate": share(sum(got != "irrelevant" for got in irrelevant), len(irrelevant)),
    }


def by_label(told: Sequence[Label], wanted: Sequence[Label]) -> dict[str, Metrics]:
    """Precision, recall and F1 of every label; None where it was neither told nor wanted."""
    found: dict[str, Metrics] = {}
    for name in LABELS:
        hits = sum(got == want == name for got, want in zip(told, wanted, strict=True))
        precision, recall = share(hits, told.count(name)), share(hits, wanted.count(name))
        found[name] = {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
    return found


def _by_attribute(lines: Sequence[StatementLine], told: Sequence[Label]) -> dict[str, Metrics]:
    found: dict[str, Metrics] = {}
    for name in dict.fromkeys(line.attribute for line in lines):
        places = [at for at, line in enumerate(lines) if line.attribute == name]
        found[name] = {"n": len(places), **figures([told[at] for at in places], [lines[at].label for at in places])}
    return found


def _case(line: StatementLine, told: Label, likely: float) -> Case:
    return Case(
        line.id,
        {"profile": line.profile.model_dump(), "utterance": line.utterance, "attribute": line.attribute},
        {"label": line.label},
        {"label": told, "probability": round(likely, 4)},
        {"correct": float(told == line.label)},
    )
