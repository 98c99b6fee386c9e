"""Sentences, from marks, line ends and capitals; no model, no language."""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, IntArray
from multideid.text.forms import SENTENCE_MARK, SHORT_CAPITAL, STARTER, word_forms


def sentence_column(
    vocabulary: tuple[str, ...], kind: IntArray, line: IntArray, space: BoolArray
) -> IntArray:
    """Number the sentences through the batch.

    A sentence ends after ``.``, ``!`` or ``?`` when white space and a capital
    or digit follow and the word before the mark is not short and capitalised
    (``Dr.``, ``J.``), and at every line end: clinical notes end a phrase with
    the line far oftener than they wrap one.

    Parameters
    ----------
    vocabulary : tuple of str
    kind : int32 array, shape (n_tokens,)
        Index of each token's string in `vocabulary`.
    line : int32 array, shape (n_tokens,)
    space : bool array, shape (n_tokens,)

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    if not len(kind):
        return kind.astype(np.int32)
    form = word_forms(vocabulary)[kind]
    mark, starter = (form & SENTENCE_MARK) > 0, (form & STARTER) > 0
    same_line = line[1:] == line[:-1]
    after_short = np.append(False, (form[:-1] & SHORT_CAPITAL > 0) & same_line)
    begins = np.zeros(len(kind), dtype=np.bool_)
    begins[0] = True
    begins[1:] = (mark & ~after_short)[:-1] & space[1:] & starter[1:]
    begins[1:] |= ~same_line
    return np.cumsum(begins, dtype=np.int32) - np.int32(1)
