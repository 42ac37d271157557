"""Durations of a benchmark, run by run."""

import time
from collections.abc import Awaitable
from statistics import median
from typing import Any

from zhiji.evals.metrics import percentile


class Timings:
    """Durations in milliseconds by what took them, run by run."""

    def __init__(self) -> None:
        self._runs: list[dict[str, list[float]]] = []

    def begin(self) -> None:
        """Start another run."""
        self._runs.append({})

    def add(self, name: str, milliseconds: float) -> None:
        """Note one duration of the present run."""
        self._runs[-1].setdefault(name, []).append(milliseconds)

    def figures(self, name: str) -> dict[str, float]:
        """The medians over the runs of each run's p50 and p95."""
        held = [run[name] for run in self._runs if name in run]
        return {f"p{percent}": median(percentile(one, percent) or 0.0 for one in held) for percent in (50, 95)}

    def names(self) -> list[str]:
        """Everything that was timed, in the order of first appearance."""
        return list(dict.fromkeys(name for run in self._runs for name in run))


async def timed(work: Awaitable[Any]) -> float:
    """How many milliseconds some work takes."""
    started = time.perf_counter()
    await work
    return (time.perf_counter() - started) * 1000
