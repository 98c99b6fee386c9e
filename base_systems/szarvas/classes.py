"""The classes of the trees: PHI labels as in the paper, and beginnings of touching phrases.

A phrase is a run of one label. Only the first token of a phrase that directly follows
another of its label has a class of its own (IOB1).
"""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray
from multideid.text.bio import tag_runs


def label_of(tags: IntArray) -> IntArray:
    """Return the index of the PHI label of each BIO tag, from 1; 0 is outside."""
    return np.asarray((tags + 1) // 2)


def document_begins(document: IntArray) -> BoolArray:
    """Mark the first token of each document."""
    return np.asarray(np.diff(document, prepend=-1) != 0)


def to_iob1(tags: IntArray, document: IntArray) -> IntArray:
    """Replace "B" by "I" except where the previous token has the same label."""
    label = label_of(tags)
    touches = (label == np.roll(label, 1)) & ~document_begins(document)
    return np.where((tags % 2 == 1) & ~touches, tags + 1, tags).astype(np.int32)


def to_bio(classes: IntArray, document: IntArray) -> IntArray:
    """Replace "I" by "B" where the previous token has another label."""
    label = label_of(classes)
    touches = (label == np.roll(label, 1)) & ~document_begins(document)
    inside = (classes > 0) & (classes % 2 == 0)
    return np.where(inside & ~touches, classes - 1, classes).astype(np.int32)


def bio_scores(probabilities: FloatArray, tags: IntArray, document: IntArray) -> FloatArray:
    """Return scores of BIO tags from class probabilities, with `tags` as the maxima.

    Parameters
    ----------
    probabilities : float32 array, shape (n_tokens, n_labels)
        One column per tag, where "B" is the class of touching phrases.
    tags, document : int32 arrays, shape (n_tokens,)

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
        Where the previous token has another label, the whole probability of a label
        goes to "B".
    """
    scores = probabilities.copy()
    before = np.where(document_begins(document), 0, np.roll(label_of(tags), 1))
    labels = np.arange(1, probabilities.shape[1] // 2 + 1)
    apart = before[:, None] != labels
    scores[:, 1::2] += np.where(apart, probabilities[:, 2::2], 0)
    scores[:, 2::2] = np.where(apart, 0, probabilities[:, 2::2])
    rows = np.flatnonzero(scores.argmax(axis=1) != tags)
    scores[rows, tags[rows]] = scores[rows].max(axis=1) + np.float32(1e-3)
    return scores


def phrase_edges(tags: IntArray, document: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return masks of the first and the last tokens of phrases.

    Returns
    -------
    first, last : bool arrays, shape (n_tokens,)
    """
    first, last, _ = tag_runs(document, tags)
    edges = np.zeros((2, len(tags)), dtype=np.bool_)
    edges[0, first] = edges[1, last] = True
    return edges[0], edges[1]
