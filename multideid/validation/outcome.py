"""What leaks of each note: spans of gold PHI that are not wholly covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.labels import IDENTIFIER_KINDS, identifier_kind
from multideid.spans import count_uncovered, overlapping

TOTAL, MISSED, PARTLY = range(3)
"""Columns: all spans, those wholly in the clear, and those of which a part is."""


@dataclass(frozen=True, slots=True, eq=False)
class NoteOutcomes:
    """Spans of each note, by label and by outcome.

    Parameters
    ----------
    labels : tuple of str
        Labels of the gold spans.
    counts : int64 array, shape (n_notes, n_labels, 3)
        Last axis: `TOTAL`, `MISSED`, `PARTLY`.
    """

    labels: tuple[str, ...]
    counts: LongArray = field(repr=False)

    def groups(self) -> dict[str, tuple[str, ...]]:
        """Return the labels of all identifiers, of each kind that occurs, and each label."""
        kinds = {
            kind: tuple(label for label in self.labels if identifier_kind(label) == kind)
            for kind in IDENTIFIER_KINDS
        }
        return {
            "all": self.labels,
            **{kind: labels for kind, labels in kinds.items() if labels},
            **{label: (label,) for label in self.labels},
        }

    def of(self, labels: Sequence[str]) -> LongArray:
        """Return the counts of some labels together, of shape (n_notes, 3)."""
        columns = [self.labels.index(label) for label in labels]
        found: LongArray = self.counts[:, columns].sum(axis=1)
        return found

    def leaking(self) -> LongArray:
        """Return 1 for each note that leaks anything, else 0."""
        left = self.counts[:, :, [MISSED, PARTLY]].sum(axis=(1, 2))
        found: LongArray = (left > 0).astype(np.int64)
        return found


def note_outcomes(gold: Sequence[Document], predicted: Sequence[Document]) -> NoteOutcomes:
    """Count the spans of aligned documents that leak.

    A span leaks if one of its letters or digits is in no predicted span, of whatever
    label.

    Parameters
    ----------
    gold, predicted : sequence of Document
        The same texts in the same order.
    """
    labels = tuple(sorted({span.label for document in gold for span in document.spans}))
    column = {label: n for n, label in enumerate(labels)}
    counts = np.zeros((len(gold), len(labels), 3), dtype=np.int64)
    for row, left, right in zip(counts, gold, predicted, strict=True):
        for start, end, label in left.spans:
            covering = overlapping(right.spans, start, end)
            open_ = count_uncovered(left.text, start, end, covering)
            row[column[label], TOTAL] += 1
            if open_:
                is_missed = open_ == count_uncovered(left.text, start, end)
                row[column[label], MISSED if is_missed else PARTLY] += 1
    return NoteOutcomes(labels, counts)
