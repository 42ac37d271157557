"""What the feature reranker looks at in a question and the chunks found for it, as pure functions."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold
from zhiji.core.tokens import codes, terms
from zhiji.core.turn import Found, Hit
from zhiji.models.question_words import content_terms

FEATURES = (
    "dense",
    "dense_gap",
    "dense_rank",
    "bm25_share",
    "bm25_rank",
    "cover",
    "cover_sentence",
    "cover_title",
    "cover_heading",
    "title_named",
    "heading_named",
    "passed_over",
    "heaviest_absent",
    "codes_present",
    "code_absent",
)
"""Columns of `features`, in order."""

VIEWS = 4096
_SENTENCE_END = re.compile(r"(?<=[。！？；!?;\n])|(?<=\.)\s")
_CJK_RUN = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)")
_UNSEEN_IDF = 5.0
"""Weight of a query term for which the release gives none and no other term has one to borrow."""


@dataclass(frozen=True, slots=True)
class View:
    """A text as it is looked up in: Chinese as it stands, every other run as its search terms between spaces."""

    whole: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's content terms as `view` spells them, their shares of the question's weight, and its codes."""

    needles: tuple[str, ...]
    shares: NDArray[np.float64]
    codes: tuple[str, ...]


@lru_cache(maxsize=VIEWS)
def view(text: str) -> View:
    """The searchable form of a chunk, a title or a heading; kept for the chunks that are found again and again.

    >>> view("E1024 错误").whole
    ' e1024  错误'
    """
    pieces = [piece for piece in _SENTENCE_END.split(fold(text)) if piece.strip()]
    sentences = tuple(_spell(piece) for piece in pieces)
    return View("\n".join(sentences), sentences)


def _spell(folded: str) -> str:
    runs = _CJK_RUN.split(folded)  # Chinese runs stand at the odd places
    return "".join(run if place % 2 else f" {' '.join(terms(run))} " for place, run in enumerate(runs) if run)


def needle(term: str) -> str:
    """A term as `view` spells it: a word of an alphabet must stand alone, a Chinese one may stand inside a run."""
    return term if term[0] > "\u33ff" else f" {term} "


def asked(question: str, idf: Mapping[str, float]) -> Asked:
    """What a question asks with; `idf` is the release's weight of its terms."""
    content = content_terms(question)
    unknown = max(idf.values(), default=_UNSEEN_IDF)
    weights = np.array([idf.get(term, unknown) * (0.5 if len(term) == 1 else 1.0) for term in content])
    total = float(weights.sum()) or 1.0
    return Asked(tuple(map(needle, content)), weights / total, tuple(needle(code) for code in codes(question)))


def features(question: str, found: Found) -> NDArray[np.float64]:
    """One row of `FEATURES` for each hit, shape `(hits, features)`; every one but `dense` lies in [-1, 1].

    `dense` is the cosine; `dense_gap` how far below the pool's best; `dense_rank` and `bm25_rank` 1/rank, 0 where that
    channel did not find the chunk; `bm25_share` the score as a share of the pool's best. `cover` is the share of the
    question's weight (content terms by IDF) that stands in the chunk, its title or its headings; `cover_sentence` the
    same for its best single sentence with the title; `cover_title` and `cover_heading` for those alone.
    `title_named` is how much of what sets the title apart from the pool's other titles the question says, and
    `heading_named` the same of the heading. `passed_over` is the weight of what the question says, another title or
    heading of the pool says too, and this chunk does not: the near twin's mark. `heaviest_absent` is the largest weight
    of a term the chunk lacks, against the largest of all. `codes_present` is the share of the question's numbers and
    codes that the chunk holds, `code_absent` is 1 when it lacks one that mixes letters and digits.
    """
    hits = found.hits
    query = asked(question, found.idf)
    body = _present(query.needles, [view(hit.text).whole for hit in hits])
    title = _present(query.needles, [view(hit.title).whole for hit in hits])
    heading = _present(query.needles, [view(hit.heading).whole for hit in hits])
    held = body | title | heading
    columns = [
        *_channels(hits),
        held @ query.shares,
        _best_sentence(query, hits, body, title | heading),
        title @ query.shares,
        heading @ query.shares,
        _named(question, [hit.title for hit in hits]),
        _named(question, [hit.heading for hit in hits]),
        _passed_over(query, title | heading, held),
        _heaviest_absent(query, held),
        *_codes(query, hits),
    ]
    return np.column_stack(columns)


