"""Curves of active learning, and the share of annotation that an order saves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.eval.reports.blocks import Chart, Point
from multideid.eval.reports.cells import estimate_columns
from multideid.eval.statistics.significance import mean_interval
from multideid.tables import Column, Record, Table

MEASURES = {"span_f": "span F1", "token_f": "PHI F1"}
"""The measures of a step: strict at span level, two-way at token level."""


@dataclass(frozen=True, slots=True)
class Step:
    """How good a model is that has learned from some notes.

    Parameters
    ----------
    documents, tokens : int
        That it has learned from.
    scores : dict of str to float
        By `MEASURES`.
    """

    documents: int
    tokens: int
    scores: dict[str, float] = field(default_factory=dict)


Curves = Mapping[str, Sequence[Sequence[Step]]]
"""The steps of each draw, by order."""


def curve_points(corpus: str, curves: Curves) -> Iterator[Record]:
    """Yield the mean over draws of each order and size."""
    for order, draws in curves.items():
        for steps in zip(*draws, strict=True):
            scores = {
                measure: mean_interval([step.scores[measure] for step in steps], 0, 1)
                for measure in MEASURES
            }
            yield Record(
                corpus=corpus,
                order=order,
                documents=steps[0].documents,
                tokens=round(float(np.mean([step.tokens for step in steps]))),
                draws=len(steps),
                scores=scores,
            )


def saved_annotation(corpus: str, curves: Curves, target: float) -> Iterator[Record]:
    """Yield, for each measure, the annotation that each order needs to reach the target.

    Parameters
    ----------
    corpus : str
    curves : mapping of str to sequence of sequence of Step
        Of the orders "random" and "teaching".
    target : float
        Share of the F of the last step.
    """
    for measure in MEASURES:
        for unit in ("documents", "tokens"):
            needed = {
                order: [needed_for(steps, measure, unit, target) for steps in draws]
                for order, draws in curves.items()
            }
            pairs = zip(needed["teaching"], needed["random"], strict=True)
            full = [draw[-1].scores[measure] for draw in curves["random"]]
            yield Record(
                corpus=corpus,
                measure=measure,
                unit=unit,
                full=float(np.mean(full)),
                random=float(np.mean(needed["random"])),
                teaching=float(np.mean(needed["teaching"])),
                saved=mean_interval([1 - teaching / random for teaching, random in pairs]),
            )


def needed_for(steps: Sequence[Step], measure: str, unit: str, target: float) -> float:
    """Return the documents or tokens at which a curve first reaches a share of its end.

    Between two steps the curve is taken for a line.
    """
    goal = target * steps[-1].scores[measure]
    before = None
    for step in steps:
        amount, score = float(getattr(step, unit)), step.scores[measure]
        if score >= goal:
            if before is None:
                return amount
            at, low = before
            return at + (amount - at) * (goal - low) / (score - low)
        before = amount, score
    return float(getattr(steps[-1], unit))


def active_learning_charts(points: Sequence[Record]) -> Iterator[Chart]:
    """Yield a chart of each measure, with a line per order."""
    several = len({point.corpus for point in points}) > 1
    for measure, name in MEASURES.items():
        series: dict[str, list[Point]] = {}
        for point in points:
            line = f"{point.order}, {point.corpus}" if several else point.order
            y = point.scores[measure]
            series.setdefault(line, []).append(Point(point.documents, y.estimate, y.low, y.high))
        title = f"Active learning, {name}"
        yield Chart(title, "documents annotated", name, series, log_x=True)


def curve_table(points: Sequence[Record]) -> Table:
    """Return the table of the curves."""
    columns = (
        Column("corpus", "corpus"),
        Column("order", "order"),
        Column("documents", "documents"),
        Column("tokens", "tokens", ",d"),
        Column("draws", "draws"),
        *(column for measure in MEASURES.items() for column in estimate_columns(*measure)),
    )
    return Table.of("F by annotation: mean over draws, 95% interval", columns, points, left=2)


def saved_table(rows: Sequence[Record], target: float) -> Table:
    """Return the table of what is saved."""
    columns = [
        Column("corpus", "corpus"),
        Column("measure", lambda row: MEASURES[row.measure]),
        Column("of", "unit"),
        Column("F of all", "full", ".4f"),
        Column("random", "random", ",.0f"),
        Column("teaching", "teaching", ",.0f"),
        Column("saved", "saved.estimate", ".1%"),
        Column("interval", lambda row: f"{row.saved.low:.1%} to {row.saved.high:.1%}"),
    ]
    caption = f"Annotation needed for {target:.1%} of the F of all documents, and the share saved"
    return Table.of(caption, columns, rows, left=3)
