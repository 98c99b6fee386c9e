"""Memoized functions of token strings."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt

from multideid.arrays import AnyArray

_MAX_CACHED = 300_000


class TypeMemo:
    """A memoized function from strings to numbers, applied to vocabularies.

    Parameters
    ----------
    function : callable
        From a string to a number.
    dtype : dtype
        Type of the numbers.
    most : int
        Maximum number of cached strings, beyond which the cache is cleared.
    """

    def __init__(
        self, function: Callable[[str], int], dtype: npt.DTypeLike, most: int = _MAX_CACHED
    ) -> None:
        self._known = _Known(function)
        self._dtype = np.dtype(dtype)
        self._most = most

    def __call__(self, vocabulary: Collection[str]) -> AnyArray:
        """Return the number of each string, shape (n_types,)."""
        if len(self._known) > self._most:
            self._known.clear()
        numbers = map(self._known.__getitem__, vocabulary)
        return np.fromiter(numbers, dtype=self._dtype, count=len(vocabulary))


class _Known(dict[str, int]):
    """A mapping that computes missing values."""

    def __init__(self, function: Callable[[str], int]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> int:
        number = self[word] = self._function(word)
        return number

    def __repr__(self) -> str:
        """Return the number of strings, without text."""
        return f"_Known({len(self)} strings)"
