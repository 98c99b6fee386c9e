"""Precision-recall curves from margins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.metrics.tokens import is_line_end
from multideid.eval.reports.blocks import Chart, Point
from multideid.eval.statistics.z_table import ANY_PHI
from multideid.stacking.phi_odds import NO_CANDIDATE
from multideid.text.bio import corpus_labels, encode_bio, phi_labels
from multideid.text.table import TokenTable

_MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Curve:
    """A precision-recall curve at token level.

    Parameters
    ----------
    corpus, label : str
        A PHI class, or PHI of any class.
    gold : int
        Number of tokens of the class.
    recall, precision, shift : tuple of float
        At most 200 points in order of recall, each with the shift of the
        margins of the class that leads to it.
    average_precision : float
        Area under the curve as a step function; tokens that no system
        predicts as PHI count as not found.
    precision_now, recall_now : float
        Without a shift.
    highest_recall : float
        The limit of any shift, since some PHI is predicted by no system.
    """

    corpus: str
    label: str
    gold: int
    recall: tuple[float, ...] = field(repr=False)
    precision: tuple[float, ...] = field(repr=False)
    shift: tuple[float, ...] = field(repr=False)
    average_precision: float
    precision_now: float
    recall_now: float
    highest_recall: float

    @classmethod
    def of(cls, corpus: str, label: str, gold: BoolArray, score: DoubleArray) -> Curve:
        """Compute the curve of scores, which are positive for tokens predicted as the class.

        Parameters
        ----------
        corpus, label : str
        gold : bool array, shape (n_tokens,)
            With at least one true value.
        score : float array, shape (n_tokens,)
        """
        order = np.argsort(-score, kind="stable")
        score, right = score[order], gold[order].cumsum()
        # A threshold cannot separate tokens of equal score.
        last = np.flatnonzero(np.diff(score, append=-np.inf) != 0)
        last = last[score[last] > -float(NO_CANDIDATE) / 2]
        recall, precision = right[last] / gold.sum(), right[last] / (last + 1)
        steps = np.diff(recall, prepend=0.0)
        now = int((score[last] > 0).sum()) - 1
        shown = _thinned(len(last))
        return cls(
            corpus=corpus,
            label=label,
            gold=int(gold.sum()),
            recall=tuple(recall[shown].tolist()),
            precision=tuple(precision[shown].tolist()),
            shift=tuple((-score[last][shown]).tolist()),
            average_precision=float((steps * precision).sum()),
            precision_now=float(precision[now]) if now >= 0 else 0.0,
            recall_now=float(recall[now]) if now >= 0 else 0.0,
            highest_recall=float(recall.max(initial=0.0)),
        )


def curves_of(
    corpus: Corpus, tokens: TokenTable, margins: FloatArray, tags: Sequence[str]
) -> Iterator[Curve]:
    """Yield the curve of any PHI, then those of the classes of the test documents.

    A token's score for a class is the margin of the class's better tag minus
    that of the best other tag; for any PHI, the margin of the best tag minus
    that of "outside".

    Parameters
    ----------
    corpus : Corpus
    tokens : TokenTable
        Of its test documents.
    margins : float32 array, shape (n_tokens, n_tags)
    tags : sequence of str
        As `bio_names` orders them.
    """
    kept = ~is_line_end(tokens)
    scores = margins[kept].astype(np.float64)
    labels = corpus_labels(corpus.test)
    gold = ((encode_bio(tokens, corpus.test, labels).ids + 1) // 2)[kept]
    if gold.any():
        yield Curve.of(corpus.name, ANY_PHI, gold > 0, scores[:, 1:].max(axis=1) - scores[:, 0])
    for k, label in enumerate(phi_labels(tags)):
        if label in labels:
            is_label = gold == labels.index(label) + 1
            yield Curve.of(corpus.name, label, is_label, _advantage(scores, k))


def precision_recall_chart(title: str, curves: Iterable[Curve]) -> Chart:
    """Draw curves, one line per class."""
    series = {
        curve.label: [Point(*xy) for xy in zip(curve.recall, curve.precision, strict=True)]
        for curve in curves
    }
    return Chart(title, "recall, tokens", "precision, tokens", series, f_lines=True)


def _advantage(scores: DoubleArray, k: int) -> DoubleArray:
    own = np.zeros(scores.shape[1], dtype=np.bool_)
    own[[2 * k + 1, 2 * k + 2]] = True
    return np.asarray(scores[:, own].max(axis=1) - scores[:, ~own].max(axis=1))


def _thinned(n: int) -> LongArray:
    """Return the indices of the points to show: evenly spaced, with both ends."""
    return np.unique(np.linspace(0, max(0, n - 1), min(n, _MOST_POINTS)).astype(np.int64))
