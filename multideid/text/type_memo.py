"""What a token's string alone tells, worked out once and kept from batch to batch."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt

from multideid.arrays import AnyArray

_MOST_KEPT = 300_000


class TypeMemo:
    """A function from strings to numbers that remembers what it was asked.

    Parameters
    ----------
    function : callable
        From a string to a number that depends on nothing else.
    dtype : dtype
        That of the numbers.
    most : int
        How many strings are remembered; beyond that all are forgotten.
    """

    def __init__(
        self, function: Callable[[str], int], dtype: npt.DTypeLike, most: int = _MOST_KEPT
    ) -> None:
        self._known = _Known(function)
        self._dtype = np.dtype(dtype)
        self._most = most

    def __call__(self, vocabulary: Collection[str]) -> AnyArray:
        """Return the numbers of `vocabulary`, shape (n_types,)."""
        if len(self._known) > self._most:
            self._known.clear()
        numbers = map(self._known.__getitem__, vocabulary)
        return np.fromiter(numbers, dtype=self._dtype, count=len(vocabulary))


class _Known(dict[str, int]):
    """A mapping that fills itself."""

    def __init__(self, function: Callable[[str], int]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> int:
        number = self[word] = self._function(word)
        return number
