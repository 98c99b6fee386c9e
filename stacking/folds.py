"""Folds of whole documents."""

from __future__ import annotations

import numpy as np

from multideid.arrays import LongArray
from multideid.errors import UsageError


def document_folds(n_documents: int, folds: int, seed: int) -> LongArray:
    """Deal documents out to folds of nearly equal size.

    Parameters
    ----------
    n_documents, folds, seed : int

    Returns
    -------
    int64 array, shape (n_documents,)
        The fold of every document.

    Raises
    ------
    UsageError
        If there are fewer than two folds, not a whole number of them, or more
        than documents.
    """
    if not isinstance(folds, int | np.integer) or folds < 2:
        raise UsageError(
            f"folds must be a whole number, at least 2 to learn out of fold; got {folds!r}"
        )
    if n_documents < folds:
        raise UsageError(
            f"folds={folds} needs at least {folds} documents and the corpus has {n_documents}: "
            "give more documents, ask for fewer folds (2 at least), or train a single system"
        )
    order = np.random.default_rng(seed).permutation(n_documents)
    fold = np.empty(n_documents, dtype=np.int64)
    fold[order] = np.arange(n_documents) % folds
    return fold
