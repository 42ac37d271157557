"""Logistic regression whose weights keep the sign that their feature must have."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zhiji.models.logistic import sigmoid

Floats = NDArray[np.float64]
_STEPS = 3000


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights for the features as they come, and the bias."""

    weights: Floats
    bias: float

    def odds(self, rows: Floats) -> Floats:
        """The log odds of each row."""
        return rows @ self.weights + self.bias


def fit_signed(rows: Floats, yes: Floats, counts: Floats, signs: Floats, *, ridge: float, bias: bool) -> Fitted:
    """Weights of the sign given for each feature, by accelerated projected gradient descent.

    A feature that would help only with the wrong sign gets 0: it fits an accident of the data, and would mislead on
    other data.

    Args:
        rows: Features, shape `(rows, features)`.
        yes: 1 or 0 for each row.
        counts: How much each row counts.
        signs: 1 or -1 for each feature.
        ridge: L2 penalty on the weights of standardised features, against a mean loss.
        bias: Whether to fit one; without, features are only scaled (differences of pairs have no mean).
    """
    share = counts / counts.sum()
    mean = share @ rows if bias else np.zeros(rows.shape[1])
    scale = np.sqrt(share @ (rows - mean) ** 2)
    scale = np.where(scale > 1e-9, scale, 1.0)
    design = np.column_stack([(rows - mean) / scale * signs, np.ones(len(rows)) if bias else np.zeros(len(rows))])
    penalty = np.append(np.full(rows.shape[1], ridge), 0.0)
    curvature = np.linalg.eigvalsh((design * share[:, None]).T @ design)[-1] / 4 + ridge
    beta = ahead = np.zeros(design.shape[1])
    for step in range(_STEPS):
        gradient = design.T @ (share * (sigmoid(design @ ahead) - yes)) + penalty * ahead
        following = ahead - gradient / curvature
        following[:-1] = np.maximum(following[:-1], 0)
        ahead = following + step / (step + 3) * (following - beta)
        beta = following
    weights = beta[:-1] * signs / scale
    return Fitted(weights, float(beta[-1] - weights @ mean))
