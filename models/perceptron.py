"""A small committee of one-layer networks in plain numpy: for what a weighted sum cannot tell apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from zhiji.models.logistic import Floats, sigmoid

UNITS, MEMBERS, EPOCHS, BATCH, RATE = 24, 3, 120, 128, 3e-3
_BETA1, _BETA2, _TINY = 0.9, 0.999, 1e-8  # Adam's own defaults (Kingma and Ba, 2015)


@dataclass(frozen=True, slots=True)
class Network:
    """One network: standardise, one hidden layer of rectified units, one output."""

    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: float

    def log_odds(self, x: Floats) -> Floats:
        """The output before the sigmoid, for standardised rows."""
        return np.asarray(np.maximum(x @ self.hidden + self.hidden_bias, 0.0) @ self.output + self.output_bias)


@dataclass(frozen=True, slots=True)
class Committee:
    """Networks that differ only in where they started; their probabilities are averaged."""

    mean: Floats
    scale: Floats
    networks: tuple[Network, ...]

    def probability(self, features: ArrayLike) -> Floats:
        """The probability of yes for each row of `features`, shape `(rows,)`."""
        x = (np.atleast_2d(np.asarray(features, dtype=np.float64)) - self.mean) / self.scale
        return np.asarray(np.mean([sigmoid(network.log_odds(x)) for network in self.networks], axis=0))

    def to_json(self) -> dict[str, Any]:
        """The weights as plain JSON, five digits each."""
        return {
            "mean": _listed(self.mean),
            "scale": _listed(self.scale),
            "networks": [
                {"hidden": _listed(n.hidden), "hidden_bias": _listed(n.hidden_bias), "output": _listed(n.output),
                 "output_bias": round(n.output_bias, 5)}
                for n in self.networks
            ],
        }  # fmt: skip

    @classmethod
    def from_json(cls, held: Mapping[str, Any]) -> "Committee":
        """A committee from its JSON."""
        networks = tuple(
            Network(np.array(n["hidden"]), np.array(n["hidden_bias"]), np.array(n["output"]), float(n["output_bias"]))
            for n in held["networks"]
        )
        return cls(np.array(held["mean"]), np.array(held["scale"]), networks)


def fit(
    features: ArrayLike, yes: ArrayLike, *, sample_weight: ArrayLike | None = None, ridge: float = 1e-4
) -> Committee:
    """Fit a committee by Adam on mini-batches; the same rows give the same weights.

    Args:
        features: Shape `(rows, features)`.
        yes: 1 or 0 for each row.
        sample_weight: How much each row counts; 1 by default.
        ridge: L2 penalty on the weights, per row.
    """
    x, y = np.asarray(features, dtype=np.float64), np.asarray(yes, dtype=np.float64)
    w = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    rows = (x - mean) / scale
    return Committee(mean, scale, tuple(_train(rows, y, w / w.mean(), ridge, seed) for seed in range(MEMBERS)))


def _train(x: Floats, y: Floats, w: Floats, ridge: float, seed: int) -> Network:
    chance = np.random.default_rng(seed)
    spread = np.sqrt(2 / x.shape[1])
    weights = [
        chance.normal(0, spread, (x.shape[1], UNITS)),
        np.zeros(UNITS),
        chance.normal(0, 0.3, UNITS),
        np.zeros(1),
    ]
    first, second = [np.zeros_like(p) for p in weights], [np.zeros_like(p) for p in weights]
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS)
        for rows in np.array_split(chance.permutation(len(y)), max(1, len(y) // BATCH)):
            step += 1
            for place, slope in enumerate(_slopes(weights, x[rows], y[rows], w[rows], ridge)):
                first[place] = _BETA1 * first[place] + (1 - _BETA1) * slope
                second[place] = _BETA2 * second[place] + (1 - _BETA2) * slope**2
                size = np.sqrt(second[place] / (1 - _BETA2**step)) + _TINY
                weights[place] = weights[place] - rate * first[place] / (1 - _BETA1**step) / size
    return Network(weights[0], weights[1], weights[2], float(weights[3][0]))


def _slopes(weights: list[Floats], x: Floats, y: Floats, w: Floats, ridge: float) -> list[Floats]:
    """The gradient of the weighted log loss, in the order of `weights`."""
    active = x @ weights[0] + weights[1]
    lit = np.maximum(active, 0.0)
    miss = w * (sigmoid(lit @ weights[2] + weights[3][0]) - y) / len(y)
    back = np.outer(miss, weights[2]) * (active > 0)
    return [
        x.T @ back + ridge * weights[0],
        back.sum(axis=0),
        lit.T @ miss + ridge * weights[2],
        np.array([miss.sum()]),
    ]


def _listed(values: Floats) -> Any:
    return np.round(values, 5).tolist()
