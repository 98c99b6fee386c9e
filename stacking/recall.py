"""The recall dial: how far each class's decision must shift for a wanted recall."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from multideid.stacking.decode import FORBIDDEN, best_tags
from multideid.stacking.stacker import UNCONTESTED
from multideid.text.bio import TokenLabels, phi_labels
from multideid.text.table import TokenTable

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int32]

POINTS = {"high": 0.99, "maximum": 0.999}
"""The marked points of the dial beside "balanced", which shifts nothing: shares to be found."""

_FOUND = np.float32(-1)
_BEYOND = 1e-4
"""More than rounding can take away."""


class RecallWarning(UserWarning):
    """A wanted recall that no shift of the decisions reaches."""


def recall_offsets(margins: FloatArray, labels: TokenLabels, wanted: float) -> FloatArray:
    """Return what to add to each class's margins so that its tokens are found.

    A token is found when any PHI tag passes "O": for de-identification a wrong
    class is a lesser fault than a leak.

    Parameters
    ----------
    margins : float32 array, shape (n_tokens, n_labels)
        Out-of-fold margins of the stacker.
    labels : TokenLabels
        Gold tags.
    wanted : float
        Share of each class's tokens to be found. A class with too few tokens
        to tell that share is treated as all PHI together.

    Returns
    -------
    float32 array, shape (n_classes,)
        Not negative; 0 where the class reaches the wanted share as it is.
    """
    offsets = np.zeros(len(labels.names) // 2, dtype=np.float32)
    outside, tags = margins[:, 0], margins[:, 1:].copy()
    phi = labels.ids > 0
    together = _needed((outside - tags.max(axis=1))[phi], wanted) if phi.any() else 0.0
    for k in range(len(offsets)):
        gold = (labels.ids + 1) // 2 == k + 1
        own = slice(2 * k, 2 * k + 2)
        # The quantile of a few tokens is that of the worst one, and floods the output.
        if gold.sum() * (1 - wanted) >= 1:
            # What another class's tags find already needs no shift of this one's.
            found = tags[gold].max(axis=1) > outside[gold]
            lacking = outside[gold] - tags[gold, own].max(axis=1)
            offsets[k] = _needed(np.where(found, _FOUND, lacking), wanted)
        elif gold.any():
            offsets[k] = together
        tags[:, own] += offsets[k]
    return offsets


def shifted(margins: FloatArray, offsets: FloatArray) -> FloatArray:
    """Return the margins with each PHI class's two tags shifted.

    Parameters
    ----------
    margins : float32 array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    return margins + _by_tag(offsets)


def unreached(
    margins: FloatArray, labels: TokenLabels, offsets: FloatArray, wanted: float
) -> list[str]:
    """Tell of each class of which less than the wanted share is found, in a sentence.

    Parameters
    ----------
    margins : float32 array, shape (n_tokens, n_labels)
        Those of which the offsets were made.
    labels : TokenLabels
        Gold tags.
    offsets : float32 array, shape (n_classes,)
    wanted : float
    """
    found = shifted(margins, offsets).argmax(axis=1) > 0
    told = []
    for k, label in enumerate(phi_labels(labels.names)):
        gold = (labels.ids + 1) // 2 == k + 1
        share = found[gold].mean() if gold.any() else 1.0
        if share < wanted:
            told.append(
                f"recall {wanted:g} of {label} cannot be promised: {share:.3f} of its "
                f"{gold.sum()} tokens were found out of fold, and to the rest no system came near"
            )
    return told


def dialled_tags(tokens: TokenTable, margins: FloatArray, offsets: FloatArray) -> IntArray:
    """Return the best tags, and PHI tags for what the offsets lift over "O" besides.

    Parameters
    ----------
    tokens : TokenTable
    margins : float32 array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    tags = best_tags(tokens, margins)
    if offsets.any():
        tags = best_tags(tokens, rescued(margins, tags, offsets))
    return tags


def rescued(margins: FloatArray, tags: IntArray, offsets: FloatArray) -> FloatArray:
    """Return margins by which what was found keeps its class, and what is lifted is PHI.

    Shifting each class by its own amount would make tokens that were found
    anyway change their class. So offsets say only *that* a token is PHI; of
    which class, the margins.

    Parameters
    ----------
    margins : float array, shape (n_tokens, n_labels)
    tags : int32 array, shape (n_tokens,)
        The best tags of `margins`.
    offsets : float32 array, shape (n_classes,)
        Not negative.
    """
    shift = _by_tag(offsets)
    lifted = (margins[:, shift > 0] + shift[shift > 0] > margins[:, :1]).any(axis=1)
    classes = (np.arange(margins.shape[1]) + 1) // 2
    forbidden = (tags > 0)[:, None] & (classes != (tags[:, None] + 1) // 2)
    forbidden[lifted, 0] = True
    return np.where(forbidden, margins + FORBIDDEN, margins)


def _needed(lacking: FloatArray, wanted: float) -> float:
    quantile = float(np.quantile(lacking, wanted, method="inverted_cdf"))
    if quantile >= UNCONTESTED:
        quantile = float(lacking[lacking < UNCONTESTED].max(initial=-1))
    return quantile + _BEYOND if quantile >= 0 else 0.0


def _by_tag(offsets: FloatArray) -> FloatArray:
    """Return what is added to each tag: to "O" nothing, to a class's two tags the same."""
    return np.concatenate([np.zeros(1, dtype=np.float32), np.repeat(offsets, 2)])
