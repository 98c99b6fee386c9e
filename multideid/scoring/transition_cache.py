"""What follows from the transitions of a chain alone is computed once, not for each note."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

import numpy as np

from multideid.arrays import DoubleArray

T = TypeVar("T")

MOST_KEPT = 64
"""Matrices whose results are kept, of the chains of a few models."""


def of_transitions(function: Callable[[DoubleArray], T]) -> Callable[[DoubleArray], T]:
    """Cache a function of transitions by their values.

    Parameters
    ----------
    function : callable
        Takes a float64 array of shape (n_labels, n_labels), and returns what no caller changes.
    """

    @lru_cache(MOST_KEPT)
    def of_values(values: bytes, n_labels: int) -> T:
        return function(np.frombuffer(values, dtype=np.float64).reshape(n_labels, n_labels))

    @wraps(function)
    def cached(transitions: DoubleArray) -> T:
        return of_values(transitions.tobytes(), len(transitions))

    return cached
