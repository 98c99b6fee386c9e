"""Reliability: of spans with a score, the share that is PHI, by score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray
from multideid.document import Document, Span
from multideid.evidence import evidence_of
from multideid.spans import overlapping
from multideid.text.bio import encode_bio, span_rows
from multideid.text.table import TokenTable

N_BINS = 10


class Bin(NamedTuple):
    """The spans with scores between two bounds.

    Parameters
    ----------
    low, high : float
        Bounds of the scores; a score of 1 is in the last bin.
    spans : int
    score : float
        The mean score.
    inside : float
        The share of a span's tokens that are PHI; the mean.
    overlap : float
        The share of the spans that overlap gold PHI.
    strict : float
        The share whose start, end and label are those of a gold span.
    """

    low: float
    high: float
    spans: int
    score: float
    inside: float
    overlap: float
    strict: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """How well the scores of predicted spans hold as probabilities.

    Parameters
    ----------
    bins : tuple of Bin
        Ten of equal width; those without spans are left out.
    unscored : int
        Predicted spans without a score, which are not in the bins.
    """

    bins: tuple[Bin, ...]
    unscored: int

    @classmethod
    def of(cls, gold: Sequence[Document], predicted: Sequence[Document]) -> Self | None:
        """Compare the scores of aligned documents' spans with the gold; None if there are none."""
        scores = [[evidence_of(found, span).score for span in found.spans] for found in predicted]
        unscored = sum(score is None for of_document in scores for score in of_document)
        if unscored == sum(map(len, scores)):
            return None
        tokens = TokenTable.from_documents(gold)
        is_phi = encode_bio(tokens, gold).ids > 0
        rows: list[tuple[float, float, bool, bool]] = []
        for n, (left, right) in enumerate(zip(gold, predicted, strict=True)):
            figures = _of_spans(right.spans, left, span_rows(tokens, n, right.spans), is_phi)
            pairs = zip(scores[n], figures, strict=True)
            rows += [(score, *figure) for score, figure in pairs if score is not None]
        return cls(tuple(_bins(np.array(rows, np.float64))), unscored)

    def overall(self) -> Bin:
        """Return all spans as one bin."""
        n = sum(row.spans for row in self.bins)
        means = (
            sum(row.spans * figure for row, figure in zip(self.bins, column, strict=True)) / n
            for column in zip(*(row[3:] for row in self.bins), strict=True)
        )
        return Bin(0.0, 1.0, n, *means)

    @property
    def error(self) -> float:
        """The expected calibration error: score and share of PHI differ so much on average.

        A score is the mean over a span's tokens, as that share is.
        """
        return self._mean(abs(row.score - row.inside) for row in self.bins)

    @property
    def overlap_error(self) -> float:
        """The same for the share of spans that overlap PHI."""
        return self._mean(abs(row.score - row.overlap) for row in self.bins)

    def _mean(self, values: Iterable[float]) -> float:
        weighted = (row.spans * value for row, value in zip(self.bins, values, strict=True))
        return sum(weighted) / self.overall().spans

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return {
            "bins": [row._asdict() for row in self.bins],
            "overall": self.overall()._asdict(),
            "expected_calibration_error": {"inside": self.error, "overlap": self.overlap_error},
            "unscored": self.unscored,
        }


def _of_spans(
    spans: Sequence[Span], gold: Document, rows: Sequence[slice], is_phi: BoolArray
) -> Iterator[tuple[float, bool, bool]]:
    """Yield each span's share of tokens that are PHI, if it overlaps PHI, and if it is right."""
    exact = frozenset(gold.spans)
    for span, own in zip(spans, rows, strict=True):
        overlap = bool(overlapping(gold.spans, span.start, span.end))
        share = float(is_phi[own].mean()) if own.stop > own.start else float(overlap)
        yield share, overlap, span in exact


def _bins(rows: DoubleArray) -> Iterator[Bin]:
    """Yield the bins of rows of score, share inside, overlap and exactness."""
    numbers = np.minimum((rows[:, 0] * N_BINS).astype(int), N_BINS - 1)
    for n in _present(numbers):
        means = rows[numbers == n].mean(axis=0).tolist()
        yield Bin(n / N_BINS, (n + 1) / N_BINS, int((numbers == n).sum()), *means)


def _present(numbers: Iterable[int]) -> list[int]:
    return sorted({int(n) for n in numbers})
