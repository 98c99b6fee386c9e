"""Tables and charts of how well the scores of spans hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from multideid.eval.compare import Comparison
from multideid.eval.metrics.reliability import Bin, Reliability
from multideid.eval.reports.blocks import Block, Chart, Point, Text
from multideid.tables import Table

_LEAD = (
    "A score is the mean probability of a span's tokens to be PHI; inside PHI is the share of its "
    "characters. Where scores hold, the line of a system is on that of the scores themselves; "
    "above it, there is more PHI than they say."
)


def reliability_table(reliability: Reliability) -> Table:
    """Return the share of spans that are PHI, by score."""
    rows = [(f"{row.low:g} to {row.high:g}", *_cells(row)) for row in reliability.bins]
    unscored = f"; {reliability.unscored:,} have none" if reliability.unscored else ""
    errors = f"{reliability.error:.4f} (inside), {reliability.overlap_error:.4f} (overlap)"
    return Table(
        f"Scores of spans{unscored}. Expected calibration error {errors}",
        ("score", "spans", "mean score", "inside PHI", "overlap PHI", "right, strict"),
        (*rows, ("all", *_cells(reliability.overall()))),
        foot=1,
    )


def reliability_blocks(comparison: Comparison) -> Iterator[Block]:
    """Yield a chart of the share of PHI over the score, and a table for each system with scores."""
    scored = {
        name: evaluation.reliability
        for name, evaluation in comparison.evaluations.items()
        if evaluation.reliability is not None
    }
    if not scored:
        return
    series: dict[str, Sequence[Point]] = {"score": (Point(0, 0), Point(1, 1))}
    for name, own in scored.items():
        series[name] = tuple(Point(row.score, row.inside) for row in own.bins)
    yield Text(_LEAD)
    yield Chart("Share of spans inside PHI, by score", "mean score", "inside PHI", series)
    for name, own in scored.items():
        table = reliability_table(own)
        yield table if len(scored) == 1 else replace(table, caption=f"{name}: {table.caption}")


def _cells(row: Bin) -> tuple[str, ...]:
    return (
        f"{row.spans:,}",
        f"{row.score:.3f}",
        f"{row.inside:.3f}",
        f"{row.overlap:.3f}",
        f"{row.strict:.3f}",
    )
