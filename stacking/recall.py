"""The recall dial: how far each class's decision must shift for a wanted recall."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from multideid.text.bio import TokenLabels

FloatArray = npt.NDArray[np.float32]


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
        Share of each class's tokens to be found.

    Returns
    -------
    float32 array, shape (n_classes,)
        Not negative; 0 where the class reaches the wanted share as it is.
    """
    offsets = np.zeros(len(labels.names) // 2, dtype=np.float32)
    lacking = margins[:, 0] - margins[:, 1:].max(axis=1)
    for k in range(len(offsets)):
        gold = (labels.ids == 2 * k + 1) | (labels.ids == 2 * k + 2)
        if gold.any():
            needed = np.quantile(lacking[gold], wanted, method="higher")
            offsets[k] = max(0.0, np.nextafter(np.float32(needed), np.float32(np.inf)))
    return offsets
