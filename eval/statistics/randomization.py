"""Approximate randomization test of the difference between two systems."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from multideid.arrays import DoubleArray
from multideid.errors import UsageError
from multideid.eval.metrics.scores import check_beta, f_measure
from multideid.eval.statistics.significance import block_sizes

# Differences equal to the observed one up to rounding count as equally extreme.
_ROUNDING = 1e-12


def randomization_p(
    counts_a: npt.ArrayLike,
    counts_b: npt.ArrayLike,
    *,
    n_shuffles: int = 10_000,
    seed: int = 0,
    beta: float = 1.0,
) -> float:
    """Test whether two systems differ significantly on the same documents.

    Each shuffle exchanges the outputs of the two systems in every document with
    probability 1/2. Under the null hypothesis the observed difference of the
    micro F-measures is one of the shuffled differences.

    Parameters
    ----------
    counts_a, counts_b : array-like, shape (n_documents, 3)
        Correct, predicted and gold of each document, as
        `SpanCounts.per_document` gives them.
    n_shuffles : int
    seed : int
    beta : float
        Of the F-measure.

    Returns
    -------
    float
        Two-sided p, (c + 1) / (n_shuffles + 1), where c shuffles differ at
        least as much as observed; 1 for identical systems.

    Raises
    ------
    UsageError
        If a shape, the number of shuffles or beta is invalid.

    References
    ----------
    Noreen 1989, Computer-Intensive Methods for Testing Hypotheses; Yeh 2000,
    More accurate tests for the statistical significance of result differences.
    """
    check_beta(beta)
    a, b = (np.asarray(counts, dtype=np.float64) for counts in (counts_a, counts_b))
    if a.shape != b.shape or a.ndim != 2 or a.shape[1] != 3 or not len(a):
        raise UsageError(
            "the counts of both systems must have shape (documents, 3) with a document, "
            f"not {a.shape} and {b.shape}"
        )
    check_shuffles(n_shuffles)
    observed = abs(f_measure(a.sum(axis=0), beta) - f_measure(b.sum(axis=0), beta))
    shuffled = _shuffled_differences(a, b, n_shuffles, seed, beta)
    as_far = int((shuffled >= observed - _ROUNDING).sum())
    return (as_far + 1) / (n_shuffles + 1)


def check_shuffles(n: int) -> None:
    """Raise `UsageError` unless there is at least one shuffle."""
    if n < 1:
        raise UsageError(f"the randomization test needs at least one shuffle, not {n}")


def _shuffled_differences(
    a: DoubleArray, b: DoubleArray, n_shuffles: int, seed: int, beta: float
) -> DoubleArray:
    rng = np.random.default_rng(seed)
    differences = []
    for rows in block_sizes(n_shuffles, len(a)):
        moved = rng.integers(2, size=(rows, len(a))).astype(np.float64) @ (b - a)
        ours, theirs = a.sum(axis=0) + moved, b.sum(axis=0) - moved
        differences.append(abs(f_measure(ours, beta) - f_measure(theirs, beta)))
    return np.concatenate(differences)
