"""The recall dial: how far each class's decision must shift for a wanted recall."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from multideid.text.bio import TokenLabels

FloatArray = npt.NDArray[np.float32]

_FOUND = np.float32(-1)
_BEYOND = 1e-4
"""More than rounding can take away."""


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


def _needed(lacking: FloatArray, wanted: float) -> float:
    quantile = float(np.quantile(lacking, wanted, method="inverted_cdf"))
    return quantile + _BEYOND if quantile >= 0 else 0.0
