"""Topics of a text: its nearest prototypes in the embedder's own space, so that no word list is needed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zhiji.models.embed import Embedder, Matrix, Vector
from zhiji.models.similarity import file_name

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
    def of(cls, embedder: Embedder, texts: Mapping[str, list[str]] | None = None) -> "Topics":
        """The prototypes of an embedder: as they ship where they ship, else embedded now."""
        texts = texts or load_prototypes()
        listed = [(place, text) for place, name in enumerate(texts) for text in texts[name]]
        wanted = [text for _, text in listed]
        stored = _shipped(embedder.model_id, wanted)
        vectors = embedder.passages(wanted) if stored is None else stored
        return cls(tuple(texts), np.array([place for place, _ in listed]), vectors)

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
        return _unit(self.prototypes - self.centre)

    def profile(self, vectors: Matrix) -> Matrix:
        """How near each text is to each topic: cosines around the centre, shape `(len(vectors), topics)`."""
        near = _unit(np.atleast_2d(vectors) - self.centre) @ self._centred.T
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


def save_prototypes(embedder: Embedder, folder: Path) -> Path:
    """Write the prototypes' vectors of an embedder, so that opening a store does not embed them."""
    texts = [text for held in load_prototypes().values() for text in held]
    path = folder / _file(embedder.model_id)
    np.savez_compressed(path, digest=np.array(_digest(texts)), vectors=embedder.passages(texts).astype(np.float16))
    return path


def _shipped(model_id: str, texts: list[str]) -> Matrix | None:
    packaged = files("zhiji.models") / "data" / "calibration" / _file(model_id)
    if not packaged.is_file():
        return None
    with packaged.open("rb") as file, np.load(file) as held:
        if str(held["digest"]) != _digest(texts):
            return None
        return _unit(held["vectors"].astype(np.float32))


def _file(model_id: str) -> str:
    return file_name(model_id).removesuffix(".json") + ".topics.npz"


def _digest(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _unit(vectors: Matrix) -> Matrix:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), dtype=np.float32)
