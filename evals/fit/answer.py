"""Fitting which sentence of the passages answers: `python -m zhiji.evals.fit.answer --data DATA --out FOLDER`.

Learns from the questions of `kb_qa/cmrc` whose id has an even sha256 and from `evals/answers/open.jsonl`; reports the
odd ones, and the open ones by five folds. `evals/answers/held_out.jsonl` is never looked at. Only numbers are written.
"""

import argparse
import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold
from zhiji.evals.answer_lines import AnswerLine, sections_of
from zhiji.evals.lines import read_lines
from zhiji.graph.sample import SAMPLE_DOCS
from zhiji.models.answering.bearing import NAMES, asked, described, piece_features
from zhiji.models.answering.units import Unit, units
from zhiji.models.answering.wording import worded

STEPS, RATE, RIDGE = 400, 0.05, 2e-3
OWN_SHARE = 0.5
"""Weight of the open questions beside the encyclopedia's, which hold no lists, tables, codes or look-alikes."""
FOLDS = 5
# Where the weights start from and are drawn back to: what neither set can tell well.
START = {
    "heading": 0.5,
    "section": 1.5,
    "bare_line": -1.5,
    "code": 3.0,
    "code_missing": -1.0,
    "item_how": 1.0,
    "position": -0.3,
    "gives_how": 0.8,
    "gives_how_long": 1.0,
    "replies": 1.5,
    "label": 2.0,
    "twin": -4.0,
    "exception": -0.3,
}
OPEN = Path(__file__).parents[1] / "answers" / "open.jsonl"

Floats = NDArray[np.float64]
Example = tuple[Floats, Floats, Floats]
"""Features of a question's pieces, shape `(n, features)`, what their passages count, and which of them answer."""
log = logging.getLogger("answer")


def examples(data: Path, *, even: bool) -> list[Example]:
    """For each question, features of its passage's sentences, shape `(n, features)`, and which hold the evidence."""
    found = []
    for line in map(json.loads, (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()):
        if _even(line["id"]) == even and line["answerable"]:
            text = (data / "docs" / line["docs"][0]).read_text(encoding="utf-8")
            _, _, body = text.partition("\n")
            pieces = units(body)
            right = np.array([any(_holds(piece.text, one) for one in line["evidence"]) for piece in pieces], float)
            if right.any() and len(pieces) > 1:
                rows = piece_features(asked(line["question"]), pieces, "")
                found.append((_table(rows), np.zeros(len(pieces)), right))
    return found


def own_examples() -> list[Example]:
    """The open questions, each with all pieces of all its passages; right are those that hold a text to lead with."""
    sample, found = sections_of(SAMPLE_DOCS), []
    for line in read_lines(OPEN, AnswerLine):
        pieces = list(described(asked(line.query or line.question), line.request(sample).passages))
        right = np.array([any(fold(one) in _text(piece) for one in line.lead) for piece, *_ in pieces], float)
        if right.any() and not right.all():
            found.append((_table([row for _, row, *_ in pieces]), np.array([prior for *_, prior, _ in pieces]), right))
    return found


def _text(piece: Unit) -> str:
    return fold(worded(piece, whole=True) + piece.text)


def _table(rows: Sequence[Mapping[str, float]]) -> Floats:
    return np.array([[row.get(name, 0.0) for name in NAMES] for row in rows])


def _even(text: str) -> bool:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 0


def _holds(piece: str, evidence: str) -> bool:
    one, other = fold(piece), fold(evidence)
    return other.strip() in one or one.strip() in other


def fit(sets: Sequence[tuple[float, Sequence[Example]]]) -> Floats:
    """Weights of a softmax over the pieces of each question, shape `(features,)`; each set has its share."""
    start = np.array([START.get(name, 0.0) for name in NAMES])
    weights, mean, square = start.copy(), np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for step in range(1, STEPS + 1):
        gradient = RIDGE * (weights - start)
        for part, found in sets:
            gradient = gradient + part * sum(_slope(one, weights) for one in found) / len(found)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def _slope(example: Example, weights: Floats) -> Floats:
    rows, prior, right = example
    score = rows @ weights + prior
    share = np.exp(score - score.max())
    share /= share.sum()
    wanted = share * right / (share @ right)
    return np.asarray(rows.T @ (share - wanted))


def accuracy(found: Sequence[Example], weights: Floats, top: int) -> float:
    """Share of questions with an answering piece among the `top` best."""
    return float(np.mean([right[np.argsort(-(rows @ weights + prior))[:top]].any() for rows, prior, right in found]))


def folded(own: Sequence[Example], even: Sequence[Example]) -> float:
    """How often the first piece answers an open question that was not learned from."""
    right = 0.0
    for fold_at in range(FOLDS):
        held, rest = own[fold_at::FOLDS], [one for at, one in enumerate(own) if at % FOLDS != fold_at]
        right += accuracy(held, fit([(1 - OWN_SHARE, even), (OWN_SHARE, rest)]), 1) * len(held)
    return right / len(own)


def main() -> None:
    """Fit on the even half and the open questions, report the odd half, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--out", type=Path, required=True, help="folder the weights are written to")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cmrc = given.data / "kb_qa" / "cmrc"
    even, held, own = examples(cmrc, even=True), examples(cmrc, even=False), own_examples()
    weights = fit([(1 - OWN_SHARE, even), (OWN_SHARE, own)])
    plain = np.array([float(name == "covered_rare") for name in NAMES])
    for name, model in (("fitted", weights), ("terms only", plain)):
        log.info(
            "%s, n=%d: top 1 %.3f, top 2 %.3f", name, len(held), accuracy(held, model, 1), accuracy(held, model, 2)
        )
    log.info("open, n=%d: top 1 %.3f, by folds %.3f", len(own), accuracy(own, weights, 1), folded(own, even))
    values = {name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=True)}
    (given.out / "answer.json").write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
