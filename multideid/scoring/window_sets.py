"""Values that stand at several offsets of a window, and count once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from multideid.arrays import FloatingArray, IntArray
from multideid.features.templates import Window
from multideid.features.views import View
from multideid.scoring.linear_part import Use
from multideid.scoring.scatter_add import Around, Block, take_back_repeats


class WindowRepeats:
    """What a `Window` template's values add too much where they recur in it.

    Rows of strings hold the window's weights at each of its offsets.

    Parameters
    ----------
    use : Use
    column_of : callable
        Gives the row of the codes that holds a view's values, numbered as in a
        vocabulary.
    dtype : dtype
        Of scores.
    """

    def __init__(
        self, use: Use, column_of: Callable[[View, dict[str, int]], int], dtype: npt.DTypeLike
    ) -> None:
        assert isinstance(use.template, Window)
        vocabulary = use.part.vocabulary(use.template.view)
        self.column = column_of(use.template.view, vocabulary)
        self._offsets = np.array(use.template.offsets, dtype=np.int64)
        self._begin = use.begin
        features = use.features(np.arange(len(vocabulary) + 1, dtype=np.int64))
        self._table = np.zeros((len(features), use.part.n_labels), dtype)
        known = np.flatnonzero(features >= 0)
        self._table[known] = use.part.weights[features[known]].toarray()

    def take_back(self, codes: IntArray, block: Block, scores: FloatingArray) -> None:
        """Subtract the weights of the values around each cell of a block, but once.

        Parameters
        ----------
        codes : int32 array
            Values of the cells from the block's base on.
        block : Block
            Its cells change.
        scores : float array
        """
        take_back_repeats(codes, Around(self._offsets, self._table, self._begin), block, scores)
