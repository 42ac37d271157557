"""How fast the knowledge base loads and searches as it grows, beside the engines others take."""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zhiji.core.settings import Settings, load_settings
from zhiji.core.time import iso, now
from zhiji.evals.bench_chunks import Corpus, NoModel, Question
from zhiji.evals.bench_rivals import RIVALS, Rival, installed
from zhiji.evals.homes import ALONE
from zhiji.evals.measured import Advance
from zhiji.evals.plot import lines
from zhiji.evals.results import machine, rounded, versions
from zhiji.evals.timings import Timings
from zhiji.stores.knowledge.records import StoredDocument
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.knowledge.update import Target, update

OURS = "zhiji"
SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 40
"""Questions of one run; each is asked once, so that no cache has its answer."""
WARM_UP = 5


@dataclass(frozen=True, slots=True)
class Loaded:
    """Seconds until the release was published, and from then until its index was arranged."""

    published: float
    arranged: float


async def measure(*, runs: int, chunks: int, advance: Advance) -> dict[str, Any]:
    """The result document of the benchmark.

    Args:
        runs: How often all questions are asked; the figures are medians over the runs.
        chunks: Chunks of the largest base; smaller ones are a tenth and a hundredth of it.
        advance: Told how far it is.
    """
    sizes = [await _measure_size(size, runs, advance) for size in sizes_up_to(chunks)]
    largest = sizes[-1]["systems"]
    document = {
        "suite": "bench-knowledge",
        "data": "synthetic",
        "at": iso(now()),
        "n": runs * QUESTIONS,
        "metrics": largest[OURS],
        "baselines": {name: figures for name, figures in largest.items() if name != OURS},
        "sizes": sizes,
        "absent": sorted(RIVALS.keys() - installed().keys()),
        "versions": versions(),
        "machine": machine(),
    }
    return {name: rounded(value) for name, value in document.items()}


def sizes_up_to(chunks: int) -> list[int]:
    """The sizes that are measured.

    >>> sizes_up_to(100_000), sizes_up_to(3_000), sizes_up_to(50)
    ([1000, 10000, 100000], [1000, 3000], [50])
    """
    return [*(size for size in SIZES if size < chunks), chunks]


def growth(result: dict[str, Any]) -> str:
    """The median search of each system as the base grows, as SVG."""
    series: dict[str, list[tuple[float, float]]] = {}
    for size in result["sizes"]:
        for name, figures in size["systems"].items():
            series.setdefault(name, []).append((size["chunks"], figures["ms_p50"]))
    return lines("Search, median", series, x="chunks", y="ms")


async def _measure_size(size: int, runs: int, advance: Advance) -> dict[str, Any]:
    advance(f"prepare {size} chunks", 0, 1)
    corpus, timings = Corpus(size), Timings()
    with tempfile.TemporaryDirectory(prefix="zhiji-bench-", ignore_cleanup_errors=True) as folder:
        rivals, spent = _load_rivals(corpus, Path(folder), advance)
        settings = load_settings().model_copy(update=ALONE | {"home": Path(folder) / "home", "knowledge_cache_s": 0})
        loaded = await _load(settings, corpus, advance)
        knowledge = await KnowledgeBase.open(settings.home, settings, NoModel())
        try:
            await _run(knowledge, rivals, corpus.questions(WARM_UP, 0), Timings())
            for run in range(1, runs + 1):
                await _run(knowledge, rivals, corpus.questions(QUESTIONS, run), timings)
                advance(f"ask {size} chunks", run, runs)
        finally:
            await knowledge.close()
    ours = {"load_s": loaded.published, "arrange_s": loaded.arranged, "does": "words and vectors"}
    systems = {OURS: ours, **{name: {"load_s": spent[name], "does": rival.does} for name, rival in rivals.items()}}
    return {"chunks": size, "systems": {name: _figures(timings, name) | more for name, more in systems.items()}}


def _figures(timings: Timings, name: str) -> dict[str, float]:
    held, ours = timings.figures(name), timings.figures(OURS)
    return {"ms_p50": held["p50"], "ms_p95": held["p95"], "ratio": held["p50"] / ours["p50"]}


async def _load(settings: Settings, corpus: Corpus, advance: Advance) -> Loaded:
    """Load the chunks as an ingest does that has read, cut and embedded them."""
    marks: dict[int, float] = {}

    def progress(step: str, done: int, total: int) -> None:
        advance(step, done, total)
        if step == "index":
            marks[done] = time.perf_counter()

    async def collect(_: Sequence[StoredDocument]) -> list[Any]:
        return list(corpus.documents)

    started = time.perf_counter()
    await update(Target(settings.home, "default", settings, NoModel()), collect, corpus.embed, progress)
    return Loaded(marks[0] - started, marks[1] - marks[0])


def _load_rivals(corpus: Corpus, folder: Path, advance: Advance) -> tuple[dict[str, Rival], dict[str, float]]:
    rivals, spent = {}, {}
    for name, opens in installed().items():
        advance(f"load {name}", 0, 1)
        make: Callable[[Path], Rival] = opens
        rivals[name] = make(folder / name)
        started = time.perf_counter()
        rivals[name].load(corpus)
        spent[name] = time.perf_counter() - started
    return rivals, spent


async def _run(knowledge: KnowledgeBase, rivals: dict[str, Rival], asked: Sequence[Question], timings: Timings) -> None:
    """Ask each question of all systems in turn, so that a busy moment hits every one of them."""
    timings.begin()
    for one in asked:
        started = time.perf_counter()
        await knowledge.search(one.text, one.vector, category=one.category)
        timings.add(OURS, (time.perf_counter() - started) * 1000)
        for name, rival in rivals.items():
            started = time.perf_counter()
            rival.ask(one)
            timings.add(name, (time.perf_counter() - started) * 1000)
