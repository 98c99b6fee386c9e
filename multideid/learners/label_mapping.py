"""From the labels that a system was made with to those of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from multideid.text.bio import TokenLabels, bio_names, phi_labels

IntArray = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class LabelMapping:
    """Which corpus label each label of a system stands for.

    A system that comes with labels of its own (rules, another project's
    tagger) learns nothing from a corpus but this.

    Parameters
    ----------
    pairs : dict of str to str
        Corpus label of each native label; one that is not here is ignored.
    labels : tuple of str
        All PHI labels of the corpus, in their order.

    Examples
    --------
    >>> names = ("O", "B-PERSON", "I-PERSON")
    >>> mapping = LabelMapping({"PERSON": "DOCTOR"}, ("DATE", "DOCTOR"))
    >>> native = TokenLabels(np.array([0, 1, 2], dtype=np.int32), names)
    >>> mapping.transform(native).ids.tolist()
    [0, 3, 4]
    """

    pairs: dict[str, str]
    labels: tuple[str, ...]

    @classmethod
    def fit(cls, native: TokenLabels, gold: TokenLabels) -> Self:
        """Map each native label to the gold label that it shares most tokens with.

        A native label that never meets a gold one is left out, and so ignored;
        among equals the first gold label in order is taken.

        Parameters
        ----------
        native, gold : TokenLabels
            Of the same tokens.

        Returns
        -------
        LabelMapping
        """
        shared = _overlaps(native, gold)
        labels = phi_labels(gold.names)
        pairs = {
            name: labels[int(row.argmax())]
            for name, row in zip(phi_labels(native.names), shared, strict=True)
            if row.any()
        }
        return cls(pairs, labels)

    @property
    def names(self) -> tuple[str, ...]:
        """The BIO tags of the corpus's labels."""
        return bio_names(self.labels)

    def transform(self, native: TokenLabels) -> TokenLabels:
        """Return the same tags in the corpus's labels; ignored labels become "O".

        Parameters
        ----------
        native : TokenLabels
            With any labels; one that `fit` never saw is ignored.

        Returns
        -------
        TokenLabels
            With `names`.
        """
        code = {label: n for n, label in enumerate(self.labels)}
        target = np.zeros(len(native.names), dtype=np.int32)
        for n, label in enumerate(phi_labels(native.names)):
            if label in self.pairs:
                first = 2 * code[self.pairs[label]] + 1
                target[2 * n + 1 : 2 * n + 3] = first, first + 1
        return TokenLabels(target[native.ids], self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return the mapping as JSON values."""
        return {"pairs": dict(self.pairs), "labels": list(self.labels)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Make the mapping from what `to_dict` gave.

        Raises
        ------
        ValueError
            If the values make no mapping.
        """
        try:
            pairs, labels = dict(values["pairs"]), tuple(values["labels"])
        except (KeyError, TypeError) as error:
            raise ValueError("these values make no label mapping") from error
        if not set(pairs.values()) <= set(labels):
            raise ValueError("the label mapping leads to a label that the corpus lacks")
        return cls(pairs, labels)


def _overlaps(native: TokenLabels, gold: TokenLabels) -> npt.NDArray[np.int64]:
    """Count the tokens of each native label (row) that bear each gold label (column)."""
    rows, columns = len(native.names) // 2, len(gold.names) // 2
    both = (native.ids > 0) & (gold.ids > 0)
    cells = (native.ids[both] - 1) // 2 * columns + (gold.ids[both] - 1) // 2
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)
