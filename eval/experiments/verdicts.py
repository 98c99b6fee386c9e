"""What the z values say of each of the thesis's four hypotheses, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from multideid.eval.experiments.significance_table import SignificanceTable
from multideid.eval.reports.text_cells import figure
from multideid.eval.statistics.significance import SIGNIFICANT_Z
from multideid.eval.statistics.z_table import ZRow

HIGH_DIMENSIONALITY = "high-dimensionality"
UNIVERSALITY = "universality"
OVER_FITTING = "over-fitting"
MEGA_VS_MULTI = "mega vs. multi"

STATEMENTS = {
    HIGH_DIMENSIONALITY: "An SVM with the features of all systems is no worse than one with "
    "those of a single system.",
    UNIVERSALITY: "Mega does equally well on different corpora, and a model as well on another "
    "corpus as one trained there.",
    OVER_FITTING: "Cross-validation on the training documents promises no more than held-out "
    "documents give.",
    MEGA_VS_MULTI: "Mega outperforms Multi.",
}
"""The hypotheses of the thesis's 1.2 and 6.1, as they are tested here."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the data say of a hypothesis.

    Parameters
    ----------
    hypothesis : str
        A key of `STATEMENTS`.
    corpus : str
        The corpus, or the pair of them.
    tables : tuple of SignificanceTable
    supported : bool or None
        None where it could not be tested.
    sentence : str
        The verdict with its z values, or why there is none.
    """

    hypothesis: str
    corpus: str
    tables: tuple[SignificanceTable, ...]
    supported: bool | None
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "hypothesis": self.hypothesis,
            "corpus": self.corpus,
            "tables": [table.to_dict() for table in self.tables],
            "supported": self.supported,
            "sentence": self.sentence,
        }


def high_dimensionality(corpus: str, tables: Sequence[SignificanceTable]) -> Finding:
    """Judge tables of one system's features (first) against all features (second)."""
    ranked = sorted(tables, key=lambda table: table.overall.f[0], reverse=True)
    best = ranked[0]
    supported = best.overall.z >= -SIGNIFICANT_Z
    what = (
        f"with the best single system's features, {best.first}, it {_pair(best.overall)} with all"
    )
    sentence = f"{_verdict(supported)}: {what}{_except(best.better(0), supported)}."
    return Finding(HIGH_DIMENSIONALITY, corpus, tuple(ranked), supported, sentence)


def universality(corpus: str, table: SignificanceTable) -> Finding:
    """Judge a table of a model trained there (first) against one from elsewhere (second)."""
    supported = table.overall.z >= -SIGNIFICANT_Z
    what = f"Mega trained there {_pair(table.overall)} when trained elsewhere"
    sentence = f"{_verdict(supported)}: {what}{_except(table.better(0), supported)}."
    return Finding(UNIVERSALITY, corpus, (table,), supported, sentence)


def equally_good(first: str, second: str, table: SignificanceTable) -> Finding:
    """Judge a table of a model of its own on either corpus (thesis, Tables B.3 to B.6)."""
    supported = abs(table.overall.z) <= SIGNIFICANT_Z
    what = f"with a model of its own, {first} {_pair(table.overall)} for {second}"
    differ = (*table.better(0), *table.better(1))
    sentence = f"{_verdict(supported)}: {what}{_except(differ, supported)}."
    return Finding(UNIVERSALITY, f"{first}, {second}", (table,), supported, sentence)


def over_fitting(corpus: str, system: str, table: SignificanceTable) -> Finding:
    """Judge a table of held-out documents (first) against cross-validation (second)."""
    supported = table.overall.z <= SIGNIFICANT_Z
    what = f"{system} on held-out documents {_pair(table.overall)} in cross-validation"
    sentence = f"{_verdict(supported)}: {what}{_except(table.better(1), supported)}."
    return Finding(OVER_FITTING, corpus, (table,), supported, sentence)


def mega_vs_multi(corpus: str, table: SignificanceTable) -> Finding:
    """Judge a table of Mega (first) against Multi (second)."""
    z = table.overall.z
    supported = z < -SIGNIFICANT_Z
    why = "Multi is significantly better" if z > SIGNIFICANT_Z else "the difference may be chance"
    end = "" if supported else f"; {why}"
    sentence = f"{_verdict(supported)}: Mega {_pair(table.overall)} for Multi{end}."
    return Finding(MEGA_VS_MULTI, corpus, (table,), supported, sentence)


def untested(hypothesis: str, corpus: str, why: str) -> Finding:
    """Say why a hypothesis could not be tested."""
    return Finding(hypothesis, corpus, (), None, f"Not tested: {why}.")


def _verdict(supported: bool) -> str:
    return "The data support it" if supported else "The data do not support it"


def _pair(row: ZRow) -> str:
    first, second = map(figure, row.f)
    return f"has F {first} for PHI or not, against {second} (z = {row.z:+.2f})"


def _except(classes: Sequence[str], supported: bool) -> str:
    return f"; but not for {', '.join(classes)}" if classes and supported else ""
