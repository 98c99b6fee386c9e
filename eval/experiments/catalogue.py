"""The experiments there are, for command lines and reports that list them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from multideid.eval.experiments.learning_curve import learning_curve
from multideid.eval.experiments.results import Result


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment.

    Parameters
    ----------
    name : str
        As the command line spells it, and the ``experiment`` of its results.
    summary : str
        One line that says what it tells.
    source : str
        The paper, and the section or table, that it repeats.
    run : callable
        Takes a sequence of `Corpus`, a `Setup` and the experiment's own keywords.
    """

    name: str
    summary: str
    source: str
    run: Callable[..., Result]


_ALL = (
    Experiment(
        "learning-curve",
        "How scores grow with the training documents.",
        "Tafvizi et al., 5.6 and Figures 6 and 7",
        learning_curve,
    ),
)

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
"""Every experiment by its name."""
