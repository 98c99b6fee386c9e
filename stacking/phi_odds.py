"""The odds of PHI against "O", from the stacker's margins and every system's own scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray
from multideid.errors import ModelError
from multideid.persistence.json_rules import check_json

NO_CANDIDATE = np.float32(1e3)
"""Margin of "O" for tokens that are no candidates; no decision threshold exceeds it."""
_TAILS = (0.002, 0.998)
_C = 1.0
_PATTERN = {
    "intercept": float,
    "weights": [float],
    "positive": [float],
    "low": [float],
    "high": [float],
}


class PhiOdds(NamedTuple):
    """Logistic regression of PHI against "O" for candidate tokens.

    The stacker's SVM minimises errors, so its margins order the tokens near its
    border well, and those far on the side of "O" badly: there, most normalised scores
    are 0. The log odds are a sum over the stacker and the systems::

        z = intercept + sum(weights[j] * x[j] + positive[j] * max(x[j], 0))

    where x[j] is the score of the best PHI tag less that of "O", clipped to
    ``[low[j], high[j]]``; j = 0 is the stacker.

    Parameters
    ----------
    intercept : float
    weights, positive, low, high : tuple of float
        One of each for the stacker, and for every system.
    """

    intercept: float
    weights: tuple[float, ...]
    positive: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def of(cls, margins: FloatArray, scores: Sequence[FloatArray], phi: BoolArray) -> Self | None:
        """Fit the regression to out-of-fold margins and scores.

        Parameters
        ----------
        margins : float32 array, shape (n_tokens, n_labels)
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One array per system.
        phi : bool array, shape (n_tokens,)
            Whether each token is PHI.

        Returns
        -------
        PhiOdds or None
            None if all candidates are PHI, or none is.
        """
        from sklearn.linear_model import LogisticRegression

        rows = np.flatnonzero(are_candidates(margins))
        if phi[rows].all() or not phi[rows].any():
            return None
        advantages = advantages_of(margins[rows], [s[rows] for s in scores])
        low, high = np.quantile(advantages, _TAILS, axis=0)
        # Where PHI is very rare, all of it lies in the upper tail.
        high = np.maximum(high, np.median(advantages[phi[rows]], axis=0))
        inputs = _inputs(advantages, low, high)
        mean, deviation = inputs.mean(axis=0), inputs.std(axis=0)
        deviation[deviation == 0] = 1
        model = LogisticRegression(C=_C, max_iter=1000)
        model.fit((inputs - mean) / deviation, phi[rows])
        weights = model.coef_[0] / deviation
        plain, positive = np.split(weights, 2)
        columns = (tuple(column.tolist()) for column in (plain, positive, low, high))
        return cls(float(model.intercept_[0] - weights @ mean), *columns)

    def log_odds(self, advantages: DoubleArray) -> DoubleArray:
        """Return the log odds of candidates, shape (n_candidates,).

        Parameters
        ----------
        advantages : float64 array, shape (n_candidates, 1 + n_systems)
            As `advantages_of` returns them.
        """
        inputs = _inputs(advantages, np.array(self.low), np.array(self.high))
        found: DoubleArray = self.intercept + inputs @ np.array([*self.weights, *self.positive])
        return found

    @classmethod
    def from_json(cls, path: Path, values: Any, n_systems: int) -> Self:
        """Check what `_asdict` made, read from a model's file.

        Raises
        ------
        ModelError
            If a value is missing, of another type, or one too few or too many.
        """
        check_json(path, values, _PATTERN)
        columns = [tuple(values[name]) for name in ("weights", "positive", "low", "high")]
        if any(len(column) != n_systems + 1 for column in columns):
            raise ModelError(path, "has odds of PHI for another number of systems")
        if any(low > high for low, high in zip(values["low"], values["high"], strict=True)):
            raise ModelError(path, "has odds of PHI with bounds in the wrong order")
        return cls(values["intercept"], *columns)


def phi_advantage(margins: FloatArray) -> DoubleArray:
    """Return the margin of the best PHI tag less that of ``"O"``, shape (n_tokens,)."""
    if margins.shape[1] == 1:
        return np.full(len(margins), -np.inf)
    advantage: DoubleArray = margins[:, 1:].max(axis=1) - margins[:, 0].astype(np.float64)
    return advantage


def are_candidates(margins: FloatArray) -> BoolArray:
    """Return which tokens are candidates, from the stacker's margins, shape (n_tokens,)."""
    return np.asarray(phi_advantage(margins) > -NO_CANDIDATE / 2)


def advantages_of(margins: FloatArray, scores: Sequence[FloatArray]) -> DoubleArray:
    """Return by how much PHI's best tag leads "O" for the stacker and each system.

    Parameters
    ----------
    margins : float32 array, shape (n_tokens, n_labels)
    scores : sequence of float32 arrays, shape (n_tokens, n_labels)
        One array per system.

    Returns
    -------
    float64 array, shape (n_tokens, 1 + n_systems)
    """
    return np.stack([phi_advantage(values) for values in (margins, *scores)], axis=1)


def _inputs(advantages: DoubleArray, low: DoubleArray, high: DoubleArray) -> DoubleArray:
    clipped = np.clip(advantages, low, high)
    return np.concatenate([clipped, np.maximum(clipped, 0)], axis=1)
