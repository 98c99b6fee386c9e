"""How scores grow with the training documents (Tafvizi's Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Setup, finish
from multideid.eval.experiments.parts import check_measured
from multideid.eval.experiments.plans import Plan, check_names
from multideid.eval.experiments.results import Source, document_text
from multideid.eval.metrics.evaluation import evaluate
from multideid.eval.reports.text_cells import figure, interval_cell, section
from multideid.eval.statistics.significance import Interval
from multideid.tables import text_table

FRACTIONS = (0.03125, 0.0625, 0.125, 0.25, 0.5, 1.0)
"""Shares of the training documents, as Tafvizi drew them: 3.125 % to 100 %."""

MEASURES = {
    "token_precision": "PHI P",
    "token_recall": "PHI R",
    "token_f": "PHI F1",
    "span_f": "span F1",
}
"""The measures of a point: two-way at token level, strict at span level."""

_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Point:
    """Scores of one system after a share of the training documents.

    Parameters
    ----------
    corpus, system : str
    fraction : float
        Share of the training documents.
    documents : int
        How many that are.
    draws : int
        How many times they were drawn.
    scores : dict of str to Interval
        Mean over the draws of each of `MEASURES`, with a Student t interval;
        of a single draw the interval has no width.
    """

    corpus: str
    system: str
    fraction: float
    documents: int
    draws: int
    scores: dict[str, Interval]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """The learning curves of some systems on some corpora.

    Parameters
    ----------
    points : tuple of Point
    sources : tuple of Source
    notes : tuple of str
    """

    points: tuple[Point, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "learning-curve",
            "points": [point.to_dict() for point in self.points],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return the table, the notes and the signatures."""
        header = ["corpus", "system", "share", "documents", "draws"]
        header += [part for name in MEASURES.values() for part in (name, "interval")]
        table = text_table(header, [_row(point) for point in self.points], left=3)
        title = "Learning curve: mean over draws, 95% interval of the mean"
        return document_text([section(title, table)], self.notes, self.sources)


def learning_curve(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: Sequence[str] = ("stat-deid",),
    fractions: Sequence[float] = FRACTIONS,
    draws: int = 3,
) -> LearningCurve:
    """Train on growing shares of the training documents, and measure on all test documents.

    The shares of one draw are nested: each holds the smaller ones.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems, ``"vote"``, ``"mega"`` or ``"multi"``.
    fractions : sequence of float
        Above 0, at most 1.
    draws : int
        How many times documents are drawn for each share.

    Raises
    ------
    UsageError
        If a corpus, name, share or number makes no sense, or a parameter has
        no part in the figures.
    """
    names, shares = check_names(systems), _check_fractions(fractions)
    check_measured(setup, names)
    if draws < 1:
        raise UsageError(f"draws must be 1 or more; got {draws}")
    curves = [_Curve(c, Data.of(c.train, c.test), setup, shares, draws)
              for c in check_corpora(corpora)]  # fmt: skip
    finish((fit for curve in curves for fit in curve.fits(names)), setup)
    return LearningCurve(
        points=tuple(p for curve in curves for name in names for p in curve.points(name)),
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

    def fits(self, names: Sequence[str]) -> Iterator[Any]:
        for fraction in self.fractions:
            for plan in self._plans(fraction):
                yield from plan.fits(names)

    def points(self, name: str) -> Iterator[Point]:
        for fraction in self.fractions:
            plans = self._plans(fraction)
            found = [self._scores(plan, name) for plan in plans]
            scores = {measure: _over_draws([s[measure] for s in found]) for measure in MEASURES}
            n = self._size(fraction)
            yield Point(self.corpus.name, name, fraction, n, len(plans), scores)

    def notes(self, names: Sequence[str]) -> Iterator[str]:
        yield from self.corpus.notes()
        yield "where all documents are taken, or documents drawn once, intervals have no width"
        sizes = [self._size(fraction) for fraction in self.fractions]
        if len(set(sizes)) < len(sizes):
            n = self.data.n_train
            yield f"{self.corpus.name}: {n} documents are too few to tell all shares apart"
        if "multi" in names and min(sizes) < self.setup.folds:
            yield f"{self.corpus.name}: Multi has fewer folds where there are fewer documents"

    def _size(self, fraction: float) -> int:
        return max(2, round(fraction * self.data.n_train))

    def _plans(self, fraction: float) -> list[Plan]:
        n = min(self._size(fraction), self.data.n_train)
        # All the documents can be drawn in one way only.
        draws = 1 if n == self.data.n_train else self.draws
        setup = replace(self.setup, folds=min(self.setup.folds, n))
        chosen = [np.sort(self._order(draw)[:n]) for draw in range(draws)]
        return [Plan(self.data, rows, self.data.measured, setup) for rows in chosen]

    def _order(self, draw: int) -> LongArray:
        return np.random.default_rng([self.setup.seed, draw]).permutation(self.data.n_train)

    def _scores(self, plan: Plan, name: str) -> dict[str, float]:
        predicted = plan.predictions([name])[name]
        found = evaluate(self.corpus.test, predicted, tokenization=self.setup.tokenization)
        two_way, strict = found.tokens.two_way(), found.spans.strict.micro()
        figures = (two_way.precision, two_way.recall, two_way.f1, strict.f1)
        return dict(zip(MEASURES, figures, strict=True))


def _over_draws(values: Sequence[float]) -> Interval:
    from scipy import stats

    mean, n = float(np.mean(values)), len(values)
    if n == 1:
        return Interval(mean, mean, mean, _LEVEL)
    half = float(stats.t.ppf((1 + _LEVEL) / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n))
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half), _LEVEL)


def _check_fractions(fractions: Sequence[float]) -> tuple[float, ...]:
    if not fractions or not all(0 < f <= 1 for f in fractions):
        raise UsageError(f"shares of the documents lie above 0 and up to 1; got {fractions}")
    return tuple(sorted(set(fractions)))


def _row(point: Point) -> list[str]:
    cells = [point.corpus, point.system, f"{point.fraction:.3%}"]
    cells += [str(point.documents), str(point.draws)]
    for measure in MEASURES:
        score = point.scores[measure]
        cells += [figure(score.estimate), interval_cell(score)]
    return cells
