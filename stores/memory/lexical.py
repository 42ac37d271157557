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
class Postings:
    """The rows that hold one term, in no order, and how often each does."""

    rows: NDArray[np.intp]
    times: Scores


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The texts of one person as postings; `lengths` counts the terms of each row."""

    postings: Mapping[str, Postings]
    lengths: Scores

    @classmethod
    def of(cls, words: Sequence[Words]) -> "Lexicon":
        """Index texts by row."""
        return cls({}, np.zeros(0, dtype=np.float32)).with_rows(len(words), dict(enumerate(words)), ())

    def with_rows(self, size: int, changed: Mapping[int, Words], before: Sequence[Words]) -> "Lexicon":
        """The index of `size` texts of which only the `changed` rows differ from these.

        Args:
            size: Rows afterwards; rows beyond it are dropped.
            changed: The new words of each row that is other than before, new rows included.
            before: The words of the rows as indexed here.
        """
        stale = [row for row in (*changed, *range(size, len(before))) if row < len(before)]
        lost: dict[str, list[int]] = {}
        for row in stale:
            for term in before[row].bag:
                lost.setdefault(term, []).append(row)
        gained: dict[str, list[tuple[int, int]]] = {}
        for row, words in changed.items():
            for term, times in words.bag.items():
                gained.setdefault(term, []).append((row, times))
        postings = dict(self.postings)
        for term in lost.keys() | gained.keys():
            held = _edited(postings.pop(term, _NOWHERE), lost.get(term), gained.get(term, ()))
            if len(held.rows):
                postings[term] = held
        return Lexicon(postings, self._lengths_with(size, changed))

    def _lengths_with(self, size: int, changed: Mapping[int, Words]) -> Scores:
        lengths = np.zeros(size, dtype=np.float32)
        kept = min(size, self.size)
        lengths[:kept] = self.lengths[:kept]
        for row, words in changed.items():
            lengths[row] = sum(words.bag.values())
        return lengths

    @property
    def size(self) -> int:
        """How many texts there are."""
        return len(self.lengths)

    def rows(self, term: str) -> NDArray[np.intp]:
        """The rows that hold a term."""
        return self.postings.get(term, _NOWHERE).rows

    def weight(self, term: str) -> float:
        """The term's inverse document frequency here, never negative; unseen terms weigh most."""
        held = len(self.rows(term))
        return math.log(1 + (self.size - held + 0.5) / (held + 0.5))

    def score(self, wanted: Iterable[str]) -> Scores:
        """BM25 of every text for the distinct terms, shape `(size,)`."""
        total = np.zeros(self.size, dtype=np.float32)
        norm = K1 * (1 - B + B * self.lengths / (float(self.lengths.mean()) or 1.0)) if self.size else total
        for term in wanted:
            if held := self.postings.get(term):
                impact = held.times * (K1 + 1) / (held.times + norm[held.rows])
                total[held.rows] += self.weight(term) * impact
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
            total[self.rows(term)] += self.weight(term)
        return total / weight if weight else total

    def held(self, wanted: Iterable[str]) -> Scores:
        """How many of the terms each text holds, shape `(size,)`."""
        total = np.zeros(self.size, dtype=np.float32)
        for term in wanted:
            total[self.rows(term)] += 1
        return total


_NOWHERE = Postings(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32))


def _edited(held: Postings, lost: Sequence[int] | None, gained: Sequence[tuple[int, int]]) -> Postings:
    rows, times = held.rows, held.times
    if lost is not None:
        stays = ~np.isin(rows, lost)
        rows, times = rows[stays], times[stays]
    if gained:
        rows = np.append(rows, np.array([row for row, _ in gained], dtype=np.intp))
        times = np.append(times, np.array([count for _, count in gained], dtype=np.float32))
    return Postings(rows, times)
