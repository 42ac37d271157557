"""Fitting which sentence of a passage answers: `python -m zhiji.evals.fit.answer --data DATA --out FOLDER`.

Learns from the questions of `kb_qa/cmrc` whose id has an even sha256, reports the odd ones. Only numbers are written.
"""

import argparse
import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold
from zhiji.models.answering.bearing import NAMES, asked, piece_features
from zhiji.models.answering.units import units

STEPS, RATE, RIDGE = 400, 0.05, 1e-3
# The set's passages hold no lists, codes are rare in it, and its first sentences are a habit of encyclopedias.
BY_HAND = {
    "heading": 0.5,
    "section": 1.5,
    "bare_line": -1.5,
    "code": 3.0,
    "code_missing": -1.0,
    "item_how": 1.0,
    "position": -0.3,
    "gives_how": 0.8,
    "gives_how_long": 1.0,
}

Floats = NDArray[np.float64]
log = logging.getLogger("answer")


def examples(data: Path, *, even: bool) -> list[tuple[Floats, Floats]]:
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
                found.append((np.array([[row.get(name, 0.0) for name in NAMES] for row in rows]), right))
    return found


def _even(text: str) -> bool:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 0


def _holds(piece: str, evidence: str) -> bool:
    one, other = fold(piece), fold(evidence)
    return other.strip() in one or one.strip() in other


def fit(found: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Weights of a softmax over the sentences of a passage, shape `(features,)`."""
    weights, mean, square = np.zeros(len(NAMES)), np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for step in range(1, STEPS + 1):
        gradient = RIDGE * weights
        for rows, right in found:
            share = np.exp(rows @ weights - (rows @ weights).max())
            share /= share.sum()
            wanted = share * right / (share @ right)
            gradient = gradient + rows.T @ (share - wanted) / len(found)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def accuracy(found: Sequence[tuple[Floats, Floats]], weights: Floats, top: int) -> float:
    """Share of questions whose evidence is among the `top` best sentences."""
    return float(np.mean([right[np.argsort(-(rows @ weights))[:top]].any() for rows, right in found]))


def main() -> None:
    """Fit on the even half, report the odd half, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--out", type=Path, required=True, help="folder the weights are written to")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cmrc = given.data / "kb_qa" / "cmrc"
    weights = fit(examples(cmrc, even=True))
    held = examples(cmrc, even=False)
    plain = np.array([float(name == "covered_rare") for name in NAMES])
    for name, model in (("fitted", weights), ("terms only", plain)):
        log.info(
            "%s, n=%d: top 1 %.3f, top 2 %.3f", name, len(held), accuracy(held, model, 1), accuracy(held, model, 2)
        )
    values = {name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=True)} | BY_HAND
    (given.out / "answer.json").write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
