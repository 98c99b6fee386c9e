"""Scores of predictions by document, and tests of the difference between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.metrics.evaluation import all_labels
from multideid.eval.metrics.leak import count_leaks
from multideid.eval.metrics.scores import Score
from multideid.eval.metrics.span_metrics import count_spans
from multideid.eval.metrics.token_metrics import two_way_by_document
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.cells import p_cell
from multideid.eval.statistics.randomization import randomization_p
from multideid.tables import Column


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between predictions of the same documents.

    Parameters
    ----------
    token_f : float
        F of PHI or not at token level, minus that of the others.
    token_p : float
        Its two-sided p by approximate randomization over documents.
    span_f, span_p : float
        The same for strict spans.
    """

    token_f: float
    token_p: float
    span_f: float
    span_p: float


def difference_columns(other: str, attribute: str) -> list[Column]:
    """Return columns for an attribute with differences from `other`, or None."""

    def column(header: str, name: str, is_p: bool) -> Column:
        def cell(record: object) -> str | None:
            difference = getattr(record, attribute)
            if difference is None:
                return None
            value: float = getattr(difference, name)
            return p_cell(value) if is_p else f"{value:+.4f}"

        return Column(header, cell)

    return [
        column(f"PHI - {other}", "token_f", False),
        column("p   ", "token_p", True),
        column(f"span - {other}", "span_f", False),
        column("p   ", "span_p", True),
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Scores of predictions by document.

    Parameters
    ----------
    token_counts, span_counts : int64 arrays, shape (n_documents, 3)
        Correct, predicted and gold: tokens of PHI of any class, and strict
        spans.
    leaking : int
        Number of documents with leaked PHI.
    """

    token_counts: LongArray = field(repr=False)
    span_counts: LongArray = field(repr=False)
    leaking: int

    @property
    def tokens(self) -> Score:
        """PHI or not, at token level."""
        return Score(*self.token_counts.sum(axis=0).tolist())

    @property
    def spans(self) -> Score:
        """Strict spans of all classes."""
        return Score(*self.span_counts.sum(axis=0).tolist())

    def minus(self, other: Outcome, n_shuffles: int, seed: int) -> Difference:
        """Return the difference from other predictions, with p values."""

        def p(ours: LongArray, theirs: LongArray) -> float:
            return randomization_p(ours, theirs, n_shuffles=n_shuffles, seed=seed)

        return Difference(
            token_f=self.tokens.f1 - other.tokens.f1,
            token_p=p(self.token_counts, other.token_counts),
            span_f=self.spans.f1 - other.spans.f1,
            span_p=p(self.span_counts, other.span_counts),
        )


class CorpusScorer:
    """Scores predictions for a corpus's test documents, which it tokenizes once.

    Parameters
    ----------
    corpus : Corpus
    tokenization : {"multideid", "whitespace"}
    """

    def __init__(self, corpus: Corpus, tokenization: str) -> None:
        self._gold = corpus.test
        self._labels = all_labels(corpus.train, corpus.test)
        self._tokens = TokenView.from_documents(corpus.test, tokenization)

    def outcome(self, predicted: Sequence[Document]) -> Outcome:
        """Score the test documents, in their order, with predicted spans."""
        return Outcome(
            two_way_by_document(self._tokens, self._gold, predicted, self._labels),
            count_spans(self._gold, predicted, self._labels).per_document(),
            count_leaks(self._gold, predicted, self._labels).overall().documents,
        )