def _present(needles: Sequence[str], texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which needle stands in which text, shape `(texts, needles)`; equal texts are searched once."""
    rows = {text: [needle in text for needle in needles] for text in set(texts)}
    return np.array([rows[text] for text in texts], dtype=np.bool_).reshape(len(texts), len(needles))


def _channels(hits: Sequence[Hit]) -> list[NDArray[np.float64]]:
    dense = np.array([hit.dense for hit in hits])
    bm25 = np.array([hit.bm25 for hit in hits])
    return [
        dense,
        dense - dense.max(),
        np.array([1 / hit.dense_rank if hit.dense_rank else 0.0 for hit in hits]),
        bm25 / max(float(bm25.max()), 1e-9),
        np.array([1 / hit.bm25_rank if hit.bm25_rank else 0.0 for hit in hits]),
    ]


def _best_sentence(
    query: Asked, hits: Sequence[Hit], body: NDArray[np.bool_], above: NDArray[np.bool_]
) -> NDArray[np.float64]:
    best = np.zeros(len(hits))
    for row, hit in enumerate(hits):
        given = float(above[row] @ query.shares)
        # Only what the body alone adds is looked for, sentence by sentence.
        sought = [
            (query.needles[at], float(query.shares[at])) for at in np.flatnonzero(body[row] & ~above[row])
        ]
        adds = (sum(share for term, share in sought if term in sentence) for sentence in view(hit.text).sentences)
        best[row] = given + (max(adds, default=0.0) if sought else 0.0)
    return best


def _named(question: str, names: Sequence[str]) -> NDArray[np.float64]:
    """How much of each name the question says; what all the pool's names share counts for nothing."""
    said = view(question).whole
    kinds = {name: frozenset(terms(name)) for name in set(names) if name}
    frequency = Counter(term for held in kinds.values() for term in held)
    share = {name: _share_said(said, held, frequency, len(kinds)) for name, held in kinds.items()}
    return np.array([share.get(name, 0.0) for name in names])


def _share_said(said: str, held: frozenset[str], frequency: Mapping[str, int], names: int) -> float:
    weight = {term: math.log((names + 1) / frequency[term]) for term in held}
    total = sum(weight.values())
    return sum(value for term, value in weight.items() if needle(term) in said) / total if total else 0.0


def _passed_over(query: Asked, above: NDArray[np.bool_], held: NDArray[np.bool_]) -> NDArray[np.float64]:
    named = above.any(axis=0)
    return np.asarray((named & ~held) @ query.shares)


def _heaviest_absent(query: Asked, held: NDArray[np.bool_]) -> NDArray[np.float64]:
    heaviest = float(query.shares.max(initial=0.0)) or 1.0
    return np.asarray(np.where(held, 0.0, query.shares).max(axis=1, initial=0.0) / heaviest)


def _codes(query: Asked, hits: Sequence[Hit]) -> list[NDArray[np.float64]]:
    if not query.codes:
        return [np.zeros(len(hits)), np.zeros(len(hits))]
    texts = [" ".join((view(hit.title).whole, view(hit.heading).whole, view(hit.text).whole)) for hit in hits]
    present = _present(query.codes, texts)
    mixed = np.array([not code.strip().replace(".", "").isdigit() for code in query.codes])
    return [present.mean(axis=1), (mixed & ~present).any(axis=1).astype(np.float64)]
