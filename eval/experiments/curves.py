"""Precision and recall as a decision is shifted, from margins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.statistics.z_table import ANY_PHI
from multideid.stacking.stacker import UNCONTESTED
from multideid.text.bio import corpus_labels, encode_bio, phi_labels
from multideid.text.table import TokenTable
from multideid.text.tokenizer import LINE_ENDS

_MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Curve:
    """A precision-recall curve at token level.

    Parameters
    ----------
    corpus, label : str
        A PHI class, or PHI of any class.
    gold : int
        Tokens of the class.
    recall, precision, shift : tuple of float
        Points in order of recall, 200 at most: what is added to the margins
        of the class, and what that gives.
    average_precision : float
        Area under the curve as a step function; what no system contests
        counts as not found.
    precision_now, recall_now : float
        Without any shift.
    highest_recall : float
        What no shift goes beyond, since no system contests the rest.
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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        values = asdict(self)
        return {**values, **{k: list(values[k]) for k in ("recall", "precision", "shift")}}

    @classmethod
    def of(cls, corpus: str, label: str, gold: BoolArray, score: DoubleArray) -> Curve:
        """Draw the curve of scores, which are positive where the class is decided.

        Parameters
        ----------
        corpus, label : str
        gold : bool array, shape (n_tokens,)
            With at least one true.
        score : float array, shape (n_tokens,)
        """
        order = np.argsort(-score, kind="stable")
        score, right = score[order], gold[order].cumsum()
        # Tokens of one score are decided together.
        last = np.flatnonzero(np.diff(score, append=-np.inf) != 0)
        last = last[score[last] > -float(UNCONTESTED) / 2]
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
    """Yield the curve of any PHI, then those of the classes that the test documents have.

    A token's score for a class is by how much the class's better tag passes
    every other tag; for any PHI, by how much the best tag passes "outside".

    Parameters
    ----------
    corpus : Corpus
    tokens : TokenTable
        Of its test documents.
    margins : float32 array, shape (n_tokens, n_tags)
    tags : sequence of str
        As `bio_names` orders them.
    """
    is_line_end = np.array([word in LINE_ENDS for word in tokens.vocabulary], dtype=np.bool_)
    kept = ~is_line_end[tokens.type]
    scores = margins[kept].astype(np.float64)
    labels = corpus_labels(corpus.test)
    gold = ((encode_bio(tokens, corpus.test, labels).ids + 1) // 2)[kept]
    if gold.any():
        yield Curve.of(corpus.name, ANY_PHI, gold > 0, scores[:, 1:].max(axis=1) - scores[:, 0])
    for k, label in enumerate(phi_labels(tags)):
        if label in labels:
            is_label = gold == labels.index(label) + 1
            yield Curve.of(corpus.name, label, is_label, _advantage(scores, k))


def _advantage(scores: DoubleArray, k: int) -> DoubleArray:
    own = np.zeros(scores.shape[1], dtype=np.bool_)
    own[[2 * k + 1, 2 * k + 2]] = True
    return np.asarray(scores[:, own].max(axis=1) - scores[:, ~own].max(axis=1))


def _thinned(n: int) -> LongArray:
    """Return which of `n` points to show: evenly chosen ones, the ends among them."""
    return np.unique(np.linspace(0, max(0, n - 1), min(n, _MOST_POINTS)).astype(np.int64))
