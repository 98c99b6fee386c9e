"""Reliability: of spans with a score, the share that is PHI, by score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.document import Document, Span
from multideid.evidence import evidence_of
from multideid.text.tokenizer import tokenize

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
        rows: list[tuple[float, float, bool, bool]] = []
        unscored = 0
        for left, right in zip(gold, predicted, strict=True):
            of_gold = _Gold(left)
            for span in right.spans:
                score = evidence_of(right, span).score
                unscored += score is None
                if score is not None:
                    rows.append((score, *of_gold.row(span)))
        return cls(tuple(_bins(np.array(rows, np.float64))), unscored) if rows else None

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


class _Gold:
    """The gold PHI of a document, to compare spans with."""

    def __init__(self, document: Document) -> None:
        edges = np.array([[s.start, s.end] for s in document.spans], dtype=np.int64).reshape(-1, 2)
        self._first, self._stop = edges.T
        tokens = np.array(tokenize(document.text), dtype=np.int64).reshape(-1, 2)
        self._token_first, self._token_stop = tokens.T
        self._is_phi = self._overlaps(self._token_first, self._token_stop)
        self._spans = frozenset(document.spans)

    def row(self, span: Span) -> tuple[float, bool, bool]:
        """Return the share of a span's tokens that are PHI, if it overlaps PHI, and if it is right.

        A token is PHI if it overlaps a gold span, as in training.
        """
        first = int(np.searchsorted(self._token_stop, span.start, side="right"))
        stop = int(np.searchsorted(self._token_first, span.end))
        overlap = bool(self._overlaps(np.array([span.start]), np.array([span.end]))[0])
        share = float(self._is_phi[first:stop].mean()) if stop > first else float(overlap)
        return share, overlap, span in self._spans

    def _overlaps(self, first: LongArray, stop: LongArray) -> BoolArray:
        """Return whether each of some ranges overlaps a gold span."""
        if not len(self._stop):
            return np.zeros(len(first), dtype=np.bool_)
        after = np.searchsorted(self._stop, first, side="right")
        is_before_end = after < len(self._stop)
        begins = self._first[after.clip(max=len(self._stop) - 1)] < stop
        return np.asarray(is_before_end & begins)


def _bins(rows: DoubleArray) -> Iterator[Bin]:
    """Yield the bins of rows of score, share inside, overlap and exactness."""
    numbers = np.minimum((rows[:, 0] * N_BINS).astype(int), N_BINS - 1)
    for n in _present(numbers):
        means = rows[numbers == n].mean(axis=0).tolist()
        yield Bin(n / N_BINS, (n + 1) / N_BINS, int((numbers == n).sum()), *means)


def _present(numbers: Iterable[int]) -> list[int]:
    return sorted({int(n) for n in numbers})
