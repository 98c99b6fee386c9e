"""Scores as cells of tables."""

from __future__ import annotations

from multideid.eval.metrics.leak import Leak
from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.statistics.significance import Interval, mark_of_p, mark_of_z
from multideid.tables import Column

AnyScore = Score | MacroScore


def f_betas(beta: float) -> tuple[float, ...]:
    """Return the betas to show: the chosen one, and 2."""
    return (beta,) if beta == 2 else (beta, 2.0)


def f_names(beta: float, before: str = "") -> list[str]:
    """Return the headers of those F-measures, such as F1 and F2."""
    return [f"{before}F{b:g}" for b in f_betas(beta)]


def score_cell(value: float) -> str:
    """Format a score with four decimals."""
    return f"{value:.4f}"


def f_cells(score: AnyScore, beta: float) -> list[str]:
    """Format the F-measures."""
    return [score_cell(score.f(b)) for b in f_betas(beta)]


def score_cells(score: AnyScore, beta: float) -> list[str]:
    """Format precision, recall and the F-measures."""
    return [score_cell(score.precision), score_cell(score.recall), *f_cells(score, beta)]


def count_cells(score: AnyScore) -> list[str]:
    """Format the counts gold, predicted and correct; a mean has none."""
    if isinstance(score, MacroScore):
        return ["", "", ""]
    return [f"{n:,}" for n in (score.gold, score.predicted, score.correct)]


LEAK_HEADER = ("leaked", "of", "share", "documents")
"""The headers of `leak_cells`."""


def leak_cells(leak: Leak) -> list[str]:
    """Format the leaked characters, all characters, their ratio, and the documents."""
    documents = f"{leak.documents:,}/{leak.n_documents:,}"
    return [
        f"{leak.characters:,}",
        f"{leak.phi_characters:,}",
        f"{leak.character_rate:.2%}",
        documents,
    ]


def p_cell(p: float) -> str:
    """Format a p value with its stars, padded so that columns align."""
    return f"{p:.4f}{mark_of_p(p):<3}"


def z_cell(z: float, decimals: int = 2) -> str:
    """Format a z value with its stars, padded so that columns align."""
    return f"{z:+.{decimals}f}{mark_of_z(z):<3}"


def interval_cell(interval: Interval) -> str:
    """Format the bounds of the interval of a score."""
    return f"{interval.low:.4f}-{interval.high:.4f}"


def signed_interval_cell(interval: Interval) -> str:
    """Format the bounds of the interval of a difference."""
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"


def prf_columns(before: str, score: str, *, f: bool = True) -> list[Column]:
    """Return columns with precision, recall and, if wanted, F1 of an attribute of records."""
    measures = {"P": "precision", "R": "recall", **({"F1": "f1"} if f else {})}
    return [Column(f"{before} {k}".strip(), f"{score}.{v}", ".4f") for k, v in measures.items()]
