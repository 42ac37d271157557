"""The classifiers: whether a clause is worth keeping, and what kind of memory it makes.

Regularised logistic regressions, fitted by `evals/fit/extract.py`; at run time they are a few dot products.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from zhiji.core.text import fold
from zhiji.models.extracting.features import Floats, Reading, clause_rows, groups, message_groups, message_row, norm

GROUP_SCALE, VECTOR_SCALE = 4.0, 5.0
"""Weights of the hashed groups and of the message's vector against the cues; chosen by cross-validation."""

CHANGE_SURE = 0.25
"""Share from which words are taken to change something: a missed change leaves two truths, a wrong one finds nothing to change."""
KEY_SURE = 0.3
"""A guess at the key that is less sure than this is none."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the classifiers say of one clause; `keep` is the probability that it tells something lasting."""

    keep: float
    type: str
    op: str
    negative: float
    temporary: float
    key: str
    key_sure: float


class Weights:
    """The fitted regressions."""

    def __init__(self, held: Any) -> None:
        self.keep: Floats = held["keep"].astype(np.float32)
        self.whole: Floats = held["whole"].astype(np.float32)
        self.gate: Floats = held["gate"].astype(np.float32)
        self.kinds: Floats = held["kinds"].astype(np.float32)
        self.names: list[str] = [str(name) for name in held["names"]]
        self.share = float(held["share"])
        self.threshold = float(held["threshold"])
        self.gate_threshold = float(held["gate_threshold"])


@cache
def weights() -> Weights:
    """The weights that ship with the package."""
    source = resources.files("zhiji.models").joinpath("data/extract_weights.npz")
    with source.open("rb") as file:
        return Weights(np.load(file, allow_pickle=False))


def sigmoid(value: Floats | float) -> Any:
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-np.asarray(value, dtype=np.float64)))


def gate_score(reading: Reading) -> float:
    """Probability that a message tells something lasting, from its words alone."""
    row = message_row(reading)
    return float(sigmoid(_linear(weights().gate, row, message_groups(fold(reading.text), han=reading.han))))


def keep_scores(reading: Reading, vector: Floats) -> Floats:
    """Probability that each clause is worth keeping, shape `(clauses,)`.

    `vector` is the message's own, shape `(dim,)`: one embedding serves all its clauses. How likely the message holds
    anything at all is added in the logit with the fitted share.
    """
    fitted = weights()
    whole = _linear(fitted.whole, message_row(reading), message_groups(fold(reading.text), han=reading.han), vector)
    rows = clause_rows(reading)
    logits = [
        _linear(fitted.keep, row, groups(folded, han=reading.han), vector)
        for row, folded in zip(rows, reading.folded, strict=True)
    ]
    scores: Floats = sigmoid(np.array(logits, np.float32) + fitted.share * whole).astype(np.float32)
    return scores


def judge(reading: Reading, vector: Floats) -> list[Judged]:
    """What the classifiers say of each clause of a message."""
    keep = keep_scores(reading, vector)
    rows = clause_rows(reading)
    return [
        _kind(float(keep[at]), rows[at], groups(folded, han=reading.han), vector)
        for at, folded in enumerate(reading.folded)
    ]


def _kind(keep: float, row: Floats, buckets: Any, vector: Floats) -> Judged:
    fitted = weights()
    logits = _linear(fitted.kinds, row, buckets, vector)
    said = dict(zip(fitted.names, (float(x) for x in logits), strict=True))
    kind, _ = _best(said, "type:")
    op, op_sure = _best(said, "op:")
    if op == "add" and op_sure <= 1 - CHANGE_SURE:
        op, op_sure = max(("supersede", "retract"), key=lambda name: said[f"op:{name}"]), 1 - op_sure
    key, key_sure = _best(said, "key:")
    key = key if key_sure >= KEY_SURE else "other"
    negative, temporary = float(sigmoid(said["negative"])), float(sigmoid(said["temporary"]))
    return Judged(keep, kind, op, negative, temporary, key, key_sure)


def _best(said: dict[str, float], prefix: str) -> tuple[str, float]:
    names = [name for name in said if name.startswith(prefix)]
    odds = np.array([said[name] for name in names])
    shares = np.exp(odds - odds.max())
    at = int(odds.argmax())
    return names[at].removeprefix(prefix), float(shares[at] / shares.sum())


def _linear(fitted: Floats, row: Floats, buckets: Any, vector: Floats | None = None) -> Any:
    """Dot product with weights laid out as [row, buckets, vector, bias] along the last axis."""
    at, last = len(row), fitted.shape[-1] - 1
    total = fitted[..., :at] @ row + fitted[..., last]
    width = last - at - (0 if vector is None else len(vector))
    total = total + fitted[..., at + (np.asarray(buckets) % width)].sum(axis=-1) * (GROUP_SCALE / norm(buckets))
    if vector is not None:
        total = total + fitted[..., at + width : last] @ vector * VECTOR_SCALE
    return total
