"""Figures as the cells of plain text tables."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.eval.metrics.leak import Leak
from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.statistics.significance import Interval, mark_of_p

AnyScore = Score | MacroScore


def section(title: str, table: str) -> str:
    """Put a title above a table."""
    return f"{title}\n\n{table}"


def f_betas(beta: float) -> tuple[float, ...]:
    """Return the betas to show: the chosen one and, beside it, 2."""
    return (beta,) if beta == 2 else (beta, 2.0)


def f_names(beta: float, before: str = "") -> list[str]:
    """Return the headers of those F-measures, such as F1 and F2."""
    return [f"{before}F{b:g}" for b in f_betas(beta)]


def figure(value: float) -> str:
    """Write a score with four decimals."""
    return f"{value:.4f}"


def f_cells(score: AnyScore, beta: float) -> list[str]:
    """Write the F-measures to show."""
    return [figure(score.f(b)) for b in f_betas(beta)]


def score_cells(score: AnyScore, beta: float) -> list[str]:
    """Write precision, recall and the F-measures to show."""
    return [figure(score.precision), figure(score.recall), *f_cells(score, beta)]


def count_cells(score: AnyScore) -> list[str]:
    """Write the counts gold, predicted and correct; a mean has none."""
    if isinstance(score, MacroScore):
        return ["", "", ""]
    return [f"{n:,}" for n in (score.gold, score.predicted, score.correct)]


def leak_cells(leak: Leak) -> list[str]:
    """Write the characters left standing, of how many, their share, and the documents."""
    documents = f"{leak.documents:,}/{leak.n_documents:,}"
    return [
        f"{leak.characters:,}",
        f"{leak.phi_characters:,}",
        f"{leak.character_rate:.2%}",
        documents,
    ]


LEAK_HEADER: Sequence[str] = ("standing", "of", "share", "documents")
"""Of `leak_cells`."""


def p_cell(p: float) -> str:
    """Write a p and its mark."""
    return f"{p:.4f}{mark_of_p(p):<3}"


def interval_cell(interval: Interval) -> str:
    """Write the ends of the interval of a score."""
    return f"{interval.low:.4f}-{interval.high:.4f}"


def signed_interval_cell(interval: Interval) -> str:
    """Write the ends of the interval of a difference."""
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"
