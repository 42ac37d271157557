"""BM25, cosine and their fusion over what a knowledge base indexes, asked the same questions."""

from collections.abc import Sequence

import numpy as np

from zhiji.evals.baselines import open_baselines, order
from zhiji.evals.embedding import Remembering
from zhiji.evals.knowledge_asking import piece_of
from zhiji.evals.knowledge_figures import Asked, ranking_scores
from zhiji.evals.knowledge_lines import QuestionLine, held_by
from zhiji.evals.metrics import DEPTH, Metrics, auc, fuse, means
from zhiji.models.embed import Vector
from zhiji.stores.vectors.base import IndexedChunk

_FUSED = 20
"""Places of each ranking that are fused, as many as each channel of the product gives."""


class Baselines:
    """The baselines with what they have found so far."""

    def __init__(self, chunks: Sequence[IndexedChunk], embedder: Remembering) -> None:
        known = [(chunk, found) for chunk in chunks if (found := embedder.remembered(chunk.embed_hash))]
        self._pieces = [piece_of(chunk) for chunk, _ in known]
        texts, vectors = [text for _, (text, _) in known], [vector for _, (_, vector) in known]
        self._open = open_baselines(texts, np.stack(vectors)) if known else {}
        self._rows: dict[str, list[dict[str, float]]] = {}
        self._best: dict[str, list[tuple[float, bool]]] = {}

    def ask(self, line: QuestionLine, asked: Asked, vector: Vector) -> None:
        """Rank the chunks for a question by each baseline and keep the figures."""
        allowed = self._allowed(line)
        found: dict[str, list[int]] = {}
        for name, one in self._open.items():
            scores = one.scores(asked.query, vector)
            found[name] = order(scores, allowed)[:_FUSED]
            best = float(scores[found[name][0]]) if found[name] else 0.0
            self._best.setdefault(name, []).append((best, asked.answerable))
        if len(found) > 1:
            found["rrf"] = fuse(*found.values())
        if asked.answerable:
            for name, ranking in found.items():
                held = [held_by(self._pieces[place], line, asked.evidence) for place in ranking[:DEPTH]]
                self._rows.setdefault(name, []).append(ranking_scores(held, asked.evidence))

    def figures(self) -> dict[str, Metrics]:
        """The figures of each baseline."""
        found: dict[str, Metrics] = {name: means(rows) for name, rows in self._rows.items()}
        for name, seen in self._best.items():
            found.setdefault(name, {})["auc_abstain"] = auc([best for best, _ in seen], [yes for _, yes in seen])
        return found

    def _allowed(self, line: QuestionLine) -> list[int]:
        pool = set(line.pool) if line.pool else None
        return [place for place, piece in enumerate(self._pieces) if pool is None or piece.source in pool]
