"""Ordinal coding of nominal features: one column per template, with values ordered by label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Bag, Template
from multideid.learners.information_gain import conditional_entropy
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import load_arrays, save_arrays

_NO_COLUMN = -1
_RULES = {
    "column": ArrayRule("int32", ("n_features",), low=_NO_COLUMN),
    "code": ArrayRule("float32", ("n_features",)),
    "width": ArrayRule("int64", (), low=1),
}
_MOST_TEMPLATES = 1000


@dataclass(frozen=True, slots=True)
class Coding:
    """Maps binary features to columns and codes.

    Parameters
    ----------
    column : int32 array, shape (n_features,)
        The column of each binary feature, or -1.
    code : float32 array, shape (n_features,)
        The code of the feature in its column.
    width : int
        Number of columns.
    """

    column: IntArray = field(repr=False)
    code: FloatArray = field(repr=False)
    width: int

    def transform(self, features: sparse.csr_matrix) -> FloatArray:
        """Return the columns, float32, shape (n_tokens, width); 0 where no feature is present."""
        found = np.zeros((features.shape[0], self.width), dtype=np.float32)
        column = self.column[features.indices]
        kept = column != _NO_COLUMN
        rows = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
        found[rows[kept], column[kept]] = self.code[features.indices[kept]]
        return found

    def used(self) -> BoolArray:
        """Return a mask of the features that have a column."""
        return np.asarray(self.column != _NO_COLUMN)

    def of_features(self, kept: LongArray) -> Coding:
        """Return the coding of a subset of the features, in that order."""
        return Coding(self.column[kept], self.code[kept], self.width)

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(folder, name, **{part: np.asarray(getattr(self, part)) for part in _RULES})

    @classmethod
    def load(cls, folder: Path, name: str, n_features: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or holds the coding of other features.
        """
        arrays = load_arrays(folder, name, _RULES, n_features=n_features)
        path = folder / f"{name}.npz"
        check_order(path, "column", arrays["column"] < arrays["width"])
        # A column holds one value of a bag, or a template of which there may be no value.
        check_order(path, "width", arrays["width"] <= n_features + _MOST_TEMPLATES)
        return cls(arrays["column"], arrays["code"], int(arrays["width"]))


def learn_coding(
    extractor: FeatureExtractor,
    templates: Sequence[Template],
    counts_for: Callable[[Template], DoubleArray],
    max_values: int,
) -> Coding:
    """Assign a column to each template, and to each value of a bag.

    The values of greatest information gain get codes from 1, ordered by the label that
    each predicts and by its precision, so that a tree separates them with few splits.

    Parameters
    ----------
    extractor : FeatureExtractor
        Fitted.
    templates : sequence of Template
        Some of the extractor's.
    counts_for : callable
        Returns the counts of `Examples.counts` on which the values of a template are
        selected.
    max_values : int
        Maximum number of coded values of a template.
    """
    column = np.full(extractor.n_features_, _NO_COLUMN, dtype=np.int32)
    code = np.ones(extractor.n_features_, dtype=np.float32)
    width = 0
    for template in templates:
        first, stop = _columns_of(extractor, template)
        if isinstance(template, Bag):
            column[first:stop] = np.arange(width, width + stop - first)
            width += stop - first
            continue
        counts = counts_for(template)
        order = first + _in_order(counts[first:stop], counts[-1], max_values)
        column[order] = width
        code[order] = np.arange(1, len(order) + 1)
        width += 1
    # Without templates there is one column, of zeros.
    return Coding(column, code, max(width, 1))


def _columns_of(extractor: FeatureExtractor, template: Template) -> tuple[int, int]:
    n = extractor.templates.index(template)
    return int(extractor.first_[n]), int(extractor.first_[n + 1])


def _in_order(counts: DoubleArray, totals: DoubleArray, max_values: int) -> LongArray:
    """Return the rows of greatest information gain, grouped by the label that they predict."""
    left = conditional_entropy(counts, totals)
    telling = np.argsort(left, kind="stable")
    chosen = np.sort(telling[counts[telling].any(axis=1)][:max_values])
    share = counts[chosen] / np.maximum(counts[chosen].sum(axis=1, keepdims=True), 1)
    usual = np.maximum(totals, 1) / max(totals.sum(), 1)
    surprise = share * np.log(np.maximum(share, 1e-9) / usual)
    label = surprise.argmax(axis=1)
    return chosen[np.lexsort((share[np.arange(len(chosen)), label], label))]
