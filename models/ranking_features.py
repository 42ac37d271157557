"""What the feature reranker sees in a question and the chunks found for it, as pure functions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zhiji.core.turn import Found, Hit
from zhiji.models.ranking_codes import exact_held
from zhiji.models.ranking_names import named
from zhiji.models.ranking_views import Asked, Bools, Floats, asked, present, view

FEATURES = (
    "dense_gap",
    "bm25_share",
    "cover",
    "cover_doc",
    "cover_sentence",
    "cover_aspect",
    "cover_title",
    "cover_heading",
    "title_named",
    "heading_named",
    "named_dense",
    "named_aspect",
    "passed_over",
    "codes_present",
    "code_absent",
    "exact_held",
)
"""Columns of `Seen.rows`; `see` says what each is."""
_PLACES = ("text", "title", "heading")


@dataclass(frozen=True, slots=True)
class Seen:
    """The features of every hit, shape `(hits, features)`, and what they were made from."""

    question: str
    rows: Floats
    query: Asked
    held: Bools
    """Which term stands in the chunk, its title or its headings, shape `(hits, terms)`."""
    free: Bools
    """Which term no title of the pool says, shape `(terms,)`: what is asked, as against of whom."""

    def column(self, name: str) -> Floats:
        """One feature of every hit."""
        return np.asarray(self.rows[:, FEATURES.index(name)])


@dataclass(frozen=True, slots=True)
class _Parts:
    """Where each term of the question stands, shape `(hits, terms)` each."""

    body: Bools
    title: Bools
    heading: Bools

    @property
    def above(self) -> Bools:
        return self.title | self.heading

    @property
    def held(self) -> Bools:
        return self.body | self.title | self.heading

    @property
    def free(self) -> Bools:
        return np.asarray(~self.title.any(axis=0))


def see(question: str, found: Found, *, reach: float) -> Seen:
    """The features of every hit; coverage is always the share of the question's weight (content terms by IDF).

    - `dense_gap`: cosine less the pool's best; `bm25_share`: BM25 as a share of the pool's best.
    - `cover`: what stands in the chunk, its title or its headings; `cover_doc`: less the best of its document, so
      that the best chunk of a second document is not crowded out by lesser ones of the first;
      `cover_sentence`: the same in title, headings and the best single sentence; `cover_title`, `cover_heading`:
      in those alone; `cover_aspect`: of what no title of the pool says (what is asked, as against of whom).
    - `title_named`: how much of what sets the title apart from the pool's others the question says;
      `heading_named`: the same of the headings. `named_dense` and `named_aspect`: a named title counts for
      chunks that are also near (within `reach` of their document's best cosine), or also hold the aspect.
    - `passed_over`: the weight that another title or heading of the pool holds and this chunk does not: the near
      twin's mark.
    - `codes_present`: the share of the question's numbers and codes that it holds; `code_absent`: 1 when it lacks
      one with a letter in it. `exact_held`: see there.

    Args:
        question: The self-contained question.
        found: What search found, at least one hit.
        reach: Cosines this far apart within one document are as good as unrelated; belongs to the embedding model.
    """
    hits, query = found.hits, asked(question, found.idf)
    headings = [below_title(hit) for hit in hits]
    parts = _Parts(*(present(query.needles, texts) for texts in ([h.text for h in hits], _titles(hits), headings)))
    dense, cover = np.array([hit.dense for hit in hits]), parts.held @ query.shares
    dense_doc, aspect = _below_best(hits, dense), aspect_share(query, parts.free, parts.held)
    title_named = named(question, _titles(hits))
    columns = [
        dense - dense.max(),
        _share_of_best(np.array([hit.bm25 for hit in hits])),
        cover,
        _below_best(hits, cover),
        _best_sentence(query, hits, parts),
        aspect,
        parts.title @ query.shares,
        parts.heading @ query.shares,
        title_named,
        named(question, headings),
        title_named * np.clip(1 + dense_doc / reach, -1, 1),
        title_named * aspect,
        (parts.above.any(axis=0) & ~parts.held) @ query.shares,
        *_codes(query, hits),
        exact_held(question, [hit.text for hit in hits], _titles(hits), [hit.heading for hit in hits]),
    ]
    return Seen(question, np.column_stack(columns), query, parts.held, parts.free)


def below_title(hit: Hit) -> str:
    """The heading path without the document's title, which often opens it."""
    if hit.title and hit.heading.startswith(hit.title):
        return hit.heading.removeprefix(hit.title).lstrip(" >")
    return hit.heading


def _titles(hits: Sequence[Hit]) -> list[str]:
    return [hit.title for hit in hits]


def _share_of_best(scores: Floats) -> Floats:
    return np.asarray(scores / max(float(scores.max()), 1e-9))


def _below_best(hits: Sequence[Hit], values: Floats) -> Floats:
    best: dict[str, float] = {}
    for hit, value in zip(hits, values, strict=True):
        best[hit.source] = max(best.get(hit.source, -math.inf), float(value))
    return np.asarray(values - np.array([best[hit.source] for hit in hits]))


def aspect_share(query: Asked, free: Bools, held: Bools) -> Floats:
    """Coverage of what no title says, by the last axis of `held`; of the whole question where titles say it all."""
    weight = float(query.shares[free].sum())
    return np.asarray(held[..., free] @ query.shares[free] / weight if weight > 1e-6 else held @ query.shares)


def _best_sentence(query: Asked, hits: Sequence[Hit], parts: _Parts) -> Floats:
    best = np.zeros(len(hits))
    above = parts.above
    for row, hit in enumerate(hits):
        sought = [(query.needles[at], float(query.shares[at])) for at in np.flatnonzero(parts.body[row] & ~above[row])]
        adds = (sum(share for term, share in sought if term in sentence) for sentence in view(hit.text).sentences)
        best[row] = float(above[row] @ query.shares) + (max(adds, default=0.0) if sought else 0.0)
    return best


def _codes(query: Asked, hits: Sequence[Hit]) -> list[Floats]:
    if not query.codes:
        return [np.zeros(len(hits)), np.zeros(len(hits))]
    held = np.logical_or.reduce([present(query.codes, [getattr(h, part) for h in hits]) for part in _PLACES])
    lettered = np.array([not code.strip().replace(".", "").isdigit() for code in query.codes])
    return [held.mean(axis=1), (lettered & ~held).any(axis=1).astype(np.float64)]
