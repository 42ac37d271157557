"""Where the subject of a text shifts, as the price of beginning a chunk there."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from zhiji.ingest.units import CUT_SENTENCE, Unit
from zhiji.models.embed import Matrix

EmbedTexts = Callable[[Sequence[str]], Matrix]

_WINDOW = 2  # sentences on each side of a cut that are compared: one alone says too little
_FEW = 4  # units; a shorter section has no shifts to find
_STEP = 0.8  # of a sentence's price, for each standard deviation of likeness
_DEAREST = 3.0


def priced_by_subject(units: Sequence[Unit], embed: EmbedTexts) -> list[Unit]:
    """The units, those that begin another subject cheap to cut before and those that go on with one dear.

    Likeness is measured against that of the section's other places: how alike sentences are differs between texts and
    between embedding models, so no fixed threshold would do.
    """
    prose = [n for n, unit in enumerate(units) if unit.kind == "prose"]
    if len(prose) < _FEW:
        return list(units)
    vectors = dict(zip(prose, embed([units[n].text for n in prose]), strict=True))
    likeness = {n: _likeness(vectors, n) for n in prose[1:]}
    values = np.array(list(likeness.values()))
    spread = float(values.std())
    if spread < 1e-6:
        return list(units)
    mean = float(values.mean())
    priced = list(units)
    for n, value in likeness.items():
        price = units[n].cut + CUT_SENTENCE * _STEP * (value - mean) / spread
        priced[n] = replace(units[n], cut=min(max(price, 0.0), _DEAREST))
    return priced


def _likeness(vectors: dict[int, np.ndarray], place: int) -> float:
    """The cosine of what stands before a place and what stands after it."""
    before = [vectors[n] for n in range(place - _WINDOW, place) if n in vectors]
    after = [vectors[n] for n in range(place, place + _WINDOW) if n in vectors]
    if not before:
        return 1.0
    left, right = np.mean(before, axis=0), np.mean(after, axis=0)
    return float(left @ right / (np.linalg.norm(left) * np.linalg.norm(right)))
