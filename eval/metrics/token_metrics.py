"""Token-level scores: the confusion matrix and the papers' measures of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.metrics.tokens import TokenView

NON_PHI = "non-PHI"
"""Name of the class of tokens outside all spans."""


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionMatrix:
    """Numbers of tokens by gold and predicted class.

    Parameters
    ----------
    labels : tuple of str
        The PHI classes.
    counts : int64 array, shape (len(labels) + 1, len(labels) + 1)
        Rows gold, columns predicted; row and column 0 are non-PHI and the
        others follow `labels`.

    Raises
    ------
    UsageError
        If the shape of `counts` does not match `labels`.

    Notes
    -----
    Laid out as Table 2 of Szarvas et al. 2007.
    """

    labels: tuple[str, ...]
    counts: LongArray

    def __post_init__(self) -> None:
        size = len(self.labels) + 1
        if self.counts.shape != (size, size):
            raise UsageError(
                f"a confusion matrix of {len(self.labels)} PHI classes and non-PHI has shape "
                f"({size}, {size}), not {self.counts.shape}"
            )

    @classmethod
    def from_codes(
        cls, gold: LongArray, predicted: LongArray, labels: Sequence[str]
    ) -> ConfusionMatrix:
        """Count pairs of codes, 0 for non-PHI and 1 + the index in `labels` for PHI."""
        size = len(labels) + 1
        counts = np.bincount(gold * size + predicted, minlength=size * size)
        return cls(tuple(labels), counts.reshape(size, size).astype(np.int64))

    def per_class(self) -> dict[str, Score]:
        """Return the score of each PHI class."""
        return {label: self._score(n) for n, label in enumerate(self.labels, start=1)}

    def non_phi(self) -> Score:
        """Return the score of the class of tokens that are not PHI."""
        return self._score(0)

    def two_way(self) -> Score:
        """Return the score of PHI of any class against non-PHI."""
        return Score(
            correct=int(self.counts[1:, 1:].sum()),
            predicted=int(self.counts[:, 1:].sum()),
            gold=int(self.counts[1:].sum()),
        )

    def phi_classes(self) -> Score:
        """Return the micro score over the PHI classes ("8-way" with eight of them)."""
        correct = int(np.trace(self.counts)) - int(self.counts[0, 0])
        two_way = self.two_way()
        return Score(correct, two_way.predicted, two_way.gold)

    def all_classes(self) -> Score:
        """Return the micro score over all classes ("9-way" with eight of PHI).

        Precision, recall and F-measure are equal: the accuracy.
        """
        total = int(self.counts.sum())
        return Score(int(np.trace(self.counts)), total, total)

    def macro(self) -> MacroScore:
        """Return the mean over the PHI classes that occur."""
        return MacroScore.over(self.per_class().values())

    def merged(self, counted_as: Mapping[str, str], labels: Sequence[str]) -> ConfusionMatrix:
        """Return the matrix of fewer classes.

        Parameters
        ----------
        counted_as : mapping of str to str
            Maps old classes to `labels`; tokens of other classes count as
            non-PHI.
        labels : sequence of str
            The new PHI classes.
        """
        code = {label: n for n, label in enumerate(labels, start=1)}
        new = [0, *(code[counted_as[x]] if x in counted_as else 0 for x in self.labels)]
        counts = np.zeros((len(labels) + 1, len(labels) + 1), dtype=np.int64)
        np.add.at(counts, np.ix_(new, new), self.counts)
        return ConfusionMatrix(tuple(labels), counts)

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """Return the scores and the matrix as plain JSON values."""
        return {
            "per_class": {k: score.to_dict(beta) for k, score in self.per_class().items()},
            "non_phi": self.non_phi().to_dict(beta),
            "two_way": self.two_way().to_dict(beta),
            "phi_classes": self.phi_classes().to_dict(beta),
            "all_classes": self.all_classes().to_dict(beta),
            "macro": self.macro().to_dict(beta),
            "confusion": {"labels": [NON_PHI, *self.labels], "counts": self.counts.tolist()},
        }

    def _score(self, n: int) -> Score:
        return Score(
            correct=int(self.counts[n, n]),
            predicted=int(self.counts[:, n].sum()),
            gold=int(self.counts[n].sum()),
        )


def count_tokens(
    tokens: TokenView,
    gold: Sequence[Document],
    predicted: Sequence[Document],
    labels: Sequence[str],
) -> ConfusionMatrix:
    """Count the tokens of aligned documents by gold and predicted class.

    Parameters
    ----------
    tokens : TokenView
        Of `gold`.
    gold, predicted : sequence of Document
        Aligned: the same documents in the same order.
    labels : sequence of str
        The PHI classes; spans with other labels count as non-PHI.
    """
    return ConfusionMatrix.from_codes(
        tokens.codes(gold, labels), tokens.codes(predicted, labels), labels
    )


def two_way_by_document(
    tokens: TokenView,
    gold: Sequence[Document],
    predicted: Sequence[Document],
    labels: Sequence[str],
) -> LongArray:
    """Count the tokens of PHI of any class in each document.

    Parameters
    ----------
    tokens, gold, predicted, labels
        As `count_tokens`.

    Returns
    -------
    int64 array, shape (n_documents, 3)
        Last axis: correct, predicted, gold; they add up to
        `ConfusionMatrix.two_way`.
    """
    there, found = tokens.codes(gold, labels) > 0, tokens.codes(predicted, labels) > 0
    document = tokens.document()
    counts = [np.bincount(document[x], minlength=len(gold)) for x in (there & found, found, there)]
    return np.stack(counts, axis=1).astype(np.int64)
