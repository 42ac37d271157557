"""Prepared chunks and questions for timing the knowledge base: texts and vectors by rule, no model."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zhiji.evals.bench_data import Prepared, question, section
from zhiji.models.embed import Matrix, Vector
from zhiji.stores.knowledge.records import ChunkDraft, DocumentDraft

EACH = 20
"""Chunks of a document."""
CATEGORIES = 10
_NEAR = 0.6
"""How much of a question's own direction is that of the chunk it is about; cosines with it come out near .9."""


class NoModel:
    """What stands for the embedding model: its size and a name, and no vectors of its own."""

    model_id, dim = "prepared", 384

    def query(self, text: str) -> Vector:
        """Nothing here asks a model."""
        raise NotImplementedError("The questions of this benchmark bring their vectors along.")

    def passages(self, texts: Sequence[str]) -> Matrix:
        """Nothing here asks a model."""
        raise NotImplementedError("The chunks of this benchmark bring their vectors along.")

    def token_count(self, text: str) -> int:
        """Nothing here asks a model."""
        raise NotImplementedError("The chunks of this benchmark are cut already.")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, with its vector, shape `(dim,)`, and the one category that is searched."""

    text: str
    vector: Vector
    category: str


class Corpus:
    """So many chunks with their vectors, and questions about them."""

    def __init__(self, chunks: int) -> None:
        self._by_rule = Prepared(NoModel())
        self.documents = _documents(chunks)
        self.texts = [chunk.index_text for document in self.documents for chunk in document.chunks]
        self.categories = [document.category for document in self.documents for _ in document.chunks]
        self.vectors = self._by_rule.passages(self.texts)
        self._places = {text: place for place, text in enumerate(self.texts)}

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """The prepared vectors of some chunks."""
        return self.vectors[[self._places[text] for text in texts]]

    def questions(self, count: int, run: int) -> list[Question]:
        """So many questions, different in every run, each about one chunk and filtered by its category."""
        chance = random.Random(1000 + run)
        return [self._question(chance, chance.randrange(len(self.texts))) for _ in range(count)]

    def _question(self, chance: random.Random, place: int) -> Question:
        text = question(chance, place)
        vector = _NEAR * self.vectors[place] + (1 - _NEAR) * self._by_rule.passages([text])[0]
        unit = np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
        return Question(text, unit, self.categories[place])


def _documents(chunks: int) -> list[DocumentDraft]:
    chance = random.Random(1)
    return [_document(chance, first, min(EACH, chunks - first)) for first in range(0, chunks, EACH)]


def _document(chance: random.Random, first: int, size: int) -> DocumentDraft:
    number = first // EACH
    title = f"手册 {number + 1}"
    return DocumentDraft(
        root="/prepared",
        source=f"{number:05}.md",
        title=title,
        file_hash=str(number),
        pipeline="prepared",
        chunks=[_chunk(chance, title, first + place) for place in range(size)],
        category=f"c{number % CATEGORIES}",
    )


def _chunk(chance: random.Random, title: str, number: int) -> ChunkDraft:
    heading, _, text = section(chance, number).removeprefix("## ").partition("\n\n")
    return ChunkDraft(text, f"{title}\n{heading}\n{text}", heading)
