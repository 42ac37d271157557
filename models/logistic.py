"""Logistic regression in plain numpy: small, regularised, and the same on every machine."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logistic:
    """A fitted model: one weight for each feature, and the bias."""

    weights: tuple[float, ...]
    bias: float

    def probability(self, features: ArrayLike) -> Floats:
        """The probability of yes for each row of `features`, shape `(rows, weights)`."""
        rows = np.atleast_2d(np.asarray(features, dtype=np.float64))
        return sigmoid(rows @ np.asarray(self.weights) + self.bias)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), safe for large |x|."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)))


def fit(features: ArrayLike, yes: ArrayLike, *, sample_weight: ArrayLike | None = None, ridge: float = 1.0) -> Logistic:
    """Fit by Newton's method; `ridge` is the L2 penalty on the weights of standardised features.

    Args:
        features: Shape `(rows, features)`.
        yes: 1 or 0 for each row.
        sample_weight: How much each row counts; 1 by default.
        ridge: Penalty; the bias is not penalised.
    """
    x, y = np.asarray(features, dtype=np.float64), np.asarray(yes, dtype=np.float64)
    w = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    design = np.column_stack([(x - mean) / scale, np.ones(len(y))])
    penalty = np.diag([ridge] * x.shape[1] + [1e-9])
    beta = np.zeros(design.shape[1])
    for _ in range(100):
        p = sigmoid(design @ beta)
        gradient = design.T @ (w * (p - y)) + penalty @ beta
        hessian = (design * (w * p * (1 - p))[:, None]).T @ design + penalty + 1e-9 * np.eye(len(beta))
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    weights = beta[:-1] / scale
    return Logistic(tuple(float(v) for v in weights), float(beta[-1] - weights @ mean))
