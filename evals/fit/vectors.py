"""Embeddings kept in a file between runs of a fitting script."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from zhiji.models.embed import Embedder, Matrix, Vector


class Kept:
    """An embedder whose vectors are read from a file and written back at the end; without one, kept in memory."""

    def __init__(self, embedder: Embedder, file: Path | None) -> None:
        self._embedder, self._file = embedder, file
        self.model_id, self.dim = embedder.model_id, embedder.dim
        self._known: dict[str, Vector] = {}

    def __enter__(self) -> Self:
        if self._file is not None and self._file.exists():
            with np.load(self._file) as held:
                self._known = dict(zip(held["names"].tolist(), held["vectors"], strict=True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None and self._known:
            np.savez(self._file, names=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        name = _name("query", text)
        if name not in self._known:
            self._known[name] = self._embedder.query(text)
        return self._known[name]

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts."""
        for text in texts:
            if _name("passage", text) not in self._known:
                self._known[_name("passage", text)] = self._embedder.passages([text])[0]
        return np.stack([self._known[_name("passage", text)] for text in texts])

    def token_count(self, text: str) -> int:
        """Tokens of a text."""
        return self._embedder.token_count(text)


def _name(kind: str, text: str) -> str:
    return f"{kind}:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"
