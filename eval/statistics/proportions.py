"""Confidence intervals of proportions, and the sample sizes that bounds need.

`clopper_pearson` is exact for independent draws, such as notes that were drawn at random.
Spans of one note are no independent draws: what is missed once in a note is often missed
again. `clustered_interval` allows for that.

References
----------
C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the
case of the binomial, Biometrika 26 (1934), 404-413.

E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number
of positive counts estimated from survey data, Survey Methodology 24 (1998), 193-201.

F. E. Satterthwaite, An approximate distribution of estimates of variance components,
Biometrics Bulletin 2 (1946), 110-114.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from multideid.arrays import DoubleArray, LongArray
from multideid.errors import UsageError
from multideid.eval.statistics.significance import LEVEL, Interval, check_level


def clopper_pearson(hits: float, n: float, level: float = LEVEL) -> Interval:
    """Return the exact two-sided interval of a proportion.

    Parameters
    ----------
    hits, n : float
        Successes and independent draws; need not be whole, for effective sample sizes.
    level : float
        Confidence, between 0 and 1.

    Raises
    ------
    UsageError
        If the numbers are no proportion of at least one draw, or the level is not
        between 0 and 1.

    Examples
    --------
    >>> found = clopper_pearson(0, 10)
    >>> found.low, round(found.high, 4)
    (0.0, 0.3085)
    """
    _check(hits, n, level)
    tail = (1 - level) / 2
    low = float(stats.beta.ppf(tail, hits, n - hits + 1)) if hits > 0 else 0.0
    high = float(stats.beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0
    return Interval(hits / n, low, high, level)


def upper_bound(hits: float, n: float, level: float = LEVEL) -> float:
    """Return the exact one-sided upper bound of a proportion; as `clopper_pearson`.

    Without hits it is near three over n, the rule of three.

    Examples
    --------
    >>> round(upper_bound(0, 299), 5)
    0.00997
    """
    _check(hits, n, level)
    return float(stats.beta.ppf(level, hits + 1, n - hits)) if hits < n else 1.0


def sample_size(bound: float, hits: int = 0, level: float = LEVEL) -> int:
    """Return the least number of draws that keeps the upper bound below a wanted one.

    Parameters
    ----------
    bound : float
        The share that is to be excluded, such as 0.01.
    hits : int
        How many there may be in the sample.
    level : float
        Confidence of the one-sided bound.

    Raises
    ------
    UsageError
        If the bound or level is not between 0 and 1, or `hits` is negative.

    Examples
    --------
    >>> sample_size(0.01), sample_size(0.01, hits=1), sample_size(0.05)
    (299, 473, 59)
    """
    if not 0 < bound < 1:
        raise UsageError(f"a bound is a share between 0 and 1, not {bound}")
    _check(hits, max(hits, 1), level)
    low, high = hits, max(2 * hits, 1)
    while upper_bound(hits, high, level) >= bound:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if upper_bound(hits, middle, level) < bound:
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True, slots=True)
class ClusteredInterval:
    """A proportion of units that were drawn in clusters, with its interval.

    Parameters
    ----------
    interval : Interval
    total : int
        The units, such as spans.
    clusters : int
        The clusters that have any, such as notes.
    effective : float
        The number of independent draws that would be as informative.
    """

    interval: Interval
    total: int
    clusters: int
    effective: float

    @property
    def design_effect(self) -> float:
        """How many times more units are needed than independent ones."""
        return self.total / self.effective


def clustered_interval(
    hits: npt.ArrayLike,
    totals: npt.ArrayLike,
    *,
    level: float = LEVEL,
    strata: Sequence[int] | LongArray | None = None,
    weights: npt.ArrayLike | None = None,
) -> ClusteredInterval:
    """Return the interval of a proportion from a sample of clusters.

    The Clopper-Pearson interval at the effective sample size of Korn and Graubard: the
    variance between clusters (that of a ratio, by the jackknife) says how many independent
    draws the sample is worth. Quantiles of t allow for its being estimated, with half of
    Satterthwaite's degrees of freedom: where a few clusters have most misses, the variance
    is hardly known, and with the number of clusters as degrees of freedom, as usual, the
    interval is too narrow. The sample is never worth less than if all units of a cluster
    shared one fate, and as much where all are hits or none is.

    Parameters
    ----------
    hits, totals : array-like of int, shape (n_clusters,)
        Hits and units of each sampled cluster; clusters without units count too.
    level : float
    strata : sequence of int, optional
        The stratum of each cluster. Default: one.
    weights : array-like of float, optional
        How many clusters each one stands for. Default: as many as any other.

    Raises
    ------
    UsageError
        If there is no unit, or hits are more than units.
    """
    hit, total = np.asarray(hits, dtype=float), np.asarray(totals, dtype=float)
    if hit.shape != total.shape or not total.sum() or (hit > total).any() or (hit < 0).any():
        raise UsageError("a proportion needs units in some cluster, and no more hits than units")
    weight = np.ones_like(total) if weights is None else np.asarray(weights, dtype=float)
    groups = np.zeros(len(total), dtype=np.int64) if strata is None else np.asarray(strata)
    share = float((weight * hit).sum() / (weight * total).sum())
    shares = weight * total / (weight * total).sum()
    n, clusters = int(total.sum()), int((total > 0).sum())
    # As many draws as if all units of a cluster shared one fate.
    effective = least = float(1 / (shares**2).sum())
    if 0 < share < 1 and clusters > 1:
        # By the jackknife: a large cluster pulls the share to itself.
        misfit = weight * (hit - share * total) / (weight * total).sum() / (1 - shares)
        by_variance = _effective(share, _deviations(misfit, groups), n, level)
        effective = min(max(by_variance, least), float(n))
    found = clopper_pearson(min(share, 1.0) * effective, effective, level)
    interval = Interval(share, found.low, found.high, level)
    return ClusteredInterval(interval, n, clusters, effective)


def _deviations(residuals: DoubleArray, groups: LongArray) -> DoubleArray:
    """Return residuals around their mean in each stratum, whose squares add to the variance."""
    found = residuals.copy()
    for group in np.unique(groups):
        own = groups == group
        # A lone cluster shows no variance; its own square is the cautious guess.
        if (n := int(own.sum())) > 1:
            found[own] = (residuals[own] - residuals[own].mean()) * math.sqrt(n / (n - 1))
    return found


def _effective(share: float, deviations: DoubleArray, n: int, level: float) -> float:
    squares = deviations**2
    variance = float(squares.sum())
    if variance <= 0:
        return float(n)
    # Satterthwaite's: a variance that a few clusters make is known as badly as from these alone.
    # A sample shows less of that than there is, since most do not have the rarest clusters:
    # with half as many, intervals hold what they promise (see the notebook).
    freedom = max(variance**2 / float((squares**2).sum()) / 2, 1.0)
    quantile = 1 - (1 - level) / 2
    narrower = stats.norm.ppf(quantile) / stats.t.ppf(quantile, freedom)
    return share * (1 - share) / variance * float(narrower) ** 2


def _check(hits: float, n: float, level: float) -> None:
    check_level(level)
    if not (n > 0 and 0 <= hits <= n) or not math.isfinite(n):
        raise UsageError(f"{hits} of {n} is no proportion")
