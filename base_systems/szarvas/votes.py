"""How the learners' decisions become one."""

from __future__ import annotations

import numpy as np

from multideid.arrays import FloatArray, IntArray
from multideid.base_systems.szarvas.classes import label_of


def vote(decided: IntArray, chances: FloatArray, recall: bool) -> IntArray:
    """Return the class on whose label two of three learners agree.

    A single learner decides by itself.

    Parameters
    ----------
    decided : int32 array, shape (n_learners, n_tokens)
        Each learner's classes.
    chances : float32 array, shape (n_tokens, n_classes)
        The learners' mean probabilities.
    recall : bool
        What a token has on which all disagree: the likeliest PHI class, or
        non-PHI, as in the paper.

    Returns
    -------
    int32 array, shape (n_tokens,)
        Of those who agree, the first learner tells "B" from "I".
    """
    if len(decided) == 1:
        return np.asarray(decided[0])
    label = label_of(decided)
    agreeing = (label[:, None] == label[None, :]).sum(axis=1)
    first = agreeing.argmax(axis=0)
    tokens = np.arange(decided.shape[1])
    torn = agreeing[first, tokens] == 1
    likeliest = 1 + chances[:, 1:].argmax(axis=1) if recall else np.zeros_like(first)
    return np.asarray(np.where(torn, likeliest, decided[first, tokens]), dtype=np.int32)
