"""Systems on the same documents: how sure their figures and differences are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from multideid.arrays import DoubleArray
from multideid.eval.metrics.result import Evaluation
from multideid.eval.statistics.randomization import randomization_p
from multideid.eval.statistics.significance import Interval, bootstrap_f, percentile_interval


@dataclass(frozen=True, slots=True)
class PairedTests:
    """Intervals and p over documents, of the strict span micro F-measure.

    Parameters
    ----------
    intervals : dict of str to Interval
        Of each system's figure.
    differences : dict of str to Interval
        By other system: the candidate's figure less its own.
    p_values : dict of str to float
        By other system: p of that difference by approximate randomization.
    """

    intervals: dict[str, Interval]
    differences: dict[str, Interval]
    p_values: dict[str, float]


def paired_tests(
    evaluations: Mapping[str, Evaluation],
    candidate: str | None,
    *,
    n_resamples: int,
    seed: int,
    beta: float,
) -> PairedTests:
    """Resample documents, the same for all systems.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        On the same documents, in the same order.
    candidate : str or None
        The system to compare with each other one; None for no comparison.
    n_resamples : int
        Draws of the bootstrap, and shuffles of the randomization test.
    seed : int
    beta : float

    Raises
    ------
    UsageError
        If there is no resample to work with.
    """
    counts = {name: e.spans.strict.per_document() for name, e in evaluations.items()}
    f = {name: e.spans.strict.micro().f(beta) for name, e in evaluations.items()}
    drawn = bootstrap_f(
        np.stack(list(counts.values())), n_resamples=n_resamples, seed=seed, beta=beta
    )
    samples: dict[str, DoubleArray] = dict(zip(counts, drawn, strict=True))
    intervals = {name: percentile_interval(f[name], samples[name]) for name in counts}
    if candidate is None:
        return PairedTests(intervals, {}, {})
    others = [name for name in counts if name != candidate]
    return PairedTests(
        intervals=intervals,
        differences={
            name: percentile_interval(f[candidate] - f[name], samples[candidate] - samples[name])
            for name in others
        },
        p_values={
            name: randomization_p(
                counts[candidate], counts[name], n_shuffles=n_resamples, seed=seed, beta=beta
            )
            for name in others
        },
    )
