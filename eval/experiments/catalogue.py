"""The experiments there are, for command lines and reports that list them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from multideid.eval.experiments.ablation import ablation
from multideid.eval.experiments.ambiguity import ambiguity
from multideid.eval.experiments.features import features
from multideid.eval.experiments.hypotheses import hypotheses
from multideid.eval.experiments.kernels import kernels
from multideid.eval.experiments.learning_curve import learning_curve
from multideid.eval.experiments.operating_points import operating_points
from multideid.eval.experiments.out_of_dictionary import out_of_dictionary
from multideid.eval.experiments.results import Result
from multideid.eval.experiments.systems import systems


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
        The paper, and the section or table, that it repeats; "" if none.
    run : callable
        Takes a sequence of `Corpus`, a `Setup` and the experiment's own keywords.
    """

    name: str
    summary: str
    source: str
    run: Callable[..., Result]


_ALL = (
    Experiment(
        "hypotheses",
        "Whether the thesis's four hypotheses hold.",
        "Tafvizi's thesis, 1.2, 6.1 and appendix B",
        hypotheses,
    ),
    Experiment(
        "ablation",
        "What each feature class, and each system of Multi, is worth.",
        "Tafvizi et al., 5.4 and Figures 2 to 5; Kim, Heider and Meystre 2020",
        ablation,
    ),
    Experiment(
        "systems",
        "What more systems add to Multi, and what they cost.",
        "",
        systems,
    ),
    Experiment(
        "kernels",
        "Whether another kernel than the linear one serves an SVM better.",
        "Tafvizi et al., 5.5 and Table 3",
        kernels,
    ),
    Experiment(
        "learning-curve",
        "How scores grow with the training documents.",
        "Tafvizi et al., 5.6 and Figures 6 and 7",
        learning_curve,
    ),
    Experiment(
        "features",
        "Which features tell most of PHI.",
        "Sibanda & Uzuner, 6.4",
        features,
    ),
    Experiment(
        "ambiguity",
        "Scores on words alone that are PHI here and no PHI there.",
        "Sibanda & Uzuner, 6.2 and Tables 7 to 9",
        ambiguity,
    ),
    Experiment(
        "out-of-dictionary",
        "Recall of PHI that is in no word list.",
        "Sibanda & Uzuner, 6.3 and Table 13",
        out_of_dictionary,
    ),
    Experiment(
        "operating-points",
        "What precision costs what recall, and whether the recall dial keeps its promise.",
        "",
        operating_points,
    ),
)

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
"""Every experiment by its name."""
