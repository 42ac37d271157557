"""The embedding capability."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors; safe to call from several threads.

    `query` is for what is asked, `passages` for what is stored. The model id names the calibration and is kept
    beside everything that was embedded.
    """

    model_id: str
    dim: int

    def query(self, text: str) -> Vector:
        """The vector of a question, shape `(dim,)`; the same text is computed once."""
        ...

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, shape `(len(texts), dim)`."""
        ...

    def token_count(self, text: str) -> int:
        """How many of the model's tokens a text takes."""
        ...
