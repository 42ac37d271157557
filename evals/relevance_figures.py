"""Figures of relevance on questions to memories: who is found, and what is recalled for a question about nothing."""

from collections.abc import Sequence

import numpy as np

from zhiji.evals.metrics import auc
from zhiji.models.logistic import Floats, sigmoid
from zhiji.models.similarity import Relevance
from zhiji.stores.memory.recalling import THRESHOLD
from zhiji.stores.memory.relevance import gate_features


def probabilities(model: Relevance, tables: Sequence[Floats]) -> Floats:
    """The probability that each memory bears on a question, without the second hop."""
    weights = np.asarray(model.relative.weights)
    odds = np.max([table[:, model.relative_columns] @ weights + model.relative.bias for table in tables], axis=0)
    return np.asarray(float(model.gate.probability(gate_features(tables, model))[0]) * sigmoid(odds))


def figures(
    model: Relevance, asked: Sequence[tuple[Sequence[Floats], Floats]], threshold: float = THRESHOLD
) -> dict[str, float]:
    """Separation, and what passes the threshold of recall.

    `nothing_recalled` is the share of questions that no memory bears on for which none is recalled; `missed` the share
    of the others for which no right one is.
    """
    found = [(probabilities(model, tables), relevant.astype(bool)) for tables, relevant in asked]
    scores, right = np.concatenate([p for p, _ in found]), np.concatenate([y for _, y in found])
    passed = scores >= threshold
    empty = [float((p < threshold).all()) for p, y in found if not y.any()]
    missed = [float(not (y & (p >= threshold)).any()) for p, y in found if y.any()]
    top = [float(y[np.argsort(-p, kind="stable")[:3]].sum() / y.sum()) for p, y in found if y.any()]
    return {
        "n": float(len(found)),
        "auc": round(auc([float(s) for s in scores], [bool(y) for y in right]) or 0.0, 4),
        "recall@3": round(float(np.mean(top)), 4),
        "recall": round(float((passed & right).sum() / right.sum()), 4),
        "precision": round(float((passed & right).sum() / max(1, passed.sum())), 4),
        "nothing_recalled": round(float(np.mean(empty)), 4) if empty else 1.0,
        "missed": round(float(np.mean(missed)), 4),
    }
