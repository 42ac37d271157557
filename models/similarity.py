"""Calibrated similarity: the probability that two sentences say the same, and the file that holds its weights."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from zhiji.core.errors import NotCalibrated
from zhiji.models.embed import Embedder, Matrix
from zhiji.models.logistic import Floats, Logistic
from zhiji.models.pair_features import FEATURES, pair_features
from zhiji.models.perceptron import Committee, fit

SAME = 0.9
"""Probability from which two memories count as one; seeds, document 000 §3.2."""
RELATED = 0.7
"""Probability from which two memories may be merged; the same source."""
_RIDGE = 1e-3


RELEVANCE_FEATURES = (
    "question_norm",
    "memory_norm",
    "coverage",
    "told",
    "topics",
    "shared_topic",
    "place",
    "nearby",
    "stands_out",
)
"""What a question and a memory are compared by."""
_ABSOLUTE = ("question_norm", "memory_norm", "coverage", "told", "topics", "shared_topic", "place", "nearby")
_RELATIVE = ("memory_norm", "topics", "nearby", "stands_out")
_GATE = ("memory_norm", "topics")


def _columns(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(RELEVANCE_FEATURES.index(name) for name in names)


@dataclass(frozen=True, slots=True)
class Relevance:
    """What makes a memory bear on a question, in three parts.

    `absolute` judges a pair on its own; `gate` says from the best pair whether anything bears on the question at all;
    `relative` orders one person's memories, where standing out among them counts most.
    """

    absolute: Logistic
    relative: Logistic
    gate: Logistic
    absolute_columns: tuple[int, ...] = _columns(_ABSOLUTE)
    relative_columns: tuple[int, ...] = _columns(_RELATIVE)
    gate_columns: tuple[int, ...] = _columns(_GATE)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one embedding model's cosines mean.

    `same` turns the features of a pair of sentences into the probability that they say the same; `relevant` those of a
    question and a memory into the probability that the memory bears on it. `report` holds the figures of the held-out half.
    """

    model_id: str
    same: Committee
    relevant: Relevance
    report: dict[str, Any] = field(default_factory=dict)

    def same_probability(self, cosine: float, a: str, b: str) -> float:
        """The probability that two stored sentences say the same, given the cosine of their vectors."""
        return float(self.same_probabilities([cosine], a, [b])[0])

    def same_probabilities(self, cosines: Sequence[float] | Floats, a: str, others: Sequence[str]) -> Floats:
        """The same for one sentence and several others, shape `(len(others),)`."""
        if not others:
            return np.zeros(0)
        rows = [pair_features(float(cosine), a, b) for cosine, b in zip(cosines, others, strict=True)]
        return self.same.probability(np.array(rows))


def fit_same(embedder: Embedder, pairs: Sequence[tuple[str, str, bool]], weights: Sequence[float] = ()) -> Committee:
    """Fit the weights of `same` for an embedder on pairs of sentences, each with whether it says the same."""
    cosines = embed_pairs(embedder, pairs)
    rows = [pair_features(float(cosine), a, b) for cosine, (a, b, _) in zip(cosines, pairs, strict=True)]
    return fit(np.array(rows), [float(same) for *_, same in pairs], sample_weight=weights or None, ridge=_RIDGE)


def embed_pairs(embedder: Embedder, pairs: Sequence[tuple[str, str, bool]]) -> Floats:
    """The cosine of each pair, shape `(len(pairs),)`."""
    left: Matrix = embedder.passages([a for a, *_ in pairs])
    right: Matrix = embedder.passages([b for _, b, _ in pairs])
    return np.asarray(np.einsum("ij,ij->i", left, right), dtype=np.float64)


def file_name(model_id: str) -> str:
    """The calibration's file name: the model id with everything but letters, digits and dots turned to dashes."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", model_id).strip("-") + ".json"


def save(calibration: Calibration, folder: Path) -> Path:
    """Write a calibration into a folder and name the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(calibration.model_id)
    path.write_text(json.dumps(_to_json(calibration), ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def load_calibration(model_id: str, folder: Path | None = None) -> Calibration:
    """The calibration of a model: the one made in `folder`, else the one that ships.

    Raises:
        NotCalibrated: There is none; a raw cosine means nothing across models.
    """
    own = folder / file_name(model_id) if folder else None
    if own is not None and own.exists():
        return _from_json(own.read_text(encoding="utf-8"))
    return _shipped(model_id)


@lru_cache(maxsize=4)
def _shipped(model_id: str) -> Calibration:
    packaged = files("zhiji.models") / "data" / "calibration" / file_name(model_id)
    if not packaged.is_file():
        raise NotCalibrated(
            f"The embedding model {model_id} has no calibration. Run `zhiji calibrate` once to make it."
        )
    return _from_json(packaged.read_text(encoding="utf-8"))


def _to_json(calibration: Calibration) -> dict[str, Any]:
    relevant = calibration.relevant
    return {
        "model_id": calibration.model_id,
        "report": calibration.report,
        "relevant": {name: asdict(getattr(relevant, name)) for name in ("absolute", "relative", "gate")},
        "same": {"features": list(FEATURES), **calibration.same.to_json()},
    }


def _from_json(text: str) -> Calibration:
    held = json.loads(text)
    if held["same"]["features"] != list(FEATURES):
        raise NotCalibrated("The calibration was made by another version. Run `zhiji calibrate` again.")
    parts = {name: Logistic(tuple(one["weights"]), one["bias"]) for name, one in held["relevant"].items()}
    relevant = Relevance(parts["absolute"], parts["relative"], parts["gate"])
    return Calibration(held["model_id"], Committee.from_json(held["same"]), relevant, held.get("report", {}))
