"""Precision-recall curves of Multi, and the recall achieved for a requested one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np

from multideid.arrays import IntArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plan import Measured, measure
from multideid.eval.experiments.precision_recall import Curve, curves_of, precision_recall_chart
from multideid.eval.experiments.registry import Option, experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup
from multideid.eval.metrics.evaluation import Evaluation, all_labels, evaluate
from multideid.eval.metrics.token_metrics import two_way_by_document
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.blocks import Chart, Point
from multideid.eval.reports.cells import interval_cell
from multideid.eval.statistics.significance import Interval, bootstrap_f, percentile_interval
from multideid.stacking.flip_evidence import with_evidence
from multideid.stacking.thresholds import (
    NEEDS_EVIDENCE,
    OPERATING_POINTS,
    DecisionThresholds,
    decide,
)
from multideid.tables import Column, Record, Table

_RESAMPLES = 10_000
RECALLS = (0.9, 0.95, 0.99, 0.995)
"""The requested recalls."""


_CURVES = (
    Column("corpus", "corpus"),
    Column("class", "label"),
    Column("gold", "gold"),
    Column("average P", "average_precision", ".4f"),
    Column("P", "precision_now", ".4f"),
    Column("R", "recall_now", ".4f"),
    Column("highest R", "highest_recall", ".4f"),
)
_POINTS = (
    Column("corpus", "corpus"),
    Column("requested", "name"),
    Column("out of fold", "out_of_fold", ".4f"),
    Column("achieved", "achieved.estimate", ".4f"),
    Column("interval", lambda point: interval_cell(point.achieved)),
    Column("met", lambda point: "yes" if point.is_met else "no"),
    Column("PHI P", "precision", ".4f"),
    Column("PHI F1", "token_f", ".4f"),
    Column("span F1", "span_f", ".4f"),
    Column("leaks", "leaking_documents"),
)


def operating_charts(curves: Sequence[Curve], points: Sequence[Record]) -> Iterator[Chart]:
    """Yield the curves of each corpus, and a chart of achieved over requested recall."""
    for corpus in dict.fromkeys(curve.corpus for curve in curves):
        own = [curve for curve in curves if curve.corpus == corpus]
        yield precision_recall_chart(f"Multi's precision over recall: {corpus}", own)
    requested = sorted({point.requested for point in points})
    series: dict[str, list[Point]] = {"as requested": [Point(x, x) for x in requested]}
    for point in points:
        y = point.achieved
        place = Point(point.requested, y.estimate, y.low, y.high)
        series.setdefault(point.corpus, []).append(place)
    titles = ("Requested and achieved recall", "requested", "achieved on test documents")
    yield Chart(*titles, series)


@experiment("operating-points", topic="systems")
def operating_points(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    recalls: Annotated[
        Sequence[float], Option("Recalls to request, with commas between.", "LIST", "--recall")
    ] = RECALLS,
) -> Result:
    """Measure Multi's precision-recall curves, and whether a requested recall is achieved.

    The curves are per class and overall, of the stacker's decisions on tokens. For each
    recall requested in training, as by --recall, the recall achieved on the test
    documents is measured, with the choice of spans; only the stacker's decision
    thresholds differ.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    recalls : sequence of float
        Above 0 and below 1.

    Returns
    -------
    Result
        ``curves``: each a `Curve`, of PHI of any class and of every class of
        the test documents. ``points``: for each recall and each preset of the
        recall thresholds, the recall ``requested`` (of a preset, that found out
        of fold), found ``out_of_fold`` in training where the thresholds were
        chosen, and ``achieved`` on the test documents, with a bootstrap interval
        over documents; recall is that of PHI tokens of any class.

    Raises
    ------
    UsageError
        If a corpus or a recall is invalid.
    """
    if not recalls or not all(0 < recall < 1 for recall in recalls):
        raise UsageError(f"requested recalls must be above 0 and below 1; got {recalls}")
    found = [_Thresholds(measured, setup) for measured in measure(corpora, setup, ["multi"])]
    sources = (Source.of(each.corpus, ["multi"], setup, n_resamples=_RESAMPLES) for each in found)
    curves = [curve for each in found for curve in each.curves()]
    points = [point for each in found for point in each.points(recalls)]
    caption = "Multi's precision-recall curves; P and R without a shift"
    return Result(
        "operating-points",
        {"curves": curves, "points": points},
        [
            Table.of(caption, _CURVES, curves, left=2),
            Table.of("Requested and achieved recall of PHI tokens", _POINTS, points, left=2),
        ],
        charts=tuple(operating_charts(curves, points)),
        sources=tuple(sources),
        notes=(
            *(note for each in found for note in each.corpus.notes()),
            *(note for each in found for note in each.shortfalls(recalls)),
        ),
    )


class _Thresholds:
    """Multi on one corpus, with thresholds to be shifted."""

    def __init__(self, measured: Measured, setup: Setup) -> None:
        self.corpus, self._setup = measured.corpus, setup
        self._data, self._held = measured.plan.data, measured.plan.held
        self._stack = measured.plan.stack()
        self._margins = self._stack.margins()
        self._choice = self._stack.span_choice()
        self._points = DecisionThresholds.of(self._stack.margins_out_of_fold(), self._stack.gold)

    def curves(self) -> Iterator[Curve]:
        return curves_of(self.corpus, self._stack.held, self._margins, self._data.gold.names)

    def points(self, recalls: Sequence[float]) -> Iterator[Record]:
        for recall in recalls:
            yield self._point(f"{recall:g}", recall, self._points.cost_ratio_for(recall))
        for name, price in OPERATING_POINTS.items():
            yield self._point(name, self._points.recall(price), price)

    def shortfalls(self, recalls: Sequence[float]) -> Iterator[str]:
        for recall in recalls:
            shortfall = self._points.shortfall(recall)
            if shortfall:
                yield f"{self.corpus.name}: {shortfall}"

    def _point(self, name: str, requested: float, price: float) -> Record:
        predicted = self._data.with_tags(self._held, self._tags(name, price))
        found = evaluate(self.corpus.test, predicted, tokenization=self._setup.tokenization)
        achieved = self._recall(predicted)
        return Record(
            corpus=self.corpus.name,
            name=name,
            requested=requested,
            out_of_fold=self._points.recall(price),
            achieved=achieved,
            is_met=achieved.estimate >= requested,
            precision=found.tokens.two_way().precision,
            token_f=found.tokens.two_way().f1,
            span_f=found.spans.strict.micro().f1,
            leaking_documents=found.leak.documents,
            per_class=_recall_by_class(found),
        )

    def _tags(self, name: str, price: float) -> IntArray:
        stack = self._stack
        decisions = decide(stack.held, self._margins, self._points.at_cost_ratio(price))
        words = name == NEEDS_EVIDENCE
        tags = with_evidence(stack.held, decisions, stack.held_scores, words=words)
        return stack.with_spans(self._choice, tags)

    def _recall(self, predicted: Sequence[Document]) -> Interval:
        gold = self.corpus.test
        view = TokenView.from_documents(gold, self._setup.tokenization)
        correct, _, total = two_way_by_document(
            view, gold, predicted, all_labels(gold, predicted)
        ).T
        # With as much predicted as there is gold, the F-measure is the recall.
        counts = np.stack([correct, total, total], axis=1)[None]
        samples = bootstrap_f(counts, n_resamples=_RESAMPLES, seed=self._setup.seed)[0]
        return percentile_interval(float(correct.sum() / max(1, total.sum())), samples)


def _recall_by_class(found: Evaluation) -> dict[str, float]:
    counts = found.tokens.counts[1:]
    shares = zip(found.tokens.labels, counts[:, 1:].sum(axis=1), counts.sum(axis=1), strict=True)
    return {label: float(phi / gold) for label, phi, gold in shares if gold}
