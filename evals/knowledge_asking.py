"""Asking a knowledge base as a turn does, and noting what became of the evidence."""

import time
from collections.abc import Sequence
from typing import Protocol

from zhiji.core.turn import Found, Hit
from zhiji.evals.embedding import Remembering
from zhiji.evals.knowledge_figures import Asked
from zhiji.evals.knowledge_lines import Piece, QuestionLine, bare_evidence, held_by
from zhiji.evals.knowledge_stages import Stages
from zhiji.evals.texts import bare
from zhiji.models.dedup import dedup
from zhiji.models.embed import Vector
from zhiji.models.rerank import Reranker
from zhiji.models.rewrite import Rewriter
from zhiji.nodes.rerank import KEEP
from zhiji.stores.vectors.base import IndexedChunk


class Searchable(Protocol):
    """What is asked of a knowledge base."""

    async def search(self, query_text: str, vector: Vector, *, source: Sequence[str] | None = None) -> Found:
        """The union of both channels."""
        ...


class Asking:
    """The engines a question goes through, and the chunks it may find."""

    def __init__(
        self,
        knowledge: Searchable,
        embedder: Remembering,
        rewriter: Rewriter,
        reranker: Reranker,
        chunks: Sequence[IndexedChunk],
    ) -> None:
        self.knowledge = knowledge
        self.embedder = embedder
        self.rewriter = rewriter
        self.reranker = reranker
        self.pieces = {chunk.id: piece_of(chunk) for chunk in chunks}
        self._stages = Stages(list(self.pieces.values()))

    async def ask(self, line: QuestionLine) -> tuple[Asked, Vector]:
        """The ranking of the union without threshold, the best score, and the vector of the query."""
        query = await self.rewriter.rewrite(line.question, [spoken.turn() for spoken in line.history])
        vector, embed_ms = self.embedder.timed_query(query.text)
        started = time.perf_counter()
        found = await self.knowledge.search(query.text, vector, source=line.pool or None)
        union = [hit.id for hit in found.hits]
        found.hits = dedup(found.hits)
        ranked = list(await self.reranker.rerank(query, found)) if found.hits else []
        spent = (time.perf_counter() - started) * 1000
        evidence = bare_evidence(line) if line.answerable else []
        asked = Asked(
            id=line.id,
            category=line.category,
            answerable=line.answerable,
            evidence=evidence,
            ranked=[held_by(self.pieces[hit.id], line, evidence) for hit, _ in ranked],
            best=max((score for _, score in ranked), default=0.0),
            milliseconds=spent,
            embed_milliseconds=embed_ms,
            lost=self._lost(line, evidence, union, ranked),
            query=query.text,
        )
        return asked, vector

    def _lost(
        self, line: QuestionLine, evidence: Sequence[str], union: Sequence[str], ranked: Sequence[tuple[Hit, float]]
    ) -> dict[str, str]:
        floor = self.reranker.threshold()
        reached = {
            "retrieval": union,
            "dedup": [hit.id for hit, _ in ranked],
            "rerank": [hit.id for hit, _ in ranked[:KEEP]],
            "threshold": [hit.id for hit, score in ranked[:KEEP] if score >= floor],
        }
        stages = {one: self._stages.lost_at(line, one, reached) for one in evidence}
        return {one: stage for one, stage in stages.items() if stage}


def piece_of(chunk: IndexedChunk) -> Piece:
    """A chunk as the evaluation sees it."""
    return Piece(chunk.id, str(chunk.metadata.get("source", "")), bare(chunk.text))
