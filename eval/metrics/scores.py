"""Precision, recall and F-measure, defined as 0 where the denominator is 0."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from multideid.arrays import DoubleArray
from multideid.errors import UsageError

# Beyond it, the F-measure is recall.
_GREATEST_BETA = 1_000_000


def f_measure(counts: npt.ArrayLike, beta: float = 1.0) -> DoubleArray:
    """Return the F-measure, (1 + beta**2) correct / (beta**2 gold + predicted).

    With `beta` 1 it is the thesis's (3.3).

    Parameters
    ----------
    counts : array-like, shape (..., 3)
        Last axis: correct, predicted, gold.
    beta : float
        How many times as much recall weighs as precision.

    Returns
    -------
    float64 array, shape (...)
        0 where nothing is gold and nothing is predicted.
    """
    correct, predicted, gold = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    weight = beta**2
    denominator = weight * gold + predicted
    f: DoubleArray = np.zeros(denominator.shape)
    np.divide((1 + weight) * correct, denominator, out=f, where=denominator > 0)
    # A little more than 1 by rounding where everything is right and beta is a fraction.
    np.minimum(f, 1.0, out=f)
    return f


def check_beta(beta: float) -> None:
    """Raise `UsageError` unless `beta` is a positive number up to a million."""
    if not 0 < beta <= _GREATEST_BETA:
        raise UsageError(
            f"beta is {beta}; it must be a positive number, such as 1 or 2, and at most "
            f"{_GREATEST_BETA:,}"
        )


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of correct, predicted and gold tokens or spans, and their ratios.

    A ratio with denominator zero is 0.0.

    Parameters
    ----------
    correct, predicted, gold : int
    """

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """correct / predicted (thesis 3.1)."""
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """correct / gold (thesis 3.2)."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall (thesis 3.3)."""
        return self.f()

    def f(self, beta: float = 1.0) -> float:
        """Return the F-measure that weighs recall `beta` times as much."""
        return float(f_measure((self.correct, self.predicted, self.gold), beta))

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """Return the scores, with F2 in addition, and the counts as plain JSON values."""
        return {**_ratios(self, beta), **asdict(self)}


@dataclass(frozen=True, slots=True)
class MacroScore:
    """The unweighted mean over classes.

    Parameters
    ----------
    scores : tuple of Score
        One per class. Without any, every mean is 0.0.
    """

    scores: tuple[Score, ...]

    @classmethod
    def over(cls, scores: Iterable[Score]) -> MacroScore:
        """Average the classes that occur in the gold or in the predictions."""
        return cls(tuple(score for score in scores if score.gold or score.predicted))

    @property
    def precision(self) -> float:
        """Mean precision."""
        return _mean(score.precision for score in self.scores)

    @property
    def recall(self) -> float:
        """Mean recall."""
        return _mean(score.recall for score in self.scores)

    def f(self, beta: float = 1.0) -> float:
        """Return the mean F-measure (not the F-measure of the means)."""
        return _mean(score.f(beta) for score in self.scores)

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """Return the means, with F2 in addition, and the number of classes."""
        return {**_ratios(self, beta), "classes": len(self.scores)}


def _ratios(score: Score | MacroScore, beta: float) -> dict[str, float]:
    measures = {"precision": score.precision, "recall": score.recall}
    return {**measures, "f": score.f(beta), "f2": score.f(2)}


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else 0.0
