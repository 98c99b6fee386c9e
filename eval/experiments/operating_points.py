"""What Multi's decisions could be shifted to, and whether the recall dial keeps its promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.curves import Curve, curves_of
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.measured import Measured, measure
from multideid.eval.experiments.results import Source, document_text
from multideid.eval.experiments.stack import Stack
from multideid.eval.metrics.evaluation import Evaluation, all_labels, evaluate
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.text_cells import figure, interval_cell, section
from multideid.eval.statistics.significance import Interval, bootstrap_f, percentile_interval
from multideid.stacking.thresholds import POINTS, Dial, dialled_tags
from multideid.tables import text_table

_RESAMPLES = 10_000
RECALLS = (0.9, 0.95, 0.99, 0.995)
"""The wanted shares that are asked of the recall dial."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One setting of the recall dial, and what it gave.

    Parameters
    ----------
    corpus : str
    asked : str
        The share of PHI tokens that was asked for, or the name of a marked point.
    wanted : float
        That share; for a marked point, what it found out of fold.
    out_of_fold : float
        The share of PHI tokens found in the training documents, out of fold,
        where the shifts were chosen.
    recall : Interval
        The share of the test documents' PHI tokens found, whatever the class,
        with a bootstrap interval over documents.
    precision, token_f, span_f : float
        Of PHI or not at token level; strict at span level.
    leaking_documents : int
        Test documents in which PHI is left standing.
    per_class : dict of str to float
        Share of each class's tokens found as PHI, where there are any.
    """

    corpus: str
    asked: str
    wanted: float
    out_of_fold: float
    recall: Interval
    precision: float
    token_f: float
    span_f: float
    leaking_documents: int
    per_class: dict[str, float]

    @property
    def is_kept(self) -> bool:
        """Whether the test documents gave the wanted share."""
        return self.recall.estimate >= self.wanted

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {**asdict(self), "is_kept": self.is_kept}


@dataclass(frozen=True, slots=True)
class OperatingPoints:
    """Precision-recall curves, and the recall dial's promises.

    Parameters
    ----------
    curves : tuple of Curve
        Of PHI of any class, and of every class of the test documents.
    promises : tuple of Promise
    sources : tuple of Source
    notes : tuple of str
    """

    curves: tuple[Curve, ...]
    promises: tuple[Promise, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "operating-points",
            "curves": [curve.to_dict() for curve in self.curves],
            "promises": [promise.to_dict() for promise in self.promises],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return both tables, the notes and the signatures."""
        header = ["corpus", "class", "gold", "average P", "P", "R", "highest R"]
        curves = text_table(header, [_curve_row(curve) for curve in self.curves], left=2)
        header = ["corpus", "asked", "out of fold", "held out", "interval", "kept"]
        header += ["PHI P", "PHI F1", "span F1", "leaks"]
        promises = text_table(header, [_promise_row(promise) for promise in self.promises], left=2)
        sections = [
            section("Multi's precision-recall curves; P and R without any shift", curves),
            section("The recall dial: share of PHI tokens found", promises),
        ]
        return document_text(sections, self.notes, self.sources)


def operating_points(
    corpora: Sequence[Corpus], setup: Setup, *, recalls: Sequence[float] = RECALLS
) -> OperatingPoints:
    """Draw Multi's precision-recall curves, and hold the recall dial to its promise.

    The base systems are fitted as for Multi; for the rest only the stacker's
    decisions are shifted.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    recalls : sequence of float
        Above 0 and below 1.

    Raises
    ------
    UsageError
        If a corpus or a wanted share makes no sense.
    """
    if not recalls or not all(0 < recall < 1 for recall in recalls):
        raise UsageError(f"wanted shares lie above 0 and below 1; got {recalls}")
    found = [_Dial(measured, setup) for measured in measure(corpora, setup, ["multi"])]
    return OperatingPoints(
        curves=tuple(curve for each in found for curve in each.curves()),
        promises=tuple(promise for each in found for promise in each.promises(recalls)),
        sources=tuple(_source(each.corpus, setup) for each in found),
        notes=(
            *(note for each in found for note in each.corpus.notes()),
            *(note for each in found for note in each.shortfalls(recalls)),
        ),
    )


