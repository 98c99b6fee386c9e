"""Check that the sums of a compiled model are exact in float32, whatever their order.

They are while the sum of the absolute values of all summands stays within a
bound that follows from the unit of the weights. The summands of conjunctions
and windows are known in advance; rows of strings and sets are checked when they
are made, because a string may have any number of features.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from multideid.arrays import DoubleArray
from multideid.features.document_context import MOST_OCCURRENCES
from multideid.features.templates import Conjunction, Window
from multideid.scoring.linear_part import LinearPart, TemplateUse, follows_from_a_string
from multideid.scoring.row_arena import Layout


class Rows(Protocol):
    """Rows that cells add to the scores around them."""

    layout: Layout
    largest: DoubleArray
    """Maximum absolute value of all rows, shape (row length,)."""


class Exactness:
    """Bounds of scores.

    Parameters
    ----------
    parts : sequence of LinearPart
    uses : sequence of TemplateUse
        All templates of the parts.
    """

    def __init__(self, parts: Sequence[LinearPart], uses: Iterable[TemplateUse]) -> None:
        sizes = [part.n_labels for part in parts]
        self._limits = np.repeat([part.exact_up_to for part in parts], sizes)
        self._constant = np.zeros(len(self._limits))
        for use in uses:
            self._constant[use.begin : use.begin + use.part.n_labels] += _constant(use)

    def holds(self, once: Iterable[Rows] = (), context: Iterable[Rows] = ()) -> bool:
        """Return whether no sum can exceed its bound.

        Parameters
        ----------
        once : iterable of Rows
            Each cell adds one row of each.
        context : iterable of Rows
            Each cell adds one row of each for every other occurrence of its
            word in the document.
        """
        total = self._constant.copy()
        for rows in once:
            rows.layout.add_to_columns(rows.largest, total)
        for rows in context:
            rows.layout.add_to_columns((MOST_OCCURRENCES - 1) * rows.largest, total)
        return bool((total <= self._limits).all())


def _constant(use: TemplateUse) -> DoubleArray | float:
    """Return the maximum that a template adds to each label, apart from rows of strings."""
    if isinstance(use.template, Window):
        # Rows add a value at each offset; all but one are subtracted again.
        return (len(use.template.offsets) - 1) * _largest_of_labels(use)
    is_table = isinstance(use.template, Conjunction) and not follows_from_a_string(use.template)
    return _largest_of_labels(use) if is_table else 0.0


def _largest_of_labels(use: TemplateUse) -> DoubleArray:
    first = int(use.part.extractor.first_[use.number])
    weights = use.part.weights[first : first + len(use.keys)]
    largest = np.zeros(use.part.n_labels)
    np.maximum.at(largest, weights.indices, np.abs(weights.data))
    return largest
