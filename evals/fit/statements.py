"""Fitting the judge of statements: `python -m zhiji.evals.fit.statements --data LINES [--out FOLDER]`.

Learns from the lines whose id has an even sha256: what is stated given the speaker's profile, and without a profile
whether anything is stated of the speaker. Needs scikit-learn. Only numbers are written; the figures of five-fold cross-validation are logged, and how readily an
utterance is taken to state something is chosen on them.
"""

import argparse
import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zhiji.evals.lines import read_lines
from zhiji.evals.statements import StatementLine
from zhiji.models.statements.features import BUCKETS, SCALE, Buckets, signs
from zhiji.models.statements.judge import LABELS

FOLDS, SEED, STRENGTH = 5, 20261201, 0.3
"""Folds of the cross-validation; inverse regularisation, the best of .3 and 1 by it."""
TAKEN = 0.12
"""Share of irrelevant utterances that may be taken to state something of the speaker."""
EDGES = np.arange(-2.0, 4.0, 0.02)

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
log = logging.getLogger("statements")


def matrix(rows: Sequence[Buckets]) -> Any:
    """One row of hashed signs an utterance, each of length SCALE."""
    from scipy.sparse import csr_matrix

    values = np.concatenate([np.full(len(row), SCALE / np.sqrt(max(1, len(row))), np.float32) for row in rows])
    ends = np.cumsum([0, *(len(row) for row in rows)])
    return csr_matrix((values, np.concatenate(rows), ends), shape=(len(rows), BUCKETS))


def regression(x: Any, y: Ints) -> Any:
    """A logistic regression, multinomial where there are three labels."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=STRENGTH, max_iter=1000, random_state=SEED).fit(x, y)


def cross_validated(x: Any, y: Ints, fold_of: Ints) -> Floats:
    """Logits of every row, shape `(rows, 3)`, from folds that did not see it."""
    logits = np.zeros((len(y), len(LABELS)), np.float32)
    for turn in range(FOLDS):
        held = fold_of == turn
        logits[held] = regression(x[~held], y[~held]).decision_function(x[held])
    return logits


def reluctance(logits: Floats, y: Ints) -> float:
    """What is added to the logit of `irrelevant` so that no more than TAKEN of the irrelevant ones are taken."""
    for edge in EDGES:
        if taken(logits, y, float(edge)) <= TAKEN:
            return float(edge)
    raise ValueError("No edge is high enough; the regression tells nothing.")


def taken(logits: Floats, y: Ints, edge: float) -> float:
    """Share of irrelevant utterances that are taken to state something."""
    return float((_labels(logits, edge)[y == 0] != 0).mean())


def _labels(logits: Floats, edge: float) -> Ints:
    moved = logits + np.array([edge, 0.0, 0.0], np.float32)
    return np.asarray(moved.argmax(axis=1), np.int64)


def fit(lines: Sequence[StatementLine]) -> dict[str, Any]:
    """Everything the judge needs, by name."""
    x = matrix([signs(line.utterance, line.attribute, line.held) for line in lines])
    y = np.array([LABELS.index(line.label) for line in lines])
    fold_of = np.array([int(hashlib.sha256(line.id.encode()).hexdigest()[:8], 16) % FOLDS for line in lines])
    logits = cross_validated(x, y, fold_of)
    edge = reluctance(logits, y)
    accuracy = float((_labels(logits, edge) == y).mean())
    log.info("lines %d, edge %.2f, accuracy %.4f, taken %.4f", len(y), edge, accuracy, taken(logits, y, edge))
    fitted = regression(x, y)
    bias = fitted.intercept_ + np.array([edge, 0.0, 0.0])
    own = regression(matrix([signs(line.utterance, line.attribute, "") for line in lines]), np.minimum(y, 1))
    return {
        "signs": fitted.coef_.astype(np.float16),
        "bias": bias.astype(np.float32),
        "own": own.coef_[0].astype(np.float16),
        "own_bias": np.float32(own.intercept_[0]),
    }


def main() -> None:
    """Fit on the even half of a set and write the weights beside the models."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[2] / "models" / "data")
    given = parser.parse_args()
    held = fit(read_lines(given.data, StatementLine, "even"))
    np.savez_compressed(given.out / "statement_weights.npz", **held)


if __name__ == "__main__":
    main()
