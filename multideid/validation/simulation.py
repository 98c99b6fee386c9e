"""Whether intervals hold what they promise: samples drawn from notes whose PHI is all known."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from multideid.errors import UsageError
from multideid.eval.statistics.proportions import (
    clopper_pearson,
    clustered_interval,
    upper_bound,
)
from multideid.eval.statistics.significance import LEVEL, Interval
from multideid.validation.outcome import TOTAL, NoteOutcomes


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often an interval contained the true share.

    Parameters
    ----------
    what : str
    truth : float
        The share in all notes.
    held, samples : int
        Samples whose interval contained it, and all samples that had a span.
    width : float
        Mean width of the interval.
    """

    what: str
    truth: float
    held: int
    samples: int
    width: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return asdict(self)


def simulate(
    outcomes: NoteOutcomes, notes: int, samples: int = 1000, seed: int = 0, level: float = LEVEL
) -> list[Coverage]:
    """Draw samples of notes, and count the intervals that contain the true value.

    Notes are drawn with replacement, as from many more notes of this kind: without it, a
    sample that is a large part of all notes would know more than its interval says.

    Parameters
    ----------
    outcomes : NoteOutcomes
        Of all notes.
    notes : int
        Notes of a sample.
    samples : int
    seed : int
    level : float

    Returns
    -------
    list of Coverage
        Of the share of leaking notes (exact, and its one-sided bound), and of the recall of
        each group of labels: as validation reports it, and by the exact interval that takes
        spans for independent, for comparison.

    Raises
    ------
    UsageError
        If there is no span, or a number is not positive.
    """
    if notes < 1 or samples < 1:
        raise UsageError("a simulation needs samples of a note at least")
    if not outcomes.labels:
        raise UsageError("no span is marked in the notes; there is nothing to find")
    rng = np.random.default_rng(seed)
    draws = rng.integers(len(outcomes.counts), size=(samples, notes))
    found = _of_notes(outcomes, draws, level)
    for name, labels in outcomes.groups().items():
        found += _of_spans(name, outcomes.of(labels), draws, level)
    return found


def _of_notes(outcomes: NoteOutcomes, draws: np.ndarray, level: float) -> list[Coverage]:
    leaking = outcomes.leaking()
    truth = float(leaking.mean())
    hits = [int(leaking[draw].sum()) for draw in draws]
    n = draws.shape[1]
    two_sided = [clopper_pearson(k, n, level) for k in hits]
    one_sided = [Interval(k / n, 0.0, upper_bound(k, n, level), level) for k in hits]
    return [
        _coverage("leaking notes", truth, two_sided),
        _coverage("leaking notes, upper bound", truth, one_sided),
    ]


def _of_spans(name: str, counts: np.ndarray, draws: np.ndarray, level: float) -> list[Coverage]:
    totals = counts[:, TOTAL]
    hits = totals - counts[:, TOTAL + 1 :].sum(axis=1)
    drawn = [draw for draw in draws if totals[draw].sum()]
    clustered = [clustered_interval(hits[d], totals[d], level=level).interval for d in drawn]
    plain = [clopper_pearson(int(hits[d].sum()), int(totals[d].sum()), level) for d in drawn]
    truth = float(hits.sum() / totals.sum())
    return [
        _coverage(f"recall, {name}", truth, clustered),
        _coverage(f"recall, {name}, spans taken for independent", truth, plain),
    ]


def _coverage(what: str, truth: float, intervals: list[Interval]) -> Coverage:
    held = sum(found.low <= truth <= found.high for found in intervals)
    width = float(np.mean([found.high - found.low for found in intervals])) if intervals else 0.0
    return Coverage(what, truth, held, len(intervals), width)
