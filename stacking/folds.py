"""Folds of whole documents."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.meta_fields import field_names, field_of

Groups = Sequence[Hashable] | None


def document_folds(n_documents: int, folds: int, seed: int, groups: Groups = None) -> LongArray:
    """Assign documents to folds of nearly equal size at random.

    Parameters
    ----------
    n_documents, folds, seed : int
    groups : sequence of hashable, optional
        One value per document; documents of equal value share a fold.

    Returns
    -------
    int64 array, shape (n_documents,)
        The fold of every document.

    Raises
    ------
    UsageError
        If there are fewer than two folds, not a whole number of them, more than
        documents or groups, or not as many groups as documents.
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
    random = np.random.default_rng(seed)
    if groups is not None:
        return _group_folds(n_documents, folds, random, groups)
    order = random.permutation(n_documents)
    fold = np.empty(n_documents, dtype=np.int64)
    fold[order] = np.arange(n_documents) % folds
    return fold


def groups_in_meta(documents: Sequence[Document], name: str | None) -> list[str] | None:
    """Return the value of a field or column of each document, as text.

    Parameters
    ----------
    documents : sequence of Document
    name : str or None
        The field, such as ``"brief"``; None for no groups.

    Raises
    ------
    UsageError
        If a document has no such field.
    """
    if name is None:
        return None
    for document in documents:
        if field_of(document, name) is None:
            known = ", ".join(field_names(document)) or "none"
            raise UsageError(f"document {document.id!r} has no {name!r} in meta; it has: {known}")
    return [str(field_of(document, name)) for document in documents]


def _group_folds(
    n_documents: int, folds: int, random: np.random.Generator, groups: Sequence[Hashable]
) -> LongArray:
    """Assign whole groups, large ones first, each to the fold with the fewest documents."""
    number: dict[Hashable, int] = {}
    group = np.array([number.setdefault(value, len(number)) for value in groups], dtype=np.int64)
    if len(group) != n_documents:
        raise UsageError(f"groups has {len(group)} values for {n_documents} documents")
    if len(number) < folds:
        raise UsageError(f"folds={folds} needs at least {folds} groups; there are {len(number)}")
    sizes, filled = np.bincount(group), np.zeros(folds, dtype=np.int64)
    fold = np.empty(len(number), dtype=np.int64)
    shuffled = random.permutation(len(number))
    for n in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
        fold[n] = filled.argmin()
        filled[fold[n]] += sizes[n]
    return fold[group]
