"""Lines: where they begin, and how far along one a token stands."""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, IntArray


def line_columns(document: IntArray, line_end: BoolArray) -> tuple[IntArray, IntArray]:
    """Number lines through the batch and tokens within their line.

    Parameters
    ----------
    document : int32 array, shape (n_tokens,)
        Index of each token's document; a new document begins a new line.
    line_end : bool array, shape (n_tokens,)
        Whether the token is a line end; it belongs to the line that it ends.

    Returns
    -------
    line, position : int32 arrays, shape (n_tokens,)
    """
    if not len(document):
        return document.astype(np.int32), document.astype(np.int32)
    begins = np.empty(len(document), dtype=np.bool_)
    begins[0] = True
    begins[1:] = line_end[:-1] | (document[1:] != document[:-1])
    line = np.cumsum(begins, dtype=np.int32) - np.int32(1)
    first_of_line = np.flatnonzero(begins)
    position = np.arange(len(document)) - first_of_line[line]
    return line, position.astype(np.int32)
