"""Ordering one person's memories for a question: relevance, a second hop, freshness and type."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from zhiji.core.settings import RankingPreset
from zhiji.models.logistic import sigmoid
from zhiji.models.similarity import Relevance
from zhiji.models.space import Space
from zhiji.stores.memory.policy import freshness, score, type_match
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.relevance import Asked, Bearing, Corpus, Floats, bearing

HOP = 2.5
"""What a complete second hop adds to the log-odds of bearing on the question; flat from 1 to 3 on `evals/fit/relevance*`."""
_ONLY_HERE = 0.25
"""Weight of a seed's term that no other memory has: pairs of characters across two words are mostly such."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One memory's place: its relevance in [0, 1], and the score it is ordered by."""

    row: int
    relevance: float
    score: float


def relevance(
    whole: Asked, parts: Sequence[Asked], corpus: Corpus, space: Space, model: Relevance, *, sure: bool = False
) -> Floats:
    """The probability that each memory bears on the question, shape `(n,)`; `sure`: it is taken that at least one does.

    The question is looked up whole and by its parts. Then what the best memory names and the question does not (a
    person, a place, a title) is looked up too: the answer often stands in the memory beside the one that was asked for.
    """
    found = bearing(whole, parts, corpus, space, model)
    said = set(whole.content)
    linked = np.minimum(1.0, np.sum([hop(seed, said, corpus) for seed in _seeds(found)], axis=0))
    return (1.0 if sure else found.anything) * sigmoid(found.odds + HOP * linked)


def _seeds(found: Bearing) -> tuple[int, ...]:
    """The best memory, and the best one for the part that it serves least."""
    best = int(np.argmax(found.odds))
    if not found.by_part:
        return (best,)
    served = [float(part[best] - part.max()) for part in found.by_part]
    return tuple(dict.fromkeys((best, int(np.argmax(found.by_part[int(np.argmin(served))])))))


def hop(seed: int, said: set[str], corpus: Corpus) -> Floats:
    """How much of what the seed adds to the question each other memory shares, by weight, in [0, 1], shape `(n,)`.

    The seed counts as much as the memory nearest to it, so that none overtakes what led to it.
    """
    lexicon = corpus.lexicon
    linked = np.zeros(lexicon.size)
    whole = 1e-9
    for term in corpus.content[seed]:
        if term in said:
            continue
        rows, weight = lexicon.rows(term), lexicon.weight(term)
        shared = len(rows) > 1
        whole += weight if shared else _ONLY_HERE * weight
        if shared:
            linked[rows] += weight
    linked[seed] = 0.0
    linked /= whole
    linked[seed] = linked.max(initial=0.0)
    return linked


def order(
    relevant: Floats,
    records: Sequence[MemoryRecord],
    rows: Iterable[int],
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


def _place(one: Ranked, record: MemoryRecord) -> tuple[float, int, float, str]:
    later = record.updated_at.timestamp() if record.updated_at else 0.0
    return (-round(one.score, 6), -record.importance, -later, record.id)
