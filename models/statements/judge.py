"""The judge of statements: irrelevant, entailed or contradicted.

A multinomial logistic regression over hashed signs, fitted by `evals/fit/statements.py`; at run time a few sums.
"""

import math
from functools import cache
from importlib import resources
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from zhiji.models.statements.features import SCALE, signs
from zhiji.models.statements.mentions import Attribute

Label = Literal["irrelevant", "entailed", "contradicted"]
LABELS: tuple[Label, ...] = ("irrelevant", "entailed", "contradicted")

Floats = NDArray[np.float32]


class Weights:
    """The fitted regressions.

    `signs` of shape `(3, BUCKETS)` and `bias` of shape `(3,)`, in the order of LABELS, judge with a profile; `own` of
    shape `(BUCKETS,)` and `own_bias` tell without one whether anything is stated of the speaker.
    """

    def __init__(self, held: Any) -> None:
        self.signs: Floats = held["signs"].astype(np.float32)
        self.bias: Floats = held["bias"].astype(np.float32)
        self.own: Floats = held["own"].astype(np.float32)
        self.own_bias = float(held["own_bias"])


@cache
def weights() -> Weights:
    """The weights that ship with the package."""
    with resources.files("zhiji.models").joinpath("data/statement_weights.npz").open("rb") as file:
        return Weights(np.load(file, allow_pickle=False))


def shares(utterance: str, attribute: Attribute, held: str) -> Floats:
    """How likely each of LABELS is of an utterance, shape `(3,)`; `held` is what is known of the speaker."""
    seen = signs(utterance, attribute, held)
    fitted = weights()
    logits = fitted.bias + fitted.signs[:, seen].sum(axis=1) * (SCALE / np.sqrt(max(1, len(seen))))
    odds = np.exp(logits - logits.max())
    told: Floats = (odds / odds.sum()).astype(np.float32)
    return told


def of_speaker(utterance: str, attribute: Attribute) -> float:
    """How likely an utterance states the attribute of whoever says it, nothing being known of them."""
    seen = signs(utterance, attribute, "")
    logit = weights().own_bias + float(weights().own[seen].sum()) * SCALE / math.sqrt(max(1, len(seen)))
    return 1.0 / (1.0 + math.exp(-logit))
