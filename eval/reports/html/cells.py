"""Figures and names as a report writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from multideid.eval.compare import Comparison
from multideid.eval.reports.text_cells import AnyScore, count_cells, figure, score_cells
from multideid.eval.statistics.significance import Interval, mark_of_z

Comparisons = Mapping[str, Comparison]
"""Comparisons by the name of their corpus."""

MINUS = "\N{MINUS SIGN}"
EN_DASH = "\N{EN DASH}"


def signed(value: float, decimals: int = 4) -> str:
    """Return a difference with its sign, a minus as wide as a plus."""
    return f"{value:+.{decimals}f}".replace("-", MINUS)


def interval(of: Interval) -> str:
    """Return an interval of scores."""
    return f"{figure(of.low)}{EN_DASH}{figure(of.high)}"


def difference(of: Interval) -> tuple[str, str]:
    """Return a difference and its interval."""
    return signed(of.estimate), f"{signed(of.low)} to {signed(of.high)}"


def z_cell(value: float) -> str:
    """Return a z value with its stars."""
    return f"{signed(value, 2)}{mark_of_z(value)}"


def score_row(score: AnyScore, beta: float) -> tuple[str, ...]:
    """Return precision, recall, F-measures and the three counts, which a mean has not."""
    return (*score_cells(score, beta), *count_cells(score))


def compact(count: int) -> str:
    """Return a count in at most five characters.

    Examples
    --------
    >>> compact(999), compact(12_345), compact(2_500_000)
    ('999', '12k', '2.5M')
    """
    if count < 1_000:
        return str(count)
    if count < 999_500:
        return f"{count / 1e3:.1f}k" if count < 9_950 else f"{count / 1e3:.0f}k"
    return f"{count / 1e6:.1f}M"


def main_system(comparison: Comparison) -> str:
    """Return the system that the report is about: the candidate, else the last."""
    return comparison.candidate or list(comparison.evaluations)[-1]


def span_f(comparison: Comparison) -> str:
    """Return what the main figure is called."""
    return f"Strict span F{comparison.signature.beta:g}"


def named(title: str, corpus: str, corpora: Mapping[str, object]) -> str:
    """Return a title that also says which corpus, where there are several."""
    return f"{title}: {corpus}" if len(corpora) > 1 else title


def best_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[tuple[int, ...], ...]:
    """Return, for each row, the columns of scores where it holds the highest of several."""
    if len(rows) < 2:
        return ()
    columns = [n for n in range(1, len(header)) if "interval" not in header[n]]
    best = {n: max(float(row[n]) for row in rows) for n in columns}
    return tuple(tuple(n for n in columns if float(row[n]) == best[n] > 0) for row in rows)
