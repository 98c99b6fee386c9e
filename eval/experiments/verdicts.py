"""Verdicts on the thesis's four hypotheses, from z values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.reports.cells import score_cell, z_cell
from multideid.eval.reports.thesis_table import thesis_table
from multideid.eval.statistics.significance import SIGNIFICANT_Z
from multideid.eval.statistics.z_table import ZRow, z_table
from multideid.tables import Column, Table

HIGH_DIMENSIONALITY = "high-dimensionality"
UNIVERSALITY = "universality"
OVER_FITTING = "over-fitting"
MEGA_VS_MULTI = "mega vs. multi"

STATEMENTS = {
    HIGH_DIMENSIONALITY: "An SVM with the features of all systems is no worse than one with "
    "those of a single system.",
    UNIVERSALITY: "Mega does equally well on different corpora, and a model does as well on "
    "another corpus as one trained there.",
    OVER_FITTING: "Cross-validation on the training documents does not overestimate the scores "
    "on held-out documents.",
    MEGA_VS_MULTI: "Mega outperforms Multi.",
}
"""The hypotheses of the thesis's 1.2 and 6.1, as they are tested here."""


@dataclass(frozen=True, slots=True)
class SignificanceTable:
    """Two sets of predictions, class by class, as the thesis's Tables B.1 to B.8.

    Parameters
    ----------
    first, second : str
        Names of the sides; z is positive if the second is better.
    rows : tuple of ZRow
        Token level: every PHI class, then non-PHI, then PHI of any class.
    """

    first: str
    second: str
    rows: tuple[ZRow, ...]

    @classmethod
    def of(
        cls, first: str, second: str, evaluations: tuple[Evaluation, Evaluation]
    ) -> SignificanceTable:
        """Compare two evaluations, possibly of different documents."""
        return cls(first, second, z_table(*evaluations))

    @property
    def overall(self) -> ZRow:
        """The row of PHI of any class."""
        return self.rows[-1]

    def better(self, side: int) -> tuple[str, ...]:
        """Return the classes in which a side, 0 or 1, is significantly better."""
        sign = 1 if side else -1
        return tuple(row.label for row in self.rows[:-1] if row.z * sign > SIGNIFICANT_Z)


@dataclass(frozen=True, slots=True)
class Finding:
    """The test of a hypothesis.

    Parameters
    ----------
    hypothesis : str
        A key of `STATEMENTS`.
    corpus : str
        The corpus or the pair of corpora.
    tables : tuple of SignificanceTable
    supported : bool or None
        None if it could not be tested.
    sentence : str
        The verdict with its z values, or the reason why there is none.
    """

    hypothesis: str
    corpus: str
    tables: tuple[SignificanceTable, ...]
    supported: bool | None
    sentence: str


def finding_tables(finding: Finding) -> Iterator[Table]:
    """Yield the first table, and if there are several, the rows of any PHI of all."""
    tables = finding.tables
    if not tables:
        return
    first = tables[0]
    yield thesis_table(first.rows, first.first, first.second, finding.corpus)
    if len(tables) > 1:
        columns = (
            Column("any PHI", "first"),
            Column("F", lambda table: score_cell(table.overall.f[0])),
            Column(first.second, lambda table: score_cell(table.overall.f[1])),
            Column("Z   ", lambda table: z_cell(table.overall.z, 5)),
        )
        yield Table.of("", columns, tables)


def high_dimensionality(corpus: str, tables: Sequence[SignificanceTable]) -> Finding:
    """Judge tables of one system's features (first) against all features (second)."""
    ranked = sorted(tables, key=lambda table: table.overall.f[0], reverse=True)
    best = ranked[0]
    supported = best.overall.z >= -SIGNIFICANT_Z
    subject = f"with the best single system's features, {best.first}, it"
    sentence = _sentence(supported, f"{subject} {_pair(best)} with all", best.better(0))
    return Finding(HIGH_DIMENSIONALITY, corpus, tuple(ranked), supported, sentence)


def universality(corpus: str, table: SignificanceTable) -> Finding:
    """Judge a table of a model trained there (first) against one from elsewhere (second)."""
    supported = table.overall.z >= -SIGNIFICANT_Z
    detail = f"Mega trained there {_pair(table)} when trained elsewhere"
    sentence = _sentence(supported, detail, table.better(0))
    return Finding(UNIVERSALITY, corpus, (table,), supported, sentence)


def equally_good(first: str, second: str, table: SignificanceTable) -> Finding:
    """Judge a table of two corpora, each with its own model (thesis, Tables B.3 to B.6)."""
    supported = abs(table.overall.z) <= SIGNIFICANT_Z
    detail = f"with its own model, {first} {_pair(table)} for {second}"
    sentence = _sentence(supported, detail, (*table.better(0), *table.better(1)))
    return Finding(UNIVERSALITY, f"{first}, {second}", (table,), supported, sentence)


def over_fitting(corpus: str, system: str, table: SignificanceTable) -> Finding:
    """Judge a table of held-out documents (first) against cross-validation (second)."""
    supported = table.overall.z <= SIGNIFICANT_Z
    detail = f"{system} on held-out documents {_pair(table)} in cross-validation"
    sentence = _sentence(supported, detail, table.better(1))
    return Finding(OVER_FITTING, corpus, (table,), supported, sentence)


def mega_vs_multi(corpus: str, table: SignificanceTable) -> Finding:
    """Judge a table of Mega (first) against Multi (second)."""
    z = table.overall.z
    supported = z < -SIGNIFICANT_Z
    why = "Multi is significantly better" if z > SIGNIFICANT_Z else "the difference may be chance"
    detail = f"Mega {_pair(table)} for Multi" + ("" if supported else f"; {why}")
    return Finding(MEGA_VS_MULTI, corpus, (table,), supported, _sentence(supported, detail))


def untested(hypothesis: str, corpus: str, why: str) -> Finding:
    """Say why a hypothesis could not be tested."""
    return Finding(hypothesis, corpus, (), None, f"Not tested: {why}.")


def _sentence(supported: bool, detail: str, exceptions: Sequence[str] = ()) -> str:
    verdict = "The data support it" if supported else "The data do not support it"
    but = f"; but not for {', '.join(exceptions)}" if exceptions and supported else ""
    return f"{verdict}: {detail}{but}."


def _pair(table: SignificanceTable) -> str:
    row = table.overall
    first, second = map(score_cell, row.f)
    return f"has F {first} for PHI or not, against {second} (z = {row.z:+.2f})"
