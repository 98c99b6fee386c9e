"""Learning curves: scores by number of training documents (Tafvizi's Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from multideid.arrays import LongArray
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.fits import Fit, run_fits
from multideid.eval.experiments.plan import JobPlan
from multideid.eval.experiments.registry import Option, experiment, systems_option
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup, check_names, check_params
from multideid.eval.reports.blocks import Chart, Point
from multideid.eval.reports.cells import estimate_columns
from multideid.eval.statistics.significance import mean_interval
from multideid.tables import Column, Record, Table

FRACTIONS = (0.03125, 0.0625, 0.125, 0.25, 0.5, 1.0)
"""Shares of the training documents, as in Tafvizi: 3.125 % to 100 %."""

MEASURES = {
    "token_precision": "PHI P",
    "token_recall": "PHI R",
    "token_f": "PHI F1",
    "span_f": "span F1",
}
"""The measures of a point: two-way at token level, strict at span level."""

_CHARTS = {"span_f": "span F1, strict", "token_f": "token F1, PHI or not"}


_COLUMNS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    Column("share", "fraction", ".3%"),
    Column("documents", "documents"),
    Column("draws", "draws"),
    *(column for measure in MEASURES.items() for column in estimate_columns(*measure)),
)


def learning_charts(points: Sequence[Record]) -> Iterator[Chart]:
    """Yield a chart of span F and one of token F, with a line per system."""
    several = len({point.corpus for point in points}) > 1
    for measure, title in _CHARTS.items():
        series: dict[str, list[Point]] = {}
        for point in points:
            name = f"{point.system}, {point.corpus}" if several else point.system
            y = point.scores[measure]
            place = Point(100 * point.fraction, y.estimate, y.low, y.high)
            series.setdefault(name, []).append(place)
        x_title = "share of the training documents, %"
        yield Chart(f"Learning curve, {title}", x_title, title, series, log_x=True)


@experiment(
    "learning-curve",
    topic="corpora",
    source="Tafvizi et al., 5.6 and Figures 6 and 7",
    example="--of mega,multi --draws 5",
)
def learning_curve(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: Annotated[Sequence[str], systems_option("base systems, vote, mega, multi")] = (
        "stat-deid",
    ),
    fractions: Sequence[float] = FRACTIONS,
    draws: Annotated[int, Option("Number of random draws for each share.")] = 3,
) -> Result:
    """Measure scores with growing shares of the training documents, 3.125 % to 100 %.

    Means over repeated draws with intervals, at token level (PHI or not) and at
    span level (strict), always on all test documents. The shares of one draw
    are nested.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems, ``"vote"``, ``"mega"`` or ``"multi"``.
    fractions : sequence of float
        Above 0, at most 1.
    draws : int
        Number of random draws for each share.

    Returns
    -------
    Result
        ``points``, with the mean over the draws of each of `MEASURES` and
        Student's t interval, which has no width for a single draw.

    Raises
    ------
    UsageError
        If a corpus, name, share or number is invalid, or a parameter has no
        effect.
    """
    names, shares = check_names(systems), _check_fractions(fractions)
    check_params(setup, names)
    if draws < 1:
        raise UsageError(f"draws must be 1 or more; got {draws}")
    curves = [
        _Curve(c, Data.of(c.train, c.test), setup, shares, draws) for c in check_corpora(corpora)
    ]
    run_fits((fit for curve in curves for fit in curve.fits(names)), setup)
    points = [p for curve in curves for name in names for p in curve.points(name)]
    caption = "Learning curve: mean over draws, 95% interval of the mean"
    return Result(
        "learning-curve",
        {"points": points},
        [Table.of(caption, _COLUMNS, points, left=3)],
        charts=tuple(learning_charts(points)),
        sources=tuple(Source.of(c.corpus, names, setup) for c in curves),
        notes=tuple(note for curve in curves for note in curve.notes(names)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    corpus: Corpus
    data: Data
    setup: Setup
    fractions: tuple[float, ...]
    draws: int

    def fits(self, names: Sequence[str]) -> Iterator[Fit]:
        for fraction in self.fractions:
            for plan in self._plans(fraction):
                yield from plan.fits(names)

    def points(self, name: str) -> Iterator[Record]:
        for fraction in self.fractions:
            plans = self._plans(fraction)
            found = [self._scores(plan, name) for plan in plans]
            scores = {
                measure: mean_interval([s[measure] for s in found], 0, 1) for measure in MEASURES
            }
            yield Record(
                corpus=self.corpus.name,
                system=name,
                fraction=fraction,
                documents=self._size(fraction),
                draws=len(plans),
                scores=scores,
            )

    def notes(self, names: Sequence[str]) -> Iterator[str]:
        yield from self.corpus.notes()
        yield "intervals of single draws, such as of all documents, have no width"
        sizes = [self._size(fraction) for fraction in self.fractions]
        if len(set(sizes)) < len(sizes):
            n = self.data.n_train
            yield f"{self.corpus.name}: {n} documents are too few for shares that all differ"
        if "multi" in names and min(sizes) < self.setup.folds:
            yield f"{self.corpus.name}: Multi has fewer folds where there are fewer documents"

    def _size(self, fraction: float) -> int:
        return max(2, round(fraction * self.data.n_train))

    def _plans(self, fraction: float) -> list[JobPlan]:
        n = min(self._size(fraction), self.data.n_train)
        # There is one way only to draw all documents.
        draws = 1 if n == self.data.n_train else self.draws
        setup = replace(self.setup, folds=min(self.setup.folds, n))
        chosen = [np.sort(self._order(draw)[:n]) for draw in range(draws)]
        return [JobPlan(self.data, rows, self.data.test, setup) for rows in chosen]

    def _order(self, draw: int) -> LongArray:
        return np.random.default_rng([self.setup.seed, draw]).permutation(self.data.n_train)

    def _scores(self, plan: JobPlan, name: str) -> dict[str, float]:
        found = plan.evaluated(plan.tags(name))
        two_way, strict = found.tokens.two_way(), found.spans.strict.micro()
        figures = (two_way.precision, two_way.recall, two_way.f1, strict.f1)
        return dict(zip(MEASURES, figures, strict=True))


def _check_fractions(fractions: Sequence[float]) -> tuple[float, ...]:
    if not fractions or not all(0 < f <= 1 for f in fractions):
        raise UsageError(f"shares of the documents lie above 0 and up to 1; got {fractions}")
    return tuple(sorted(set(fractions)))
