"""Significance and confidence: the thesis's z-test, the bootstrap, and means over draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from multideid.arrays import DoubleArray
from multideid.errors import UsageError
from multideid.eval.metrics.scores import check_beta, f_measure

SIGNIFICANT_Z = 1.96
"""The two-sided critical value at the 0.05 level (thesis 3.5.4)."""

_LEVELS = ((3.291, 0.001, "***"), (2.576, 0.01, "**"), (SIGNIFICANT_Z, 0.05, "*"))
MARKS = "* p < 0.05, ** p < 0.01, *** p < 0.001"
"""The legend of `mark_of_z` and `mark_of_p`."""

LEVEL = 0.95
"""The usual confidence."""

_CELLS_AT_ONCE = 2_000_000


def z_statistic(p1: float, p2: float, n1: int, n2: int) -> float:
    """Return the two-proportion z-statistic of the thesis, (3.4) and (3.5).

    z = (p1 - p2) / sqrt(p (1 - p) (1 / n1 + 1 / n2)) with the pooled proportion
    p = (n1 p1 + n2 p2) / (n1 + n2). The thesis takes F-measures for proportions
    and numbers of tokens for sample sizes, and prints the absolute value.

    Parameters
    ----------
    p1, p2 : float
        In 0 to 1.
    n1, n2 : int
        Sample sizes.

    Returns
    -------
    float
        Positive if `p1` is greater; 0.0 if a sample is empty.

    Raises
    ------
    UsageError
        If a proportion is outside 0 to 1 or a size is negative.

    Examples
    --------
    >>> round(z_statistic(0.5, 0.0, 3, 3), 5)
    1.41421
    """
    _check_proportions(p1, p2, n1, n2)
    if not n1 or not n2:
        return 0.0
    pooled = (n1 * p1 + n2 * p2) / (n1 + n2)
    variance = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    # Proportions of 0 or 1, up to rounding, have no variance.
    return (p1 - p2) / math.sqrt(variance) if variance > 0 else 0.0


def mark_of_z(z: float) -> str:
    """Return zero to three stars for a z-statistic."""
    return next((mark for least, _, mark in _LEVELS if abs(z) > least), "")


def mark_of_p(p: float) -> str:
    """Return zero to three stars for a two-sided p."""
    return next((mark for _, most, mark in _LEVELS if p < most), "")


def _check_proportions(p1: float, p2: float, n1: int, n2: int) -> None:
    for p, n in ((p1, n1), (p2, n2)):
        if not 0 <= p <= 1:
            raise UsageError(f"a z-test compares proportions from 0 to 1, not {p}")
        if n < 0:
            raise UsageError(f"a z-test needs sample sizes of 0 or more, not {n}")


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval.

    Parameters
    ----------
    estimate, low, high : float
    level : float
        Confidence level, such as 0.95.
    """

    estimate: float
    low: float
    high: float
    level: float

    def to_dict(self) -> dict[str, float]:
        """Return the figures as plain JSON values."""
        return asdict(self)


def bootstrap_f(
    counts: npt.ArrayLike, *, n_resamples: int = 10_000, seed: int = 0, beta: float = 1.0
) -> DoubleArray:
    """Draw documents with replacement and score each draw.

    All systems are scored on the same draws, so that differences are paired.

    Parameters
    ----------
    counts : array-like, shape (n_systems, n_documents, 3)
        Correct, predicted and gold of each system and document.
    n_resamples : int
    seed : int
    beta : float

    Returns
    -------
    float64 array, shape (n_systems, n_resamples)
        Micro F-measure of each system on each draw.

    Raises
    ------
    UsageError
        If there is no document or resample, or beta is invalid.
    """
    table = np.asarray(counts, dtype=np.float64)
    check_beta(beta)
    if table.ndim != 3 or table.shape[2] != 3 or not table.shape[1]:
        raise UsageError(
            f"counts must have shape (systems, documents, 3) with a document, not {table.shape}"
        )
    if n_resamples < 1:
        raise UsageError(f"the bootstrap needs at least one resample, not {n_resamples}")
    n_systems, n_documents, _ = table.shape
    columns = table.transpose(1, 0, 2).reshape(n_documents, n_systems * 3)
    draws = _draws(n_documents, n_resamples, np.random.default_rng(seed))
    sums = np.concatenate([times_drawn @ columns for times_drawn in draws])
    return f_measure(sums.reshape(n_resamples, n_systems, 3), beta).T


def _draws(n_documents: int, n_resamples: int, rng: np.random.Generator) -> Iterator[DoubleArray]:
    """Yield how often each document is drawn, in blocks of resamples (rows)."""
    for rows in block_sizes(n_resamples, n_documents):
        drawn = rng.integers(n_documents, size=(rows, n_documents))
        cells = drawn + np.arange(rows)[:, None] * n_documents
        times = np.bincount(cells.ravel(), minlength=rows * n_documents)
        yield times.reshape(rows, n_documents).astype(np.float64)


def block_sizes(n_draws: int, n_documents: int) -> Iterator[int]:
    """Yield numbers of draws that add up to `n_draws`, each few enough for the memory."""
    most = max(1, _CELLS_AT_ONCE // n_documents)
    for done in range(0, n_draws, most):
        yield min(most, n_draws - done)


def percentile_interval(estimate: float, samples: DoubleArray, level: float = LEVEL) -> Interval:
    """Return the percentile bootstrap interval.

    Parameters
    ----------
    estimate : float
        The score on the documents themselves.
    samples : float64 array, shape (n_resamples,)
        The score on each draw.
    level : float
        Between 0 and 1.

    Raises
    ------
    UsageError
        If `level` is not between 0 and 1.
    """
    check_level(level)
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2])
    return Interval(estimate, float(low), float(high), level)


def mean_interval(
    values: Sequence[float], low: float = -math.inf, high: float = math.inf
) -> Interval:
    """Return the mean of values with its 95 % interval, mean ± t * s / sqrt(n).

    Parameters
    ----------
    values : sequence of float
        At least one; the interval of a single one has no width.
    low, high : float
        The interval is clipped to these.
    """
    from scipy import stats

    mean, n = float(np.mean(values)), len(values)
    if n == 1:
        return Interval(mean, mean, mean, LEVEL)
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n))
    return Interval(mean, max(low, mean - half), min(high, mean + half), LEVEL)


def check_level(level: float) -> None:
    """Raise `UsageError` unless a confidence level is between 0 and 1."""
    if not 0 < level < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {level}")
