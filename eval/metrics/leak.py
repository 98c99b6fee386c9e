"""PHI that remains in the text after de-identification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.labels import IDENTIFIER_KINDS, identifier_kind
from multideid.spans import count_uncovered, overlapping


@dataclass(frozen=True, slots=True)
class Leak:
    """PHI that no predicted span covers, whatever its label.

    Parameters
    ----------
    characters : int
        Letters and digits of gold PHI that leak; punctuation and white space
        between two covered words disclose nothing.
    phi_characters : int
        All letters and digits of gold PHI.
    documents : int
        Documents with at least one such character.
    n_documents : int
        Number of documents.
    """

    characters: int
    phi_characters: int
    documents: int
    n_documents: int

    @property
    def character_rate(self) -> float:
        """Share of the characters of PHI that leak; 0.0 without any PHI."""
        return self.characters / self.phi_characters if self.phi_characters else 0.0

    @property
    def document_rate(self) -> float:
        """Share of the documents with a leak; 0.0 without documents."""
        return self.documents / self.n_documents if self.n_documents else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and rates as plain JSON values."""
        rates = {"character_rate": self.character_rate, "document_rate": self.document_rate}
        return {**asdict(self), **rates}


@dataclass(frozen=True, slots=True, eq=False)
class LeakCounts:
    """Leaked PHI by document and label.

    Parameters
    ----------
    labels : tuple of str
        The PHI labels.
    counts : int64 array, shape (n_documents, n_labels, 2)
        Last axis: leaked letters and digits, and all of them.
    """

    labels: tuple[str, ...]
    counts: LongArray = field(repr=False)

    def overall(self) -> Leak:
        """Return the leak of all PHI."""
        return self._of(self.labels)

    def per_class(self) -> dict[str, Leak]:
        """Return the leak of each label."""
        return {label: self._of([label]) for label in self.labels}

    def per_kind(self) -> dict[str, Leak]:
        """Return the leak of direct, quasi and unclassified identifiers.

        `multideid.labels.identifier_kind` gives the kind of a label.
        """
        return {kind: self._of(labels) for kind, labels in self.kinds().items()}

    def kinds(self) -> dict[str, list[str]]:
        """Return the labels of each kind of identifier."""
        return {
            kind: [x for x in self.labels if identifier_kind(x) == kind]
            for kind in IDENTIFIER_KINDS
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the leaks as plain JSON values."""
        return {
            **self.overall().to_dict(),
            "per_kind": {
                kind: {**leak.to_dict(), "labels": self.kinds()[kind]}
                for kind, leak in self.per_kind().items()
            },
            "per_class": {label: leak.to_dict() for label, leak in self.per_class().items()},
        }

    def _of(self, labels: Iterable[str]) -> Leak:
        columns = [self.labels.index(label) for label in labels]
        standing, total = self.counts[:, columns].sum(axis=1).T
        return Leak(
            int(standing.sum()), int(total.sum()), int((standing > 0).sum()), len(self.counts)
        )


def count_leaks(
    gold: Sequence[Document], predicted: Sequence[Document], labels: Sequence[str]
) -> LeakCounts:
    """Count the leaked PHI of aligned documents.

    Parameters
    ----------
    gold, predicted : sequence of Document
        Aligned: the same documents in the same order.
    labels : sequence of str
        Labels of the gold spans to count; predicted spans cover whatever their label.
    """
    column = {label: n for n, label in enumerate(labels)}
    counts = np.zeros((len(gold), len(labels), 2), dtype=np.int64)
    for row, left, right in zip(counts, gold, predicted, strict=True):
        for start, end, label in left.spans:
            if label in column:
                covering = overlapping(right.spans, start, end)
                leaked = count_uncovered(left.text, start, end, covering)
                row[column[label]] += leaked, count_uncovered(left.text, start, end)
    return LeakCounts(tuple(labels), counts)
