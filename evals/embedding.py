"""An embedder that remembers what it embedded, so that baselines use the very vectors the product stored."""

import hashlib
import time
from collections.abc import Sequence

import numpy as np

from zhiji.models.embed import Embedder, Matrix, Vector


class Remembering:
    """The product's embedder with every vector kept, so that no text is embedded inside a timed call."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._passages: dict[str, Vector] = {}
        self._queries: dict[str, Vector] = {}
        self._digests: dict[str, str] = {}
        self.model_id = embedder.model_id
        self.dim = embedder.dim

    def query(self, text: str) -> Vector:
        """The vector of a question, computed once."""
        if text not in self._queries:
            self._queries[text] = self._embedder.query(text)
        return self._queries[text]

    def timed_query(self, text: str) -> tuple[Vector, float]:
        """The vector of a question, and the milliseconds it took; after that `query` has it at once."""
        started = time.perf_counter()
        vector = self.query(text)
        return vector, (time.perf_counter() - started) * 1000

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, each text computed once."""
        for text in texts:
            if text not in self._passages:
                self._passages[text] = self._embedder.passages([text])[0]
        return (
            np.stack([self._passages[text] for text in texts]) if texts else np.empty((0, self.dim), dtype=np.float32)
        )

    def remembered(self, digest: str) -> tuple[str, Vector] | None:
        """The text that has this `digest_of`, and its vector, if it was embedded."""
        if len(self._digests) < len(self._passages):
            self._digests = {digest_of(text): text for text in self._passages}
        text = self._digests.get(digest)
        return None if text is None else (text, self._passages[text])

    def token_count(self, text: str) -> int:
        """Tokens of a text."""
        return self._embedder.token_count(text)


def digest_of(text: str) -> str:
    """The name the knowledge base gives to an embedded text, kept beside each chunk."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
