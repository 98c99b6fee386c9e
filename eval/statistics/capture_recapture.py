"""How many there are in all, from what two observers found independently of each other.

References
----------
D. G. Chapman, Some properties of the hypergeometric distribution with applications to
zoological sample censuses, University of California Publications in Statistics 1 (1951),
131-160.

G. A. F. Seber, The effects of trap response on tag recapture estimates, Biometrics 26
(1970), 13-22.

M. Sadinle, Transformed logit confidence intervals for small populations in single
capture-recapture estimation, Communications in Statistics - Simulation and Computation 38
(2009), 1909-1924.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from multideid.errors import UsageError
from multideid.eval.statistics.significance import LEVEL, Interval, check_level


@dataclass(frozen=True, slots=True)
class Population:
    """An estimate of how many there are in all.

    Parameters
    ----------
    size : Interval
        Chapman's estimate with Sadinle's interval, which never ends below what was seen.
    seen : int
        How many at least one observer found.
    variance : float
        Seber's estimate of the variance of Chapman's estimate.
    """

    size: Interval
    seen: int
    variance: float

    @property
    def unseen(self) -> float:
        """The estimated number that neither observer found."""
        return max(self.size.estimate - self.seen, 0.0)


def chapman(first: int, second: int, both: int, level: float = LEVEL) -> Population:
    """Estimate a population from two independent observers.

    If what one finds with difficulty is difficult for the other too, there are more than
    estimated.

    Parameters
    ----------
    first, second : int
        How many each observer found.
    both : int
        How many both found.
    level : float
        Confidence of the interval.

    Raises
    ------
    UsageError
        If `both` is more than one of them found, or the level is not between 0 and 1.

    Examples
    --------
    >>> found = chapman(10, 15, 5)
    >>> round(found.size.estimate, 2), round(found.size.low), round(found.size.high)
    (28.33, 22, 65)
    """
    if not 0 <= both <= min(first, second):
        raise UsageError(f"two observers of {first} and {second} cannot have {both} in common")
    check_level(level)
    estimate = (first + 1) * (second + 1) / (both + 1) - 1
    seen = first + second - both
    spread = _unseen_bounds(first - both, second - both, both, level)
    low, high = (max(seen, seen - 0.5 + bound) for bound in spread)
    return Population(Interval(estimate, low, high, level), seen, _variance(first, second, both))


# Of the exponential; beyond it, a number is no longer finite. Where two observers find the same
# thousands, and one of them or none finds anything alone, the interval has hardly an upper end.
_GREATEST_EXPONENT = 700.0


def _unseen_bounds(only_first: int, only_second: int, both: int, level: float) -> list[float]:
    a, b, c = only_first + 0.5, only_second + 0.5, both + 0.5
    deviation = math.sqrt(1 / a + 1 / b + 1 / c + c / (a * b))
    z = NormalDist().inv_cdf(1 - (1 - level) / 2)
    spread = min(z * deviation, _GREATEST_EXPONENT)
    return [a * b / c * math.exp(sign * spread) for sign in (-1, 1)]


def _variance(first: int, second: int, both: int) -> float:
    above = (first + 1) * (second + 1) * (first - both) * (second - both)
    return above / ((both + 1) ** 2 * (both + 2))
