"""What predictions got right document by document, and whether two differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.metrics.evaluation import all_labels
from multideid.eval.metrics.leak import count_leaks
from multideid.eval.metrics.scores import Score
from multideid.eval.metrics.span_metrics import count_spans
from multideid.eval.metrics.token_metrics import two_way_by_document
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.statistics.randomization import randomization_p


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better predictions are than others of the same documents.

    Parameters
    ----------
    token_f : float
        F of PHI or not at token level, less the others'.
    token_p : float
        Two-sided p of it by approximate randomization over documents.
    span_f, span_p : float
        The same of strict spans.
    """

    token_f: float
    token_p: float
    span_f: float
    span_p: float

    def to_dict(self) -> dict[str, float]:
        """Return the figures as plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What predictions got right.

    Parameters
    ----------
    token_counts, span_counts : int64 arrays, shape (n_documents, 3)
        Correct, predicted and gold: tokens of PHI whatever the class, and
        strict spans.
    leaking : int
        Documents in which PHI is left standing.
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
        """Strict spans, all classes together."""
        return Score(*self.span_counts.sum(axis=0).tolist())

    def less(self, other: Outcome, n_shuffles: int, seed: int) -> Difference:
        """Return the difference from the outcome of other predictions, tested."""

        def p(ours: LongArray, theirs: LongArray) -> float:
            return randomization_p(ours, theirs, n_shuffles=n_shuffles, seed=seed)

        return Difference(
            token_f=self.tokens.f1 - other.tokens.f1,
            token_p=p(self.token_counts, other.token_counts),
            span_f=self.spans.f1 - other.spans.f1,
            span_p=p(self.span_counts, other.span_counts),
        )


class Judge:
    """Scores predictions of a corpus's test documents, which it tokenizes once.

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
