"""What the knowledge base is timed beside: the engines others take, with the same chunks, vectors and filter."""

import importlib.util
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from zhiji.core.tokens import terms
from zhiji.evals.bench_chunks import Corpus, Question

LIMIT = 20
"""Hits asked for, as many as each channel of the knowledge base gives."""
_CHROMA_BATCH = 5000


class Rival(Protocol):
    """An engine that is loaded once and then asked."""

    does: str

    def load(self, corpus: Corpus) -> None:
        """Take all chunks in."""
        ...

    def ask(self, question: Question) -> Sequence[Any]:
        """The best of the question's category."""
        ...


class Bm25s:
    """bm25s over the project's own terms: words alone, and no chunk can be added without building it anew."""

    does = "words"

    def __init__(self, folder: Path) -> None:
        self._index: Any = import_module("bm25s").BM25()
        self._masks: dict[str, Any] = {}

    def load(self, corpus: Corpus) -> None:
        """Index every text."""
        self._index.index([terms(text) for text in corpus.texts], show_progress=False)
        held = np.array(corpus.categories)
        self._masks = {name: (held == name).astype(np.float32) for name in set(corpus.categories)}

    def ask(self, question: Question) -> Sequence[Any]:
        """The best by words; a filter is a weight for each chunk."""
        mask = self._masks[question.category]
        limit = min(LIMIT, len(mask))
        found = self._index.retrieve([terms(question.text)], k=limit, weight_mask=mask, show_progress=False)
        return list(found.documents[0])


class Chroma:
    """chromadb on disk: vectors alone."""

    does = "vectors"

    def __init__(self, folder: Path) -> None:
        chroma, config = import_module("chromadb"), import_module("chromadb.config")
        quiet = config.Settings(anonymized_telemetry=False)
        self._client: Any = chroma.PersistentClient(path=str(folder), settings=quiet)

    def load(self, corpus: Corpus) -> None:
        """Add every chunk with its category."""
        self._held = self._client.create_collection(
            "chunks", embedding_function=None, metadata={"hnsw:space": "cosine"}
        )
        for first in range(0, len(corpus.texts), _CHROMA_BATCH):
            part = slice(first, first + _CHROMA_BATCH)
            self._held.add(
                ids=[str(place) for place in range(len(corpus.texts))[part]],
                embeddings=corpus.vectors[part],
                documents=corpus.texts[part],
                metadatas=[{"category": category} for category in corpus.categories[part]],
            )

    def ask(self, question: Question) -> Sequence[Any]:
        """The nearest of the category."""
        where = {"category": question.category}
        found = self._held.query(query_embeddings=[question.vector], n_results=LIMIT, where=where)
        return list(found["ids"][0])


class Lance:
    """LanceDB on disk, without an approximate index: vectors alone."""

    does = "vectors"

    def __init__(self, folder: Path) -> None:
        self._base: Any = import_module("lancedb").connect(str(folder))

    def load(self, corpus: Corpus) -> None:
        """Write every chunk with its category."""
        arrow: Any = import_module("pyarrow")
        flat = arrow.array(corpus.vectors.reshape(-1))
        columns = {
            "vector": arrow.FixedSizeListArray.from_arrays(flat, corpus.vectors.shape[1]),
            "text": corpus.texts,
            "category": corpus.categories,
        }
        self._held = self._base.create_table("chunks", arrow.table(columns))
        self._held.create_scalar_index("category")

    def ask(self, question: Question) -> Sequence[Any]:
        """The nearest of the category."""
        near = self._held.search(question.vector).distance_type("cosine")
        return list(near.where(f"category = '{question.category}'", prefilter=True).limit(LIMIT).to_list())


RIVALS: dict[str, tuple[str, type[Rival]]] = {
    "bm25s": ("bm25s", Bm25s),
    "chromadb": ("chromadb", Chroma),
    "LanceDB": ("lancedb", Lance),
}
"""By name: the module that must be installed, and how it is asked."""


def installed() -> dict[str, type[Rival]]:
    """The rivals that are installed; `pip install --group bench` brings all."""
    return {name: rival for name, (module, rival) in RIVALS.items() if importlib.util.find_spec(module) is not None}
