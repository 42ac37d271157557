"""Topics of a text: its nearest prototypes in the embedder's own space, so that no word list is needed."""

import json
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from zhiji.models.embed import Matrix, Vector
from zhiji.models.landmarks import unit

NAME = "topics"
"""Name of the shipped vectors."""
MOST = 3
"""Topics a text is given at most."""
_SHARE = 0.4
"""How far above the text's mean over all topics another topic must lie, as a share of the nearest one's height."""


@dataclass(frozen=True)
class Topics:
    """Prototype texts in an embedder's space; each topic is as near as its nearest text."""

    names: tuple[str, ...]
    owners: NDArray[np.intp]
    """Which topic each prototype belongs to, shape `(prototypes,)`."""
    prototypes: Matrix
    """Unit vectors, shape `(prototypes, dim)`."""

    @classmethod
    def of(cls, vectors: Matrix) -> "Topics":
        """The topics, given the vectors of `prototype_texts`."""
        held = load_prototypes()
        owners = [place for place, texts in enumerate(held.values()) for _ in texts]
        return cls(tuple(held), np.array(owners, dtype=np.intp), vectors)

    @cached_property
    def centre(self) -> Vector:
        """The mean of all prototypes: what every text of the model has in common."""
        return np.asarray(self.prototypes.mean(axis=0), dtype=np.float32)

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """Where each topic's prototypes begin; they stand together."""
        return np.searchsorted(self.owners, np.arange(len(self.names)))

    @cached_property
    def _centred(self) -> Matrix:
        return unit(self.prototypes - self.centre)

    def profile(self, vectors: Matrix) -> Matrix:
        """How near each text is to each topic: cosines around the centre, shape `(len(vectors), topics)`."""
        near = unit(np.atleast_2d(vectors) - self.centre) @ self._centred.T
        return np.maximum.reduceat(near, self._starts, axis=1)

    def of_vector(self, vector: Vector) -> tuple[str, ...]:
        """The topics of one text, nearest first."""
        return self.of_profile(self.profile(np.atleast_2d(vector))[0])

    def of_profile(self, near: Vector) -> tuple[str, ...]:
        """The topics of a text whose profile is known, nearest first."""
        near = near - near.mean()
        order = np.argsort(-near, kind="stable")[:MOST]
        return tuple(self.names[place] for place in order if near[place] >= _SHARE * near[order[0]])


def load_prototypes() -> dict[str, list[str]]:
    """The prototype texts of each topic, zh and en."""
    held: dict[str, list[str]] = json.loads(
        (files("zhiji.models") / "data" / "topics.json").read_text(encoding="utf-8")
    )
    return held


def prototype_texts() -> list[str]:
    """All prototype texts in the order of `Topics.prototypes`."""
    return [text for texts in load_prototypes().values() for text in texts]
