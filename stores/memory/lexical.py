"""BM25 over one person's memories, precomputed so that a query touches only the rows that hold its terms."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import Language, language_of
from zhiji.core.tokens import terms
from zhiji.models.question_words import content_terms

K1, B = 1.2, 0.75
"""The usual constants of BM25 (Robertson and Zaragoza, 2009)."""
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one text, cut once: search terms with their counts, the terms that carry content, the language."""

    bag: Counter[str]
    content: frozenset[str]
    lang: Language

    @classmethod
    def of(cls, text: str) -> "Words":
        """Cut a text."""
        return cls(Counter(terms(text)), frozenset(content_terms(text)), language_of(text))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The texts of one person as postings: for each term the rows that hold it, and how much it counts there."""

    size: int
    rows: Mapping[str, NDArray[np.intp]]
    impacts: Mapping[str, Scores]

    @classmethod
    def of(cls, words: Sequence[Words]) -> "Lexicon":
        """Index texts by row."""
        counted = [one.bag for one in words]
        lengths = [sum(bag.values()) for bag in counted]
        mean = sum(lengths) / max(1, len(lengths)) or 1.0
        found: dict[str, list[tuple[int, float]]] = {}
        for row, bag in enumerate(counted):
            norm = K1 * (1 - B + B * lengths[row] / mean)
            for term, times in bag.items():
                found.setdefault(term, []).append((row, times * (K1 + 1) / (times + norm)))
        rows = {term: np.array([row for row, _ in held], dtype=np.intp) for term, held in found.items()}
        impacts = {term: np.array([impact for _, impact in held], dtype=np.float32) for term, held in found.items()}
        return cls(len(words), rows, impacts)

    def weight(self, term: str) -> float:
        """The term's inverse document frequency here, never negative; unseen terms weigh most."""
        held = len(self.rows[term]) if term in self.rows else 0
        return math.log(1 + (self.size - held + 0.5) / (held + 0.5))

    def score(self, wanted: Iterable[str]) -> Scores:
        """BM25 of every text for the distinct terms, shape `(size,)`."""
        total = np.zeros(self.size, dtype=np.float32)
        for term in wanted:
            if term in self.rows:
                total[self.rows[term]] += self.weight(term) * self.impacts[term]
        return total

    def share(self, wanted: Iterable[str]) -> Scores:
        """BM25 as a share of what a text that holds all the terms could reach, shape `(size,)`."""
        terms_wanted = list(wanted)
        most = sum(self.weight(term) for term in terms_wanted) * (K1 + 1)
        return self.score(terms_wanted) / most if most else np.zeros(self.size, dtype=np.float32)

    def coverage(self, wanted: Sequence[str]) -> Scores:
        """Share of the terms' weight that each text holds, in [0, 1], shape `(size,)`."""
        total = np.zeros(self.size, dtype=np.float32)
        weight = sum(self.weight(term) for term in wanted)
        for term in wanted:
            if term in self.rows:
                total[self.rows[term]] += self.weight(term)
        return total / weight if weight else total

    def held(self, wanted: Iterable[str]) -> Scores:
        """How many of the terms each text holds, shape `(size,)`."""
        total = np.zeros(self.size, dtype=np.float32)
        for term in wanted:
            if term in self.rows:
                total[self.rows[term]] += 1
        return total
