"""How much each memory bears on a question: the features of every pair, for all of one person's memories at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiji.core.text import language_of
from zhiji.core.tokens import terms
from zhiji.models.embed import Matrix, Vector
from zhiji.models.question_words import content_terms
from zhiji.models.similarity import Relevance
from zhiji.models.space import Space
from zhiji.stores.memory.lexical import Lexicon, Words

_PLACE, _NEARBY = "place", "nearby"
"""Topics: where one is, and asking for what is around there."""
_PRIOR = 8
"""How many memories the unrelated texts count as when it is judged what stands out."""
_WORDS_SPREAD = 0.1
"""Spread of the share of BM25 that unrelated texts reach."""
_WORDS_SHARE = 0.5
"""Weight of standing out by words beside standing out by cosine: best order on `evals/fit/relevance*`, flat from 0.3."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One person's memories as they are searched; row by row the same memory.

    `mean` and `spread` are those of a memory's cosines to questions that have nothing to do with it: a cosine counts by
    how far it stands out from what the text has with anything (S-norm, as in speaker verification).
    """

    matrix: Matrix
    lexicon: Lexicon
    content: Sequence[frozenset[str]]
    lengths: Floats
    profiles: Matrix
    mean: Vector
    spread: Vector

    @classmethod
    def of(cls, matrix: Matrix, words: Sequence[Words], space: Space) -> "Corpus":
        """Prepare memories for searching: their unit vectors, shape `(n, dim)`, and their words."""
        nothing = np.zeros(0, dtype=np.float32)
        empty = cls(matrix[:0], Lexicon.of(()), (), np.zeros(0), space.topics.profile(matrix[:0]), nothing, nothing)
        return empty.with_rows(matrix, dict(enumerate(words)), (), space)

    def with_rows(
        self, matrix: Matrix, changed: Mapping[int, Words], before: Sequence[Words], space: Space
    ) -> "Corpus":
        """The memories of a new matrix, of which only the `changed` rows are worked out anew; `before`: the old words."""
        size, rows = len(matrix), list(changed)
        mean, spread = space.cohort.of_memories(matrix[rows], [changed[row].lang for row in rows])
        content = [*self.content[:size], *(frozenset[str]() for _ in range(size - len(self.content)))]
        for row in rows:
            content[row] = changed[row].content
        return Corpus(
            matrix=matrix,
            lexicon=self.lexicon.with_rows(size, changed, before),
            content=content,
            lengths=with_rows(self.lengths, size, rows, [max(4.0, len(content[row])) for row in rows]),
            profiles=with_rows(self.profiles, size, rows, standing_out(space.topics.profile(matrix[rows]))),
            mean=with_rows(self.mean, size, rows, mean),
            spread=with_rows(self.spread, size, rows, spread),
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question or one part of it: its unit vector, its search terms, those an answer should hold, its topics."""

    vector: Vector
    terms: frozenset[str]
    content: tuple[str, ...]
    nearness: Vector
    """Its topic profile, shape `(topics,)`."""
    usual: tuple[float, float]
    """Mean and spread of its cosines to memories that have nothing to do with it."""

    @classmethod
    def of(cls, text: str, vector: Vector, space: Space) -> "Asked":
        """A question or a part of one with its vector."""
        nearness = space.topics.profile(vector[None, :])[0]
        usual = space.cohort.of_question(vector, language_of(text))
        return cls(vector, frozenset(terms(text)), content_terms(text), nearness, usual)


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a question finds in one person's memories.

    `anything` is the probability that any memory bears on it; `odds` the log-odds of each memory if one does, shape
    `(n,)`; `by_part` the same for each part of the question alone.
    """

    anything: float
    odds: Floats
    by_part: Sequence[Floats]


Array = TypeVar("Array", bound=NDArray[Any])


def with_rows(held: Array, size: int, rows: Sequence[int], values: ArrayLike) -> Array:
    """A copy of an array cut or grown to `size` rows, with new values in some of them."""
    grown = np.zeros((size, *held.shape[1:]), dtype=held.dtype)
    kept = min(size, len(held))
    grown[:kept] = held[:kept]
    if len(rows):
        grown[list(rows)] = values
    return cast(Array, grown)


def standing_out(profiles: Matrix) -> Matrix:
    """Topic profiles relative to their own mean, negative parts cut, unit length: what a text is about."""
    above = np.maximum(profiles - profiles.mean(axis=1, keepdims=True), 0.0)
    return np.asarray(above / np.maximum(np.linalg.norm(above, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def features(part: Asked, corpus: Corpus, space: Space) -> Floats:
    """One row of `RELEVANCE_FEATURES` for each memory, shape `(n, features)`.

    `question_norm` and `memory_norm` are the cosine in spreads above what the question, or the memory, has with
    unrelated texts; `coverage` the share of the question's weight that the memory holds; `told` the share of the
    memory's words that the question says; `topics` the cosine of the topic profiles, `shared_topic` their strongest
    common topic, `place` how much the memory says where one is and the question asks that, `nearby` the same
    where the question asks for what is around; `stands_out` how far the memory stands out among this
    person's by cosine and, half as heavy, by BM25.
    """
    cosine = corpus.matrix @ part.vector
    profile = standing_out(part.nearness[None, :])[0]
    place, nearby = space.topics.names.index(_PLACE), space.topics.names.index(_NEARBY)
    columns = [
        (cosine - part.usual[0]) / part.usual[1],
        (cosine - corpus.mean) / corpus.spread,
        corpus.lexicon.coverage(part.content),
        corpus.lexicon.held(part.content) / corpus.lengths,
        corpus.profiles @ profile,
        np.minimum(corpus.profiles, profile).max(axis=1),
        corpus.profiles[:, place] * profile[place],
        corpus.profiles[:, place] * profile[nearby],
        _stands_out(cosine, *part.usual)
        + _WORDS_SHARE * _stands_out(corpus.lexicon.share(part.terms), 0.0, _WORDS_SPREAD),
    ]
    return np.asarray(np.column_stack(columns), dtype=np.float64)


def _stands_out(scores: NDArray[np.float32], usual: float, spread: float) -> Floats:
    """Scores in spreads above their mean, within [-2, 4].

    `usual` and `spread` are what unrelated texts score; they count as `_PRIOR` memories more, so that among three
    memories a score is judged by them, and among hundreds by the person's own.
    """
    weight = len(scores) + _PRIOR
    mean = (float(scores.sum()) + _PRIOR * usual) / weight
    squares = float(((scores - mean) ** 2).sum()) + _PRIOR * (spread**2 + (usual - mean) ** 2)
    return np.asarray(np.clip((scores - mean) / max((squares / weight) ** 0.5, 1e-6), -2, 4), dtype=np.float64)


def gate_features(tables: Sequence[Floats], model: Relevance) -> Floats:
    """What tells whether anything bears on a question at all: the best of all memories and parts in each respect."""
    stacked = np.stack(tables)
    best = stacked.max(axis=(0, 1))
    odds = stacked[:, :, model.absolute_columns] @ np.asarray(model.absolute.weights) + model.absolute.bias
    return np.array([odds.max(), *best[list(model.gate_columns)]])


def bearing(whole: Asked, parts: Sequence[Asked], corpus: Corpus, space: Space, model: Relevance) -> Bearing:
    """Look a question up, whole and by its parts; each memory counts by the part it serves best."""
    tables = [features(part, corpus, space) for part in (whole, *parts)]
    weights = np.asarray(model.relative.weights)
    by_part = [table[:, model.relative_columns] @ weights + model.relative.bias for table in tables]
    anything = float(model.gate.probability(gate_features(tables, model))[0])
    return Bearing(anything, np.max(by_part, axis=0), by_part[1:])
