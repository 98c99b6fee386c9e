"""The recall dial: how far each class's decision must shift for a wanted recall."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

from multideid.stacking.stacker import UNCONTESTED
from multideid.text.bio import TokenLabels, phi_labels

FloatArray = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]

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

    Warns
    -----
    RecallWarning
        If the wanted share of a class was not reached, since no system came
        near its tokens; the shift is then what finds the others.
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
    _warn_of_unreached(tags.max(axis=1) > outside, labels, wanted)
    return offsets


def shifted(margins: FloatArray, offsets: FloatArray) -> FloatArray:
    """Return the margins with each PHI class's two tags shifted.

    Parameters
    ----------
    margins : float32 array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    moved = margins.copy()
    moved[:, 1:] += np.repeat(offsets, 2)
    return moved


def _warn_of_unreached(found: BoolArray, labels: TokenLabels, wanted: float) -> None:
    for k, label in enumerate(phi_labels(labels.names)):
        gold = (labels.ids + 1) // 2 == k + 1
        share = found[gold].mean() if gold.any() else 1.0
        if share < wanted:
            warnings.warn(
                f"recall {wanted:g} of {label} cannot be promised: {share:.3f} of its "
                f"{gold.sum()} tokens were found out of fold, and to the rest no system came near",
                RecallWarning,
                stacklevel=2,
            )


def _needed(lacking: FloatArray, wanted: float) -> float:
    quantile = float(np.quantile(lacking, wanted, method="inverted_cdf"))
    if quantile >= UNCONTESTED:
        quantile = float(lacking[lacking < UNCONTESTED].max(initial=-1))
    return quantile + _BEYOND if quantile >= 0 else 0.0
