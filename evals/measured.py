"""What a suite gives: figures, the figures of the baselines, and the cases they were taken from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zhiji.evals.metrics import Metrics

Advance = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done and how much there is."""


def silent(doing: str, done: int, total: int) -> None:
    """An `Advance` that shows nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing measured: what went in, what was wanted, what came out, and its own figures."""

    id: str
    inputs: dict[str, Any]
    expected: dict[str, Any]
    outputs: dict[str, Any]
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one suite on one set; `details` are further sections of the result document."""

    n: int
    metrics: Metrics
    baselines: dict[str, Metrics] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    cases: Sequence[Case] = ()
