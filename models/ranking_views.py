"""The form in which texts and questions are compared: what stands in what, by whole terms."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold
from zhiji.core.tokens import codes, terms, ungrouped
from zhiji.models.question_words import content_terms

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

VIEWS = 4096
"""Texts kept ready to be searched, some 3 kB each: folding one takes longer than all that is asked of it."""
_SENTENCE_END = re.compile(r"(?<=[。！？；!?;\n])|(?<=\.)\s")
_CJK_RUN = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)")
_WORD = re.compile(r"[^\W_]")
_UNKNOWN_IDF = 5.0
"""Weight of a term when the release weighs none of the question's."""
_UNSAID = 4.0
"""Terms, each as rare as any in the question, that count as asked and not found: one match out of one is no proof.

Of 0, 1, 2, 4 and 8 the one that served everyday questions best; questions of many terms do not feel it.
"""
_ONE_CHARACTER = 0.5
"""A single Chinese character stands in many words, so it tells half as much as its IDF says."""


@dataclass(frozen=True, slots=True)
class View:
    """A text as it is looked up in: Chinese as it stands, every other run as its search terms between spaces."""

    whole: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's content terms as views spell them, their shares of the question's weight, and its codes.

    The shares add up to less than 1, all the less the fewer terms there are: see `_UNSAID`.
    """

    needles: tuple[str, ...]
    shares: Floats
    codes: tuple[str, ...]


@lru_cache(maxsize=VIEWS)
def view(text: str) -> View:
    """The searchable form of a chunk, a title or a heading.

    >>> view("E1024 错误").whole
    ' e1024 错误'
    """
    sentences = tuple(spelled(piece) for piece in _SENTENCE_END.split(ungrouped(fold(text))) if piece.strip())
    return View("\n".join(sentences), sentences)


def spelled(folded: str) -> str:
    """Folded text as views spell it."""
    runs = _CJK_RUN.split(folded)  # Chinese runs stand at the odd places
    return "".join(run if place % 2 else _words(run) for place, run in enumerate(runs) if run)


def _words(run: str) -> str:
    return f" {' '.join(terms(run))} " if _WORD.search(run) else " "  # most runs are a comma


def needle(term: str) -> str:
    """A term as views spell it: an alphabet's word must stand alone, a Chinese one may stand inside a run."""
    return term if term[0] > "\u33ff" else f" {term} "


def asked(question: str, idf: Mapping[str, float]) -> Asked:
    """What a question asks with; `idf` is the release's weight of its terms.

    >>> asked("E1024 怎么处理", {"e1024": 6.0, "处理": 2.0}).shares
    array([0.1875, 0.0625])
    """
    content = content_terms(question)
    unknown = max(idf.values(), default=_UNKNOWN_IDF)
    weights = np.array([idf.get(term, unknown) * (_ONE_CHARACTER if len(term) == 1 else 1.0) for term in content])
    total = float(weights.sum()) + _UNSAID * max(unknown, 1e-9)
    return Asked(tuple(map(needle, content)), weights / total, tuple(needle(code) for code in codes(question)))


def present(needles: Sequence[str], texts: Sequence[str]) -> Bools:
    """Which needle stands in which text, shape `(texts, needles)`; equal texts are searched once."""
    wholes = {text: view(text).whole for text in set(texts)}
    rows = {text: [needle in whole for needle in needles] for text, whole in wholes.items()}
    return np.array([rows[text] for text in texts], dtype=np.bool_).reshape(len(texts), len(needles))