class _Dial:
    """Multi on one corpus, its decisions to be shifted."""

    def __init__(self, measured: Measured, setup: Setup) -> None:
        self.corpus, self._setup = measured.corpus, setup
        self._data, self._held = measured.plan.data, measured.plan.held
        self._stack: Stack = measured.plan.stack()
        self._margins = self._stack.margins()
        self._dial = Dial.of(self._stack.margins_out_of_fold(), self._stack.gold)

    def curves(self) -> Iterator[Curve]:
        return curves_of(self.corpus, self._stack.held, self._margins, self._data.gold.names)

    def promises(self, recalls: Sequence[float]) -> Iterator[Promise]:
        for wanted in recalls:
            yield self._promise(f"{wanted:g}", wanted, self._dial.price_for(wanted))
        for name, price in POINTS.items():
            yield self._promise(name, self._dial.recall(price), price)

    def shortfalls(self, recalls: Sequence[float]) -> Iterator[str]:
        for wanted in recalls:
            told = self._dial.shortfall(wanted)
            if told:
                yield f"{self.corpus.name}: {told}"

    def _promise(self, asked: str, wanted: float, price: float) -> Promise:
        tags = dialled_tags(self._stack.held, self._margins, self._dial.at_price(price))
        predicted = self._data.with_tags(self._held, tags)
        found = evaluate(self.corpus.test, predicted, tokenization=self._setup.tokenization)
        return Promise(
            corpus=self.corpus.name,
            asked=asked,
            wanted=wanted,
            out_of_fold=self._dial.recall(price),
            recall=self._recall(predicted),
            precision=found.tokens.two_way().precision,
            token_f=found.tokens.two_way().f1,
            span_f=found.spans.strict.micro().f1,
            leaking_documents=found.leak.documents,
            per_class=_found_by_class(found),
        )

    def _recall(self, predicted: Sequence[Document]) -> Interval:
        view = TokenView.from_documents(self.corpus.test, self._setup.tokenization)
        labels = all_labels(self.corpus.test, predicted)
        gold = view.codes(self.corpus.test, labels) > 0
        found = gold & (view.codes(predicted, labels) > 0)
        document = np.searchsorted(view.base, view.start, side="right") - 1
        n = len(self.corpus.test)
        counts = [np.bincount(document[rows], minlength=n) for rows in (found, gold, gold)]
        # Where as much is predicted as there is gold, the F-measure is the recall.
        samples = bootstrap_f(
            np.stack(counts, axis=1)[None], n_resamples=_RESAMPLES, seed=self._setup.seed
        )[0]
        return percentile_interval(float(found.sum() / max(1, gold.sum())), samples)


def _source(corpus: Corpus, setup: Setup) -> Source:
    return Source.of(corpus, ["multi"], setup, n_resamples=_RESAMPLES)


def _found_by_class(found: Evaluation) -> dict[str, float]:
    counts = found.tokens.counts[1:]
    shares = zip(found.tokens.labels, counts[:, 1:].sum(axis=1), counts.sum(axis=1), strict=True)
    return {label: float(phi / gold) for label, phi, gold in shares if gold}


def _curve_row(curve: Curve) -> list[str]:
    figures = (curve.average_precision, curve.precision_now, curve.recall_now, curve.highest_recall)
    return [curve.corpus, curve.label, str(curve.gold), *map(figure, figures)]


def _promise_row(promise: Promise) -> list[str]:
    recall = promise.recall
    figures = (promise.precision, promise.token_f, promise.span_f)
    return [
        promise.corpus,
        promise.asked,
        figure(promise.out_of_fold),
        figure(recall.estimate),
        interval_cell(recall),
        "yes" if promise.is_kept else "no",
        *map(figure, figures),
        str(promise.leaking_documents),
    ]
