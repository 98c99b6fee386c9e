"""Scores are checked where a system returns them: a fault must not pass for text without PHI."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray
from multideid.errors import DocumentError, MultideidError, UsageError
from multideid.taggers.contract import BaseTagger
from multideid.text.table import TokenTable


def scores_of(tagger: BaseTagger, tokens: TokenTable) -> FloatArray:
    """Return a tagger's scores of a table, checked as by `checked_scores`."""
    return checked_scores(tagger, tagger.predict_scores(tokens), tokens)


def checked_scores(
    tagger: BaseTagger, scores: object, tokens: TokenTable, first: int = 0, stop: int | None = None
) -> FloatArray:
    """Return scores as the contract of taggers promises them.

    Parameters
    ----------
    tagger : BaseTagger
    scores : object
        The scores that the tagger returned for rows ``first:stop``.
    tokens : TokenTable
    first, stop : int
        Default: all rows of the table.

    Returns
    -------
    float32 array, shape (stop - first, len(tagger.labels_))

    Raises
    ------
    DocumentError
        If they are no array of numbers, have another shape or are not finite. It names
        the first document that is affected.
    UsageError
        The same, for a table without documents.
    """
    n_tokens = (len(tokens) if stop is None else stop) - first
    shape = (n_tokens, len(tagger.labels_))
    if not isinstance(scores, np.ndarray) or scores.dtype.kind not in "fiub":
        raise _fault(tagger, tokens, first, "scores that are no array of numbers")
    if scores.shape != shape:
        problem = f"scores of shape {scores.shape} where {shape} is expected"
        raise _fault(tagger, tokens, first, problem)
    single: FloatArray = scores.astype(np.float32, copy=False)
    finite = np.isfinite(single)
    if not finite.all():
        row = first + int(finite.all(axis=1).argmin())
        raise _fault(tagger, tokens, row, "scores that are not finite")
    return single


def checked_tags(tagger: BaseTagger, tags: object, tokens: TokenTable) -> IntArray:
    """Return the tags of all tokens, checked to be indices into the tagger's labels.

    Parameters
    ----------
    tagger : BaseTagger
    tags : object
        As the tagger returned them.
    tokens : TokenTable

    Returns
    -------
    int32 array, shape (n_tokens,)

    Raises
    ------
    DocumentError, UsageError
        As `checked_scores`.
    """
    if not isinstance(tags, np.ndarray) or tags.dtype.kind not in "iu":
        raise _fault(tagger, tokens, 0, "tags that are no array of whole numbers")
    if tags.shape != (len(tokens),):
        raise _fault(tagger, tokens, 0, f"{tags.shape} tags where {(len(tokens),)} are expected")
    known: BoolArray = (tags >= 0) & (tags < len(tagger.labels_))
    if not known.all():
        raise _fault(tagger, tokens, int(known.argmin()), "tags that it does not know")
    return tags.astype(np.int32, copy=False)


def check_labels(name: str, tagger: BaseTagger, names: tuple[str, ...]) -> None:
    """Check that a tagger scores the tags of the corpus, in their order.

    Raises
    ------
    UsageError
        If its `labels_` are missing or others.
    """
    found = getattr(tagger, "labels_", ())
    labels = tuple(found) if isinstance(found, Iterable) else ()
    if labels != names:
        raise UsageError(
            f"system {name!r} has {len(labels)} tags in labels_ that are not "
            f"the {len(names)} tags of the corpus"
        )


def check_fit(name: str, returned: object, names: tuple[str, ...]) -> None:
    """Check what a tagger's `fit` returned.

    Raises
    ------
    UsageError
        If that is no tagger, or as `check_labels`.
    """
    if not isinstance(returned, BaseTagger):
        kind = "None" if returned is None else f"an object of type {type(returned).__name__}"
        raise UsageError(f"system {name!r} returned {kind} from fit; fit must return self")
    check_labels(name, returned, names)


def _fault(tagger: BaseTagger, tokens: TokenTable, row: int, problem: str) -> MultideidError:
    problem = f"system {tagger.name!r} returned {problem}"
    if not tokens.ids:
        # Fits of all documents have none left to score, and are checked all the same.
        return UsageError(problem)
    document = int(tokens.document[row]) if row < len(tokens) else 0
    return DocumentError(tokens.ids[document], problem)
