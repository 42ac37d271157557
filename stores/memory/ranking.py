"""Ordering one person's memories for a question: relevance, a second hop, freshness and type."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from zhiji.core.settings import RankingPreset
from zhiji.models.logistic import Logistic
from zhiji.models.topics import Topics
from zhiji.stores.memory.policy import freshness, score, type_match
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.relevance import Asked, Corpus, Floats, features

HOP = 1.5
"""How much a full second hop adds to the log-odds of bearing on the question."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One memory's place: its relevance in [0, 1], and the score it is ordered by."""

    row: int
    relevance: float
    score: float


def relevance(
    whole: Asked, parts: Sequence[Asked], corpus: Corpus, topics: Topics, model: Logistic
) -> tuple[Floats, Floats]:
    """The probability that each memory bears on the question, without and with the second hop, shape `(n,)` each.

    The question is looked up whole and by its parts. Then what the best memory names and the question does not (a
    person, a place, a title) is looked up too: the answer often stands in the memory beside the one that was asked for.
    """
    columns = features(whole, parts, corpus, topics)
    odds = columns @ np.asarray(model.weights) + model.bias
    direct = _sigmoid(odds)
    seeds = _seeds(odds, whole, parts, corpus, topics, model)
    said = set(whole.terms)
    linked = np.minimum(1.0, np.sum([hop(seed, said, corpus) * direct[seed] for seed in seeds], axis=0))
    return direct, _sigmoid(odds + HOP * linked)


def _seeds(
    odds: Floats, whole: Asked, parts: Sequence[Asked], corpus: Corpus, topics: Topics, model: Logistic
) -> tuple[int, ...]:
    """The best memory, and the best one of the part that it serves least."""
    best = int(np.argmax(odds))
    if not parts:
        return (best,)
    by_part = [features(part, (), corpus, topics) @ np.asarray(model.weights) for part in parts]
    served = [float(part[best] - part.max()) for part in by_part]
    return tuple(dict.fromkeys((best, int(np.argmax(by_part[int(np.argmin(served))])))))


def hop(seed: int, said: set[str], corpus: Corpus) -> Floats:
    """How strongly each other memory shares the terms that the seed adds to the question, in [0, 1], shape `(n,)`."""
    lexicon = corpus.lexicon
    linked = np.zeros(lexicon.size)
    for term in corpus.content[seed]:
        rows = lexicon.rows.get(term)
        if term not in said and rows is not None and len(rows) > 1:
            linked[rows] += lexicon.weight(term)
    linked[seed] = 0.0
    most = float(linked.max(initial=0.0))
    return linked / most if most else linked


def order(
    relevant: Floats,
    records: Sequence[MemoryRecord],
    rows: NDArray[np.intp],
    *,
    topics: tuple[str, ...],
    at: datetime,
    preset: RankingPreset,
) -> list[Ranked]:
    """The given rows, best score first; ties by importance, then by the later one."""
    ranked = []
    for row in rows:
        record = records[row]
        total = score(
            float(relevant[row]),
            freshness(record, at),
            type_match(topics, record.topics),
            preset=preset,
            source=record.source,
        )
        ranked.append(Ranked(int(row), float(relevant[row]), total))
    return sorted(ranked, key=lambda one: _place(one, records[one.row]))


def _place(one: Ranked, record: MemoryRecord) -> tuple[float, int, float]:
    later = record.updated_at.timestamp() if record.updated_at else 0.0
    return (-round(one.score, 6), -record.importance, -later)


def _sigmoid(odds: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * odds)), dtype=np.float64)
