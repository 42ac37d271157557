"""`zhiji bench`: how fast it is, beside what others take."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zhiji.cli.evaluate import figure
from zhiji.cli.options import Json, run
from zhiji.cli.output import console, emit, rows

if TYPE_CHECKING:
    from zhiji.evals.measured import Advance

bench = typer.Typer(help="How fast it is, beside what others take.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(bench, name="bench")


def _measured(measure: "Callable[[Advance], Coroutine[Any, Any, dict[str, Any]]]") -> tuple[dict[str, Any], Path]:
    """What a benchmark found, and the file it is kept in."""
    from zhiji.cli.progress import progress
    from zhiji.core.settings import load_settings
    from zhiji.evals import results
    from zhiji.evals.measured import silent

    with progress(quiet=False) as advance:
        result = run(measure(advance or silent))
    return result, results.keep(result, load_settings().home)


@bench.command("turn")
def bench_turn(
    json: Json = False,
    runs: Annotated[int, typer.Option("--runs", min=1, help="How often everything is measured.")] = 5,
    memories: Annotated[int, typer.Option("--memories", min=1, help="Memories of the user.")] = 500,
    chunks: Annotated[int, typer.Option("--chunks", min=1, help="Chunks of the knowledge base.")] = 10_000,
) -> None:
    """Time whole turns without a chat model, and recall alone beside LangGraph's InMemoryStore."""
    from zhiji.evals.bench import measure

    result, kept = _measured(lambda advance: measure(runs=runs, memories=memories, chunks=chunks, advance=advance))
    if json:
        emit(result)
        return
    rows(
        "milliseconds",
        ["", "p50", "p95"],
        [[name, figure(one["p50"]), figure(one["p95"])] for name, one in result["nodes"].items()],
    )
    rows(
        f"recall at {result['recall']['memories']} memories",
        ["", "p50", "p95"],
        [
            [name, figure(result["recall"][name]["p50"]), figure(result["recall"][name]["p95"])]
            for name in ("zhiji", "InMemoryStore")
        ],
    )
    console().print(f"InMemoryStore takes {result['recall']['ratio']:.1f} times as long")
    console().print(f"kept in {kept}", markup=False)


@bench.command("memory")
def bench_memory(
    json: Json = False,
    runs: Annotated[int, typer.Option("--runs", min=1, help="How often everything is measured at each size.")] = 5,
    people: Annotated[
        int, typer.Option("--people", min=1, help="People of the largest store; 1,000 and 10,000 come first.")
    ] = 100_000,
) -> None:
    """Time recall and writing as the people become more, beside LangGraph's store and mem0, and on PostgreSQL where set."""
    from zhiji.core.settings import load_settings
    from zhiji.evals.bench_memory import measure

    url = load_settings().database_url.get_secret_value()
    result, kept = _measured(lambda advance: measure(runs=runs, people=people, database_url=url, advance=advance))
    if json:
        emit(result)
        return
    for engine, sizes in result["engines"].items():
        for size in sizes:
            _show_times(
                f"{engine}, {size['people']} people", {name: one for name, one in size.items() if name != "people"}
            )
    _show_times(f"{result['rivals']['memories']} memories, side by side", result["rivals"]["systems"])
    console().print(f"kept in {kept}", markup=False)


def _show_times(title: str, systems: dict[str, Any]) -> None:
    columns = ("p50", "p95", "ratio")
    rows(
        f"milliseconds: {title}",
        ["", *columns],
        [[name, *(figure(one.get(column)) for column in columns)] for name, one in systems.items()],
    )


@bench.command("knowledge")
def bench_knowledge(
    json: Json = False,
    runs: Annotated[int, typer.Option("--runs", min=1, help="How often all questions are asked.")] = 5,
    chunks: Annotated[
        int, typer.Option("--chunks", min=1, help="Chunks of the largest base; 1,000 and 10,000 come first.")
    ] = 100_000,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write the growth as an SVG file.")] = None,
) -> None:
    """Time loading and searching prepared chunks as a base grows, beside bm25s, chromadb and LanceDB."""
    from zhiji.evals.bench_knowledge import growth, measure
    from zhiji.evals.plot import write

    result, kept = _measured(lambda advance: measure(runs=runs, chunks=chunks, advance=advance))
    if plot is not None:
        write(plot, growth(result))
    if json:
        emit(result)
        return
    for size in result["sizes"]:
        _show_size(size)
    if result["absent"]:
        console().print(f"not installed, so left out: {', '.join(result['absent'])} (pip install --group bench)")
    console().print(f"kept in {kept}", markup=False)


def _show_size(size: dict[str, Any]) -> None:
    columns = ("does", "ms_p50", "ms_p95", "ratio", "load_s", "arrange_s")
    rows(
        f"{size['chunks']} chunks, one category of ten",
        ["", *columns],
        [
            [name, one["does"], *(figure(one.get(column)) for column in columns[1:])]
            for name, one in size["systems"].items()
        ],
    )
