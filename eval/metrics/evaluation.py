"""Every score of one system's predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from multideid.document import Document
from multideid.eval.metrics.align import align
from multideid.eval.metrics.hipaa import HipaaView
from multideid.eval.metrics.leak import Leak, LeakCounts, count_leaks
from multideid.eval.metrics.reliability import Reliability
from multideid.eval.metrics.span_metrics import SpanCounts, count_spans
from multideid.eval.metrics.token_metrics import ConfusionMatrix, count_tokens
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.signature import Scoring, Signature
from multideid.text.bio import corpus_labels


@dataclass(frozen=True, slots=True)
class SpanScores:
    """Span-level scores under each matching.

    Parameters
    ----------
    strict : SpanCounts
        Start, end and label equal: the main figure.
    relaxed : SpanCounts
        Overlap with the same label.
    strict_type_blind : SpanCounts
        Start and end equal.
    relaxed_type_blind : SpanCounts
        Overlap.
    """

    strict: SpanCounts
    relaxed: SpanCounts
    strict_type_blind: SpanCounts
    relaxed_type_blind: SpanCounts

    @classmethod
    def of(
        cls, gold: Sequence[Document], predicted: Sequence[Document], labels: Sequence[str]
    ) -> SpanScores:
        """Count the spans of aligned documents under each matching."""
        return cls(
            strict=count_spans(gold, predicted, labels),
            relaxed=count_spans(gold, predicted, labels, matching="relaxed"),
            strict_type_blind=count_spans(gold, predicted, labels, type_blind=True),
            relaxed_type_blind=count_spans(
                gold, predicted, labels, matching="relaxed", type_blind=True
            ),
        )

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """Return the scores as plain JSON values."""
        return {
            "strict": self.strict.to_dict(beta),
            "relaxed": self.relaxed.to_dict(beta),
            "strict_type_blind": self.strict_type_blind.micro().to_dict(beta),
            "relaxed_type_blind": self.relaxed_type_blind.micro().to_dict(beta),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of one system's predictions.

    Parameters
    ----------
    signature : Signature
        The conditions of the measurement.
    tokens : ConfusionMatrix
        Token-level scores.
    spans : SpanScores
        Span-level scores.
    leaks : LeakCounts
        Leaked PHI.
    hipaa : HipaaView
        Span- and token-level scores by HIPAA's identifiers.
    reliability : Reliability, optional
        How well the spans' scores hold as probabilities. Default: they have none.
    """

    signature: Signature
    tokens: ConfusionMatrix
    spans: SpanScores
    leaks: LeakCounts
    hipaa: HipaaView
    reliability: Reliability | None = None

    @property
    def leak(self) -> Leak:
        """Leaked PHI of all classes."""
        return self.leaks.overall()

    @property
    def notes(self) -> tuple[str, ...]:
        """Explanations of scores that are zero by definition or left out."""
        return tuple(_notes(self.spans.strict, self.hipaa))

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels, sorted."""
        return self.tokens.labels

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        beta = self.signature.beta
        scores = {} if self.reliability is None else {"reliability": self.reliability.to_dict()}
        return {
            "signature": self.signature.to_dict(),
            "spans": self.spans.to_dict(beta),
            "tokens": self.tokens.to_dict(beta),
            "leak": self.leaks.to_dict(),
            "hipaa": self.hipaa.to_dict(beta),
            **scores,
            "notes": list(self.notes),
        }


def evaluate(  # noqa: PLR0913 -- keywords, each with a default
    gold: Iterable[Document],
    predicted: Iterable[Document],
    *,
    tokenization: str = "multideid",
    system: str = "predicted",
    beta: float = 1.0,
    folds: int | None = None,
    seed: int | None = None,
) -> Evaluation:
    """Score predicted documents against gold ones, at token and span level.

    Parameters
    ----------
    gold, predicted : iterable of Document
        The same documents in any order, with gold and predicted spans.
    tokenization : {"multideid", "whitespace"}
        The tokens of token-level scores.
    system : str
        Name of the system, for messages and the signature.
    beta : float
        Weight of recall relative to precision in F-measures.
    folds, seed : int, optional
        For the signature.

    Returns
    -------
    Evaluation

    Raises
    ------
    AlignmentError
        If a corpus is empty or the two do not have the same documents.
    UsageError
        If the tokenization or beta is invalid.

    Examples
    --------
    >>> note = Document("n1", "Seen by Dr. Lee.", ((12, 15, "DOCTOR"),))
    >>> evaluate([note], [note.with_spans([])]).spans.strict.micro().recall
    0.0
    """
    scoring = Scoring(
        tokenization=tokenization, beta=beta, folds=folds, seed=seed, n_resamples=None
    )
    left, right = align(gold, predicted, system)
    signature = Signature.of(left, [system], scoring)
    tokens = TokenView.from_documents(left, tokenization)
    return score_aligned(left, right, tokens, all_labels(left, right), signature)


def score_aligned(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    tokens: TokenView,
    labels: Sequence[str],
    signature: Signature,
) -> Evaluation:
    """Score aligned and tokenized documents, for comparisons that share tokens and labels."""
    matrix = count_tokens(tokens, gold, predicted, labels)
    return Evaluation(
        signature=signature,
        tokens=matrix,
        spans=SpanScores.of(gold, predicted, labels),
        leaks=count_leaks(gold, predicted, labels),
        hipaa=HipaaView.of(gold, predicted, matrix),
        reliability=Reliability.of(gold, predicted),
    )


def all_labels(*corpora: Iterable[Document]) -> tuple[str, ...]:
    """Return the labels that occur in any of the corpora, sorted."""
    return tuple(sorted({label for corpus in corpora for label in corpus_labels(corpus)}))


def absent_labels(spans: SpanCounts) -> list[str]:
    """Return the labels that occur only in the predictions."""
    return [label for label, score in spans.per_class().items() if not score.gold]


def _notes(spans: SpanCounts, hipaa: HipaaView) -> Iterator[str]:
    total = spans.micro()
    if not total.gold:
        yield "there is no gold PHI, so recall and F are 0 by definition"
    if not total.predicted:
        yield "nothing was predicted, so precision and F are 0 by definition"
    if total.gold and (absent := absent_labels(spans)):
        yield (
            f"predicted, but not in the gold: {', '.join(absent)}; "
            "recall and F are 0 by definition there"
        )
    if hipaa.unmapped:
        listed = ", ".join(f"{label} ({n} gold)" for label, n in hipaa.unmapped.items())
        yield f"no HIPAA identifier is known for {listed}; the HIPAA view leaves them out"
