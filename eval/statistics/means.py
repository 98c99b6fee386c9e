"""Means over repeated draws."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from multideid.eval.statistics.significance import Interval

LEVEL = 0.95


def mean_interval(values: Sequence[float], low: float = -inf, high: float = inf) -> Interval:
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
