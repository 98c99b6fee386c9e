"""The thesis's comparison tables: two F-measures per class, and the z of their difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.scores import Score
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.eval.statistics.significance import z_statistic

ANY_PHI = "any PHI"
"""Name of PHI of any class in tables."""


@dataclass(frozen=True, slots=True)
class ZRow:
    """One class of tokens in two systems, or in one system on two corpora.

    Parameters
    ----------
    label : str
    n : tuple of int
        Gold tokens of the class on both sides: the sample sizes.
    f : tuple of float
        F-measure on both sides.
    z : float
        Positive if the second is better; 0.0 if a side has no gold.
    """

    label: str
    n: tuple[int, int]
    f: tuple[float, float]
    z: float


def z_table(first: Evaluation, second: Evaluation) -> tuple[ZRow, ...]:
    """Compare two evaluations class by class, as the thesis's Tables B.1 to B.8.

    Parameters
    ----------
    first, second : Evaluation
        Of two systems on one corpus, or of systems on two corpora. Beta is that
        of the first.

    Returns
    -------
    tuple of ZRow
        Every PHI class of both sides, then non-PHI, then PHI of any class.
    """
    beta = first.signature.beta
    a, b = token_classes(first), token_classes(second)
    labels = sorted({*first.labels, *second.labels})
    return tuple(_row(label, a, b, beta) for label in (*labels, NON_PHI, ANY_PHI))


def token_classes(evaluation: Evaluation) -> dict[str, Score]:
    """Return the token-level score of every PHI class, of non-PHI and of any PHI."""
    tokens = evaluation.tokens
    return {**tokens.per_class(), NON_PHI: tokens.non_phi(), ANY_PHI: tokens.two_way()}


def _row(label: str, a: Mapping[str, Score], b: Mapping[str, Score], beta: float) -> ZRow:
    one, other = (side.get(label, Score(0, 0, 0)) for side in (a, b))
    f = one.f(beta), other.f(beta)
    z = z_statistic(f[1], f[0], other.gold, one.gold)
    return ZRow(label, (one.gold, other.gold), f, z)
