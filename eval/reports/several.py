"""Comparisons on several corpora: one table of all, then each by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multideid.errors import UsageError
from multideid.eval.compare import Comparison
from multideid.eval.reports.comparison_text import format_comparison
from multideid.eval.reports.text_cells import (
    f_cells,
    f_names,
    interval_cell,
    p_cell,
    score_cells,
    section,
)
from multideid.eval.statistics.significance import MARKS
from multideid.tables import text_table


def comparisons_to_dict(comparisons: Mapping[str, Comparison]) -> dict[str, Any]:
    """Return everything as plain JSON values: a lone comparison as it is by itself.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By the name of the corpus.

    Raises
    ------
    UsageError
        If there is none.
    """
    _check(comparisons)
    figures = {name: comparison.to_dict() for name, comparison in comparisons.items()}
    return {"corpora": figures} if len(figures) > 1 else next(iter(figures.values()))


def format_comparisons(comparisons: Mapping[str, Comparison]) -> str:
    """Render a table with a row a corpus and system, and each comparison below.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By the name of the corpus, all with the same beta.

    Raises
    ------
    UsageError
        If there is none.
    """
    _check(comparisons)
    if len(comparisons) == 1:
        return format_comparison(next(iter(comparisons.values())))
    details = [
        f"{name}\n{'=' * len(name)}\n\n{format_comparison(comparison)}"
        for name, comparison in comparisons.items()
    ]
    return "\n\n\n".join([overall_section(comparisons), *details])


def overall_section(comparisons: Mapping[str, Comparison]) -> str:
    """Render the table with a row a corpus and system."""
    first = next(iter(comparisons.values()))
    beta = first.signature.beta
    header = ["corpus", "system", *f_names(beta, "span "), "95% interval", "p", "PHI P", "PHI R"]
    header += [*f_names(beta, "PHI "), "leaks"]
    rows = []
    for name, comparison in comparisons.items():
        rows += [[name, *_row(comparison, system)] for system in comparison.evaluations]
        rows.append([""] * len(header))
    title = (
        "Overall, spans strict, tokens PHI or not\n"
        f"(p: approximate randomization, {first.candidate} against this; {MARKS};\n"
        "leaks: documents with PHI left standing)"
    )
    return section(title, text_table(header, rows[:-1], left=2))


def _row(comparison: Comparison, system: str) -> list[str]:
    evaluation, beta = comparison.evaluations[system], comparison.signature.beta
    p = comparison.p_values.get(system)
    return [
        system,
        *f_cells(evaluation.spans.strict.micro(), beta),
        interval_cell(comparison.intervals[system]),
        "" if p is None else p_cell(p),
        *score_cells(evaluation.tokens.two_way(), beta),
        f"{evaluation.leak.documents:,}/{evaluation.leak.n_documents:,}",
    ]


def _check(comparisons: Mapping[str, Comparison]) -> None:
    if not comparisons:
        raise UsageError("there is no comparison to show; compare on at least one corpus")
