"""Whether float32 holds all sums of a compiled model exactly, in whatever order they are taken.

It does while the absolute values of all that is added to a score stay within a bound
that follows from the last digit of the weights. What stands in families of conjunctions and in
windows is known beforehand; rows of strings and sets are looked at when they are made, for a
string may have any number of features.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from multideid.arrays import DoubleArray
from multideid.features.document_context import MOST_OCCURRENCES
from multideid.features.templates import Conjunction, Window
from multideid.scoring.linear_part import LinearPart, Use, follows_from_a_string
from multideid.scoring.row_arena import Layout


class Rows(Protocol):
    """Rows that cells add to the scores around them."""

    layout: Layout
    greatest: DoubleArray
    """The greatest absolute value in each place of a row, shape (length of a row,)."""


class Exactness:
    """How large scores may become, and do at most.

    Parameters
    ----------
    parts : sequence of LinearPart
    uses : sequence of Use
        All templates of the parts.
    """

    def __init__(self, parts: Sequence[LinearPart], uses: Iterable[Use]) -> None:
        sizes = [part.n_labels for part in parts]
        self._limits = np.repeat([part.exact_up_to for part in parts], sizes)
        self._fixed = np.zeros(len(self._limits))
        for use in uses:
            self._fixed[use.begin : use.begin + use.part.n_labels] += _fixed(use)

    def holds(self, once: Iterable[Rows] = (), elsewhere: Iterable[Rows] = ()) -> bool:
        """Tell whether no sum can be too large.

        Parameters
        ----------
        once : iterable of Rows
            Of which each cell adds one.
        elsewhere : iterable of Rows
            Of which it adds one for each other occurrence of its word.
        """
        most = self._fixed.copy()
        for rows in once:
            rows.layout.add_to_columns(rows.greatest, most)
        for rows in elsewhere:
            rows.layout.add_to_columns((MOST_OCCURRENCES - 1) * rows.greatest, most)
        return bool((most <= self._limits).all())


def _fixed(use: Use) -> DoubleArray | float:
    """Return the most that a template adds to each label beyond what is in rows of strings."""
    if isinstance(use.template, Window):
        # Rows count a value at each offset, and all but one are taken back.
        return (len(use.template.offsets) - 1) * _greatest_of_labels(use)
    is_family = isinstance(use.template, Conjunction) and not follows_from_a_string(use.template)
    return _greatest_of_labels(use) if is_family else 0.0


def _greatest_of_labels(use: Use) -> DoubleArray:
    first = int(use.part.extractor.first_[use.number])
    weights = use.part.weights[first : first + len(use.keys)]
    if not weights.nnz:
        return np.zeros(use.part.n_labels)
    return np.asarray(abs(weights).max(axis=0).todense(), dtype=np.float64).reshape(-1)
