"""The suites by name."""

import pkgutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from zhiji.core.errors import Misuse
from zhiji.evals.lines import Half
from zhiji.evals.measured import Advance, Measured

SUITES = {
    "memory-recall": "zhiji.evals.memory_recall:measure",
    "kb": "zhiji.evals.knowledge:measure",
    "scenarios": "zhiji.evals.stories:measure",
    "paraphrase": "zhiji.evals.paraphrase:measure",
    "rewrite": "zhiji.evals.rewriting:measure",
    "extraction": "zhiji.evals.extraction:measure",
    "statements": "zhiji.evals.statements:measure",
    "answers": "zhiji.evals.answering:measure",
}
"""Where each suite's runner is; imported when it is run."""

Measure = Callable[[Path, Half, Advance], Awaitable[Measured]]


def suite(name: str) -> Measure:
    """The runner of a suite.

    Raises:
        Misuse: There is no such suite.
    """
    if name not in SUITES:
        raise Misuse(f"There is no suite '{name}'; the suites are {', '.join(SUITES)}.")
    runner: Measure = pkgutil.resolve_name(SUITES[name])
    return runner
