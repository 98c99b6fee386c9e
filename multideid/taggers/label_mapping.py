"""Mapping from the labels of a system to the labels of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from multideid.arguments import as_python, invalid
from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.errors import UsageError
from multideid.labels import phi_class
from multideid.taggers.parameters import SHARE, is_number
from multideid.text.bio import TokenLabels, bio_names, phi_labels


@dataclass(frozen=True, slots=True)
class LabelMapping:
    """Mapping from the native labels of a system to the labels of a corpus.

    It is all that a system with native labels, such as rules or another
    project's tagger, learns from a corpus.

    Parameters
    ----------
    pairs : dict of str to str
        Corpus label of each native label; native labels not in it are ignored.
    labels : tuple of str
        All PHI labels of the corpus, in order.

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
    def fit(cls, native: TokenLabels, gold: TokenLabels, min_precision: float = 0.0) -> Self:
        """Map each native label to the gold label with which it shares most tokens.

        A native label that shares no token with a gold label is ignored. If it has no
        token at all, it is mapped to a gold label of the same PHI class, if there is one.
        Ties are resolved in favour of the first gold label.

        Parameters
        ----------
        native, gold : TokenLabels
            Labels of the same tokens.
        min_precision : float, default 0
            A native label is ignored if a smaller share of its tokens has any
            gold label.

        Returns
        -------
        LabelMapping

        Raises
        ------
        UsageError
            If the two have different numbers of tokens, or `min_precision` is no number
            from 0 to 1.
        """
        share = as_python(min_precision)
        if not is_number(share, int | float) or not SHARE.holds(share):
            raise invalid("min_precision", f"a number {SHARE.requirement}", min_precision)
        if len(native) != len(gold):
            raise UsageError(f"{len(gold)} tags were given for {len(native)} tokens")
        cells = _overlaps(native, gold)
        labels = phi_labels(gold.names)
        pairs = {}
        for name, row in zip(phi_labels(native.names), cells[1:], strict=True):
            if row[1:].any() and row[1:].sum() >= min_precision * row.sum():
                pairs[name] = labels[int(row[1:].argmax())]
            elif not row.any() and (label := same_class(name, labels)):
                pairs[name] = label
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
            Labels not seen by `fit` are ignored.

        Returns
        -------
        TokenLabels
            With the tags `names`.
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
        """Make a mapping from the output of `to_dict`.

        Raises
        ------
        ValueError
            If the values are not a label mapping.
        """
        try:
            pairs, labels = dict(values["pairs"]), tuple(values["labels"])
        except (KeyError, TypeError) as error:
            raise ValueError("the values are not a label mapping") from error
        if not set(pairs.values()) <= set(labels):
            raise ValueError("the label mapping has a label that is not in the corpus")
        return cls(pairs, labels)


def same_class(label: str, labels: Sequence[str]) -> str | None:
    """Return the label itself if it is among some labels, or else one of the same PHI class."""
    if label in labels:
        return label
    row = phi_class(label)
    same = [other for other in labels if row is not None and phi_class(other) == row]
    return same[0] if same else None


def one_hot(tags: IntArray, n_labels: int) -> FloatArray:
    """Return scores of 1 for each token's tag and 0 for all others.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    scores = np.zeros((len(tags), n_labels), dtype=np.float32)
    scores[np.arange(len(tags)), tags] = 1
    return scores


def _overlaps(native: TokenLabels, gold: TokenLabels) -> LongArray:
    """Count the tokens of each native label (row) and gold label (column); "O" is first."""
    rows, columns = len(native.names) // 2 + 1, len(gold.names) // 2 + 1
    cells = (native.ids + 1) // 2 * columns + (gold.ids + 1) // 2
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)
