"""The embedded reranker: a few features of question and chunk, weighed as fitted for the embedding model."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from zhiji.core.errors import NotCalibrated
from zhiji.core.text import Language, language_of
from zhiji.core.turn import Found, Hit, Query
from zhiji.models.ranking_evidence import EVIDENCE, evidence
from zhiji.models.ranking_features import FEATURES, Seen, see
from zhiji.models.ranking_turns import behind, take_turns
from zhiji.models.ranking_views import Floats


@dataclass(frozen=True, slots=True)
class RerankWeights:
    """What was fitted for one embedding model by `evals/fit/rerank.py`.

    The rank score of a hit is `rank · features`. The log odds that the best hit answers are `bias + answers ·
    evidence`; those of a lesser hit lie `slope` lower for each point of rank score that it falls behind, and lower again
    where it lacks a code that the best one holds.
    """

    rank: Floats
    answers: Floats
    bias: float
    slope: float
    threshold: float
    reach: float
    """Cosines this far apart within one document are as good as unrelated."""
    turn: float
    """Points of rank score that each hit of a document costs its later ones, where the question names several."""
    usual: Mapping[Language, float]
    """Cosine of a question and a passage that have nothing to do with each other, by the question's language."""


class FeatureReranker:
    """Orders chunks by features alone: no model call, some 2 ms for 40 hits.

    Raises:
        NotCalibrated: Nothing was fitted for this embedding model.
    """

    def __init__(self, model_id: str) -> None:
        self._weights = load_weights(model_id)

    async def rerank(self, query: Query, found: Found) -> Sequence[tuple[Hit, float]]:
        """Every hit with the probability that it answers, best first; equal ones keep the order they came in."""
        return rank(query.text, found, self._weights)

    def threshold(self) -> float:
        """The probability below which even the best hit means that the documents do not say."""
        return self._weights.threshold


def rank(question: str, found: Found, weights: RerankWeights) -> list[tuple[Hit, float]]:
    """The hits, best first, each with the probability that it answers the question."""
    if not found.hits:
        return []
    seen = see(question, found, reach=weights.reach)
    scores = seen.rows @ weights.rank
    odds = weights.bias + float(
        weights.answers @ evidence(seen, found, scores, usual=weights.usual[language_of(question)])
    )
    sources, named = [hit.source for hit in found.hits], seen.column("title_named")
    order = take_turns(scores, sources, named, cost=weights.turn)
    fall = weights.slope * behind(scores, sources, named)[order] + _without_the_code(seen, order, weights)
    chances = [_probability(odds - float(less)) for less in np.maximum.accumulate(fall)]
    return [(found.hits[at], chance) for at, chance in zip(order, chances, strict=True)]


def _without_the_code(seen: Seen, order: NDArray[np.intp], weights: RerankWeights) -> Floats:
    """What a lesser hit loses that lacks the code for which the best one was believed."""
    held = seen.column("exact_held")[order]
    return np.asarray(weights.answers[EVIDENCE.index("exact_held")] * np.maximum(held[0] - held, 0))


def _probability(log_odds: float) -> float:
    return 0.5 * (1 + math.tanh(log_odds / 2))  # 1 / (1 + exp(-x)), safe for large |x|


@cache
def load_weights(model_id: str) -> RerankWeights:
    """The weights fitted for an embedding model.

    Raises:
        NotCalibrated: There are none.
    """
    for file in sorted((files("zhiji.models") / "data").iterdir(), key=lambda file: file.name):
        if file.name.startswith("rerank_") and file.name.endswith(".json"):
            held = json.loads(file.read_text(encoding="utf-8"))
            if held["model"] == model_id:
                return _weights(held)
    raise NotCalibrated(
        f"The reranker has no weights for the embedding model '{model_id}'. "
        "Set ZHIJI_EMBEDDING to a model that has them, or fit them with `python -m zhiji.evals.fit.rerank`."
    )


def _weights(held: dict[str, dict[str, float]]) -> RerankWeights:
    numbers = held["numbers"]
    return RerankWeights(
        rank=np.array([held["rank"][name] for name in FEATURES]),
        answers=np.array([held["answers"][name] for name in EVIDENCE]),
        bias=numbers["bias"],
        slope=numbers["slope"],
        threshold=numbers["threshold"],
        reach=numbers["reach"],
        turn=numbers["turn"],
        usual={"zh": held["usual"]["zh"], "en": held["usual"]["en"]},
    )
