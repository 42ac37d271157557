"""How much each memory bears on a question: the features of every pair, for all of one person's memories at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zhiji.models.embed import Matrix, Vector
from zhiji.models.question_words import content_terms
from zhiji.models.topics import Topics
from zhiji.stores.memory.lexical import Lexicon

FEATURES = ("question_norm", "memory_norm", "coverage", "told", "topics", "shared_topic", "place", "whole_norm")
"""Columns of `features`, in order."""
_PLACE = "place"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One person's memories as they are searched; row by row the same memory.

    `mean` and `spread` are those of a memory's cosines to texts that have nothing to do with it (the topic prototypes):
    a cosine counts by how far it stands out from what the text is like to anything (S-norm, as in speaker verification).
    """

    matrix: Matrix
    lexicon: Lexicon
    content: Sequence[frozenset[str]]
    profiles: Matrix
    mean: Vector
    spread: Vector

    @classmethod
    def of(cls, matrix: Matrix, texts: Sequence[str], topics: Topics) -> "Corpus":
        """Prepare memories for searching: their unit vectors, shape `(n, dim)`, and their texts."""
        background = matrix @ topics.prototypes.T
        content = [frozenset(content_terms(text)) for text in texts]
        spread = np.maximum(background.std(axis=1), 1e-3)
        return cls(
            matrix, Lexicon.of(texts), content, standing_out(topics.profile(matrix)), background.mean(axis=1), spread
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """One part of a question: its unit vector, and the words an answer should hold."""

    vector: Vector
    terms: tuple[str, ...]

    @classmethod
    def of(cls, text: str, vector: Vector) -> "Asked":
        """A question or a part of one with its vector."""
        return cls(vector, content_terms(text))


def standing_out(profiles: Matrix) -> Matrix:
    """Topic profiles relative to their own mean, negative parts cut, unit length: what a text is about."""
    above = np.maximum(profiles - profiles.mean(axis=1, keepdims=True), 0.0)
    return np.asarray(above / np.maximum(np.linalg.norm(above, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def features(whole: Asked, parts: Sequence[Asked], corpus: Corpus, topics: Topics) -> Floats:
    """One row of `FEATURES` for each memory, shape `(n, features)`.

    Every column but `whole_norm` takes the best part of the question. `question_norm` and `memory_norm` are the cosine
    in spreads above what the question, or the memory, has with unrelated texts; `coverage` the share of the question's
    weight that the memory holds; `told` the share of the memory's words that the question says; `topics` the cosine of
    the topic profiles, `shared_topic` their strongest common topic, `place` how much both are about where one is.
    """
    looked_up = [_columns(part, corpus, topics) for part in (whole, *parts)]
    best = np.max(looked_up, axis=0)
    return np.asarray(np.column_stack([best, looked_up[0][:, 0]]), dtype=np.float64)


def _columns(part: Asked, corpus: Corpus, topics: Topics) -> Floats:
    cosine = corpus.matrix @ part.vector
    background = topics.prototypes @ part.vector
    profile = standing_out(topics.profile(part.vector[None, :]))[0]
    place = topics.names.index(_PLACE)
    columns = [
        (cosine - background.mean()) / max(float(background.std()), 1e-3),
        (cosine - corpus.mean) / corpus.spread,
        corpus.lexicon.coverage(part.terms),
        _told(part.terms, corpus),
        corpus.profiles @ profile,
        np.minimum(corpus.profiles, profile).max(axis=1),
        corpus.profiles[:, place] * profile[place],
    ]
    return np.column_stack(columns)


def _told(wanted: Sequence[str], corpus: Corpus) -> Floats:
    said = np.zeros(corpus.lexicon.size)
    for term in wanted:
        if term in corpus.lexicon.rows:
            said[corpus.lexicon.rows[term]] += 1
    return said / np.array([max(4, len(held)) for held in corpus.content])
