"""An embedder's space with what is fixed in it: the topics, and the cohort that any text is compared with."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from zhiji.core.text import Language
from zhiji.models.embed import Embedder, Matrix, Vector
from zhiji.models.landmarks import save, vectors_of
from zhiji.models.topics import NAME as TOPICS
from zhiji.models.topics import Topics, prototype_texts

_COHORT = "cohort"
_LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Cohort:
    """Memories and questions that have nothing to do with each other, by language.

    A cosine means something only beside what a text has with any other: a question is compared with these statements,
    a memory with these questions, in its own language.
    """

    statements: Mapping[Language, Matrix]
    questions: Mapping[Language, Matrix]

    def of_question(self, vector: Vector, lang: Language) -> tuple[float, float]:
        """Mean and spread of a question's cosines to unrelated statements."""
        cosines = self.statements[lang] @ vector
        return float(cosines.mean()), max(float(cosines.std()), 1e-3)

    def of_memories(self, matrix: Matrix, langs: Sequence[Language]) -> tuple[Vector, Vector]:
        """Mean and spread of each memory's cosines to unrelated questions, shape `(n,)` each."""
        mean, spread = np.zeros(len(matrix), np.float32), np.ones(len(matrix), np.float32)
        for lang in _LANGUAGES:
            rows = np.array([held == lang for held in langs], dtype=np.bool_)
            if rows.any():
                cosines = matrix[rows] @ self.questions[lang].T
                mean[rows], spread[rows] = cosines.mean(axis=1), np.maximum(cosines.std(axis=1), 1e-3)
        return mean, spread


@dataclass(frozen=True, slots=True)
class Space:
    """What is fixed in an embedder's space."""

    topics: Topics
    cohort: Cohort

    @classmethod
    def of(cls, embedder: Embedder) -> "Space":
        """The landmarks of an embedder: as they ship where they ship, else embedded now."""
        found = {name: vectors_of(embedder.model_id, name, texts, embed) for name, texts, embed in _fixed(embedder)}
        return cls(Topics.of(found[TOPICS]), _cohort(found))


def _cohort(found: Mapping[str, Matrix]) -> Cohort:
    return Cohort(
        {lang: found[f"{_COHORT}-statements-{lang}"] for lang in _LANGUAGES},
        {lang: found[f"{_COHORT}-questions-{lang}"] for lang in _LANGUAGES},
    )


def save_landmarks(embedder: Embedder, folder: Path) -> list[Path]:
    """Write the vectors of all landmarks of an embedder."""
    return [save(embedder.model_id, name, texts, embed(texts), folder) for name, texts, embed in _fixed(embedder)]


def _fixed(embedder: Embedder) -> list[tuple[str, list[str], Callable[[Sequence[str]], Matrix]]]:
    held = json.loads((files("zhiji.models") / "data" / "cohort.json").read_text(encoding="utf-8"))

    def asked(texts: Sequence[str]) -> Matrix:
        return np.stack([embedder.query(text) for text in texts])

    fixed: list[tuple[str, list[str], Callable[[Sequence[str]], Matrix]]] = [
        (TOPICS, prototype_texts(), embedder.passages)
    ]
    for lang in _LANGUAGES:
        fixed.append((f"{_COHORT}-statements-{lang}", held[lang]["statements"], embedder.passages))
        fixed.append((f"{_COHORT}-questions-{lang}", held[lang]["questions"], asked))
    return fixed
