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
from zhiji.models.extracting.joining import pair_rows

GROUP_SCALE, VECTOR_SCALE = 4.0, 6.0
"""Weights of the hashed groups and of the clause's vector against the cues; chosen by cross-validation."""

CHANGE_SURE = 0.25
"""Share from which words are taken to change something: a missed change leaves two truths, a wrong one finds nothing to change."""
TOKENS, OVERHEAD, PER_HAN, PER_LATIN = 36.0, 6.0, 0.75, 0.28
"""Tokens that may be embedded for one message (about a millisecond each on the slowest machine measured), those that
every clause costs on top of its own, and those of a Chinese and of a Latin character."""
HOPELESS = -2.0
"""Logit below which no vector makes a clause worth keeping."""
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
    change: float = 0.0
    """Probability that it changes or takes back something, rather than adding to it."""
    joins: float = 0.0
    """Probability that it tells of the same memory as the clause before, given that one of them is kept."""


class Weights:
    """The fitted regressions."""

    def __init__(self, held: Any) -> None:
        self.keep: Floats = held["keep"].astype(np.float32)
        self.gate: Floats = held["gate"].astype(np.float32)
        self.kinds: Floats = held["kinds"].astype(np.float32)
        self.join: Floats = held["join"].astype(np.float32)
        self.mean: Floats = held["mean"].astype(np.float32)
        self.names: list[str] = [str(name) for name in held["names"]]
        self.share = float(held["share"])
        self.thresholds: dict[bool, float] = dict(zip((True, False), map(float, held["thresholds"]), strict=True))
        """Probability from which a clause is kept, for Chinese messages and for others."""
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
    return float(sigmoid(_gate_logit(reading)))


def _gate_logit(reading: Reading) -> Any:
    return _linear(weights().gate, message_row(reading), message_groups(fold(reading.text), han=reading.han))


def told_first(reading: Reading) -> list[int]:
    """The clauses whose vectors are worth their time: by their words alone the likeliest, within the time there is."""
    fitted = weights()
    rows = clause_rows(reading)
    logits = [
        float(_linear(fitted.keep, row, groups(folded, han=reading.han), np.zeros_like(fitted.mean)))
        for row, folded in zip(rows, reading.folded, strict=True)
    ]
    chosen: list[int] = []
    spent = 0.0
    for at in sorted(range(len(logits)), key=lambda at: -logits[at]):
        spent += OVERHEAD + len(reading.folded[at]) * (PER_HAN if reading.han else PER_LATIN)
        if logits[at] < HOPELESS or (chosen and spent > TOKENS):
            break
        chosen.append(at)
    return sorted(chosen)


def head(reading: Reading, at: int) -> str:
    """The part of a clause that is embedded: all of it, unless that alone takes longer than there is time."""
    longest = (TOKENS - OVERHEAD) / (PER_HAN if reading.han else PER_LATIN)
    return reading.clauses[at].text[: int(longest)]


def keep_scores(reading: Reading, vectors: Floats) -> Floats:
    """Probability that each clause is worth keeping, shape `(clauses,)`.

    `vectors` are the clauses' own, shape `(clauses, dim)`. How likely the message holds anything at all is added in
    the logit with the fitted share.
    """
    fitted = weights()
    logits = [
        _linear(fitted.keep, row, groups(folded, han=reading.han), vector - fitted.mean)
        for row, folded, vector in zip(clause_rows(reading), reading.folded, vectors, strict=True)
    ]
    scores: Floats = sigmoid(np.array(logits, np.float32) + fitted.share * _gate_logit(reading)).astype(np.float32)
    return scores


def judge(reading: Reading, vectors: Floats) -> list[Judged]:
    """What the classifiers say of each clause of a message; `vectors` of shape `(clauses, dim)` are the clauses' own."""
    keep = keep_scores(reading, vectors)
    rows = clause_rows(reading)
    joins = _joins(reading, vectors)
    return [
        _kind(float(keep[at]), joins[at], rows[at], groups(folded, han=reading.han), vectors[at] - weights().mean)
        for at, folded in enumerate(reading.folded)
    ]


def _joins(reading: Reading, vectors: Floats) -> list[float]:
    """Probability that each clause tells of the same memory as the one before it; 0 for the first."""
    if len(vectors) < 2:
        return [0.0] * len(vectors)
    rows = pair_rows(reading, (vectors - weights().mean) * VECTOR_SCALE)
    shares: list[float] = sigmoid(rows @ weights().join[:-1] + weights().join[-1]).tolist()
    return [0.0, *shares]


def _kind(keep: float, joins: float, row: Floats, buckets: Any, vector: Floats) -> Judged:
    fitted = weights()
    logits = _linear(fitted.kinds, row, buckets, vector)
    said = dict(zip(fitted.names, (float(x) for x in logits), strict=True))
    kind, _ = _best(said, "type:")
    op, op_sure = _best(said, "op:")
    change = 1 - op_sure if op == "add" else max(op_sure, 0.5)
    if op == "add" and change >= CHANGE_SURE:
        op = max(("supersede", "retract"), key=lambda name: said[f"op:{name}"])
    key, key_sure = _best(said, "key:")
    key = key if key_sure >= KEY_SURE else "other"
    negative, temporary = float(sigmoid(said["negative"])), float(sigmoid(said["temporary"]))
    return Judged(keep, kind, op, negative, temporary, key, key_sure, change, joins)


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
