"""Scores as cells of tables."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.statistics.significance import Interval, mark_of_p, mark_of_z
from multideid.tables import Column

AnyScore = Score | MacroScore


def f_betas(beta: float) -> tuple[float, ...]:
    """Return the betas to show: the chosen one, and 2."""
    return (beta,) if beta == 2 else (beta, 2.0)


def score_cell(value: float) -> str:
    """Format a score with four decimals."""
    return f"{value:.4f}"


def level_cell(level: float) -> str:
    """Format a confidence level, never rounded up to 100%.

    Examples
    --------
    >>> level_cell(0.95), level_cell(0.999), level_cell(0.57)
    ('95%', '99.9%', '57%')
    """
    return f"{100 * level:.10g}%"


def p_cell(p: float) -> str:
    """Format a p value with its stars, padded so that columns align."""
    return f"{p:.4f}{mark_of_p(p):<3}"


def z_cell(z: float, decimals: int = 2) -> str:
    """Format a z value with its stars, padded so that columns align."""
    return f"{z:+.{decimals}f}{mark_of_z(z):<3}"


def interval_cell(interval: Interval) -> str:
    """Format the bounds of the interval of a score."""
    return f"{interval.low:.4f}-{interval.high:.4f}"


def estimate_columns(measure: str, header: str) -> tuple[Column, Column]:
    """Return columns with one of the `scores` of records, and with its interval."""
    return (
        Column(header, lambda row: row.scores[measure].estimate, ".4f"),
        Column("interval", lambda row: interval_cell(row.scores[measure])),
    )


def signed_interval_cell(interval: Interval) -> str:
    """Format the bounds of the interval of a difference."""
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"


def prf_columns(before: str, score: str, betas: Sequence[float] = (1.0,)) -> list[Column]:
    """Return columns with precision, recall and F-measures of an attribute of records."""
    ratios = {"P": "precision", "R": "recall"}
    columns = [Column(f"{before} {k}".strip(), f"{score}.{v}", ".4f") for k, v in ratios.items()]
    return [*columns, *f_columns(before, score, betas)]


def f_columns(before: str, score: str, betas: Sequence[float]) -> list[Column]:
    """Return columns with F-measures of an attribute of records."""
    get = attrgetter(score)

    def column(beta: float) -> Column:
        return Column(f"{before} F{beta:g}".strip(), lambda row: get(row).f(beta), ".4f")

    return list(map(column, betas))


def leak_columns(before: str, leak: str) -> tuple[Column, ...]:
    """Return columns with the leaked characters, all characters, their ratio, and the documents."""
    return (
        Column(f"{before} leaked".strip(), f"{leak}.characters", ",d"),
        Column("of", f"{leak}.phi_characters", ",d"),
        Column("share", f"{leak}.character_rate", ".2%"),
        documents_column("documents", leak),
    )


def documents_column(header: str, leak: str) -> Column:
    """Return a column with the number of documents with a leak, and of all documents."""
    get = attrgetter(leak)
    return Column(header, lambda row: f"{get(row).documents:,}/{get(row).n_documents:,}")
