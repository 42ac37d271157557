"""Vectors of fixed texts, shipped for the models they were made with, so that opening a store embeds nothing."""

import hashlib
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from zhiji.models.embed import Matrix
from zhiji.models.similarity import file_name


def vectors_of(model_id: str, name: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Matrix]) -> Matrix:
    """The unit vectors of the texts: as they ship for the model, else embedded now."""
    packaged = files("zhiji.models") / "data" / "calibration" / _file(model_id, name)
    if packaged.is_file():
        with packaged.open("rb") as file, np.load(file) as held:
            if str(held["digest"]) == _digest(texts):
                return unit(held["vectors"].astype(np.float32))
    return embed(texts)


def save(model_id: str, name: str, texts: Sequence[str], vectors: Matrix, folder: Path) -> Path:
    """Write the vectors of the texts for a model, in half precision."""
    path = folder / _file(model_id, name)
    np.savez_compressed(path, digest=np.array(_digest(texts)), vectors=vectors.astype(np.float16))
    return path


def unit(vectors: Matrix) -> Matrix:
    """The vectors at unit length."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), dtype=np.float32)


def _file(model_id: str, name: str) -> str:
    return f"{file_name(model_id).removesuffix('.json')}.{name}.npz"


def _digest(texts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
