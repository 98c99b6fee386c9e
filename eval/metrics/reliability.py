"""Reliability: of spans with a score, the share that is PHI, by score."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import DoubleArray
from multideid.document import Document, Span
from multideid.evidence import evidence_of

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
        The share of a span's characters that are in gold PHI, white space aside; the mean.
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
            exact = frozenset(left.spans)
            for span in right.spans:
                score = evidence_of(right, span).score
                unscored += score is None
                if score is not None:
                    inside = _share_inside(span, left)
                    rows.append((score, inside, inside > 0, span in exact))
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
        """The expected calibration error: score and share inside PHI differ so much on average.

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


def _share_inside(span: Span, gold: Document) -> float:
    """Return the share of a span's characters, white space aside, that are in gold PHI."""
    inside = 0
    for other in gold.spans[bisect_right(gold.spans, span.start, key=_end) :]:
        if other.start >= span.end:
            break
        inside += _visible(gold.text[max(span.start, other.start) : min(span.end, other.end)])
    return inside / max(_visible(gold.text[span.start : span.end]), 1)


def _visible(text: str) -> int:
    return sum(not character.isspace() for character in text)


def _end(span: Span) -> int:
    return span.end


def _bins(rows: DoubleArray) -> Iterator[Bin]:
    """Yield the bins of rows of score, share inside, overlap and exactness."""
    numbers = np.minimum((rows[:, 0] * N_BINS).astype(int), N_BINS - 1)
    for n in _present(numbers):
        means = rows[numbers == n].mean(axis=0).tolist()
        yield Bin(n / N_BINS, (n + 1) / N_BINS, int((numbers == n).sum()), *means)


def _present(numbers: Iterable[int]) -> list[int]:
    return sorted({int(n) for n in numbers})
