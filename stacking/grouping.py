"""How training documents belong together: groups, and augmented copies of others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from multideid.arguments import invalid
from multideid.arrays import LongArray
from multideid.errors import UsageError
from multideid.stacking.folds import Groups

Copies = Sequence[bool] | None


class Grouping(NamedTuple):
    """What `fit` was told of the documents.

    Parameters
    ----------
    groups : sequence of hashable, optional
        One value per document; those of equal value share a fold.
    copies : sequence of bool, optional
        Whether each document is a copy, from which base systems learn and the stacker does not.
    """

    groups: Groups = None
    copies: Copies = None

    def stacked(self, n_documents: int) -> LongArray:
        """Return the indices of the documents that the stacker learns from."""
        if self.copies is None:
            return np.arange(n_documents)
        return np.flatnonzero(np.logical_not(self.copies))


UNGROUPED = Grouping()
"""Each document is a group, and none a copy."""


def checked_copies(copies: Any, n_documents: int, groups: Groups) -> list[bool] | None:
    """Return which documents are copies.

    Raises
    ------
    UsageError
        If they are not a list of booleans, not as many as documents, all copies, or without
        groups, which keep a copy out of the training data of its original's fold, or if the
        group of a copy has no original.
    """
    if copies is None:
        return None
    if isinstance(copies, str | bytes) or not isinstance(copies, Iterable):
        raise invalid("copies", "a list of True and False", copies, is_private=True)
    values = list(copies)
    if not all(isinstance(value, bool | np.bool_) for value in values):
        raise UsageError("copies must be True or False for each document")
    if len(values) != n_documents:
        raise UsageError(f"copies has {len(values)} values for {n_documents} documents")
    if all(values):
        raise UsageError("all documents are copies; the stacker needs some that are not")
    if groups is None:
        raise UsageError("copies need groups: give each copy the group of its original")
    _check_originals(values, groups)
    return list(map(bool, values))


def _check_originals(copies: Sequence[bool], groups: Sequence[Hashable]) -> None:
    """Check that each copy has an original: a fold of copies alone would have nothing to score."""
    with_original = {group for group, is_copy in zip(groups, copies, strict=True) if not is_copy}
    for n, (group, is_copy) in enumerate(zip(groups, copies, strict=True)):
        if is_copy and group not in with_original:
            raise UsageError(
                f"document {n} is a copy and its group has no original; "
                "give each copy the group of its original"
            )
