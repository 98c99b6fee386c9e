"""From the labels that a system was made with to those of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.errors import UsageError
from multideid.text.bio import TokenLabels, bio_names, phi_labels


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
    def fit(cls, native: TokenLabels, gold: TokenLabels, least: float = 0.0) -> Self:
        """Map each native label to the gold label that it shares most tokens with.

        A native label that never meets a gold one is left out, and so ignored;
        among equals the first gold label in order is taken.

        Parameters
        ----------
        native, gold : TokenLabels
            Of the same tokens.
        least : float, default 0
            The share of a native label's tokens that must have some gold
            label; one that has less is left out.

        Returns
        -------
        LabelMapping

        Raises
        ------
        UsageError
            If the two are not of equally many tokens.
        """
        if len(native) != len(gold):
            raise UsageError(f"{len(gold)} tags were given for {len(native)} tokens")
        cells = _overlaps(native, gold)
        labels = phi_labels(gold.names)
        pairs = {
            name: labels[int(row[1:].argmax())]
            for name, row in zip(phi_labels(native.names), cells[1:], strict=True)
            if row[1:].any() and row[1:].sum() >= least * row.sum()
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


def one_hot(tags: IntArray, n_labels: int) -> FloatArray:
    """Score each token's tag 1, every other 0.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    scores = np.zeros((len(tags), n_labels), dtype=np.float32)
    scores[np.arange(len(tags)), tags] = 1
    return scores


def _overlaps(native: TokenLabels, gold: TokenLabels) -> LongArray:
    """Count the tokens of each native label (row) and gold label (column), "O" the first."""
    rows, columns = len(native.names) // 2 + 1, len(gold.names) // 2 + 1
    cells = (native.ids + 1) // 2 * columns + (gold.ids + 1) // 2
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)
