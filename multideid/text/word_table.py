"""A compact table of words with a number each, such as the lists that contain them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Self

import numpy as np

from multideid.arrays import AnyArray, IntegerArray, UByteArray

_END = b"\xff"  # No byte of UTF-8.
_STEP = 32


class WordTable:
    """Sorted words with a number each, in about 14 bytes per word.

    A dict takes ten times as much memory, and has to be built. A look-up takes about a
    microsecond; memoize it where it is frequent.

    Parameters
    ----------
    words : bytes
        The UTF-8 words in ascending order of their bytes, with a byte 255 before the
        first and after each.
    numbers : unsigned integer array, shape (n_words,)
        Each from 1, below 2**32.
    """

    def __init__(self, words: bytes, numbers: IntegerArray) -> None:
        self._words = words
        # Reading single numbers is faster from Python's arrays than from numpy's.
        self._numbers = array("I", np.asarray(numbers, dtype=np.uintc).tobytes())
        ends = np.flatnonzero(np.frombuffer(words, dtype=np.uint8) == _END[0])
        # Blocks of words: one is found by its first word, and is then searched through.
        bounds = [*ends[:-1:_STEP].tolist(), len(words) - 1]
        self._starts = bounds
        self._heads = [words[n + 1 : words.index(_END, n + 1)] for n in bounds[:-1]]

    @classmethod
    def of_numbers(cls, numbers: Mapping[str, int]) -> Self:
        """Make the table of a dict."""
        known = {_encoded(word): number for word, number in numbers.items()}
        words = sorted(known)
        values = np.array([known[word] for word in words], dtype=np.uint32)
        return cls(_END + b"".join(word + _END for word in words), values)

    @classmethod
    def of_lists(cls, lists: Iterable[Iterable[str]]) -> Self:
        """Make the table of at most 32 lists, which may overlap; list ``k`` is bit ``k``."""
        bits: dict[str, int] = {}
        for number, entries in enumerate(lists):
            for word in entries:
                bits[word] = bits.get(word, 0) | 1 << number
        return cls.of_numbers(bits)

    def arrays(self) -> tuple[UByteArray, AnyArray]:
        """Return the bytes of the words, and the numbers in the smallest type that holds them."""
        numbers = np.frombuffer(self._numbers, dtype=np.uintc)
        return np.frombuffer(self._words, dtype=np.uint8), smallest(numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, word: str) -> int:
        """Return the number of a word, 0 for an unknown one."""
        key = _encoded(word)
        block = bisect_right(self._heads, key) - 1
        if block < 0:
            return 0
        words, start = self._words, self._starts[block]
        place = words.find(_END + key + _END, start, self._starts[block + 1] + 1)
        return self._numbers[block * _STEP + words.count(_END, start, place)] if place >= 0 else 0

    def items(self, bits: int = 0xFFFFFFFF, without: int = 0) -> Iterator[tuple[str, int]]:
        """Yield each word with any of some bits, and none of others, in its number; and that."""
        numbers = np.frombuffer(self._numbers, dtype=np.uintc)
        chosen = np.flatnonzero((numbers & np.uintc(bits) > 0) & (numbers & np.uintc(without) == 0))
        ends = np.flatnonzero(np.frombuffer(self._words, dtype=np.uint8) == _END[0])
        places = zip(ends[chosen].tolist(), ends[chosen + 1].tolist(), strict=True)
        words = (self._words[start + 1 : end] for start, end in places)
        return zip(map(_decoded, words), numbers[chosen].tolist(), strict=True)


class WordSet(Collection[str]):
    """The words of any of some lists of a table.

    Parameters
    ----------
    table : WordTable
    lists : int
        The lists, as bits.
    """

    def __init__(self, table: WordTable, lists: int) -> None:
        self._table = table
        self._lists = lists

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._table.number(word) & self._lists > 0

    def __iter__(self) -> Iterator[str]:
        return (word for word, _ in self._table.items(self._lists))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def without(self, *others: WordSet) -> Iterator[str]:
        """Yield the words that are in none of other sets of the same table."""
        lists = reduce(or_, (other._lists for other in others), 0)
        return (word for word, _ in self._table.items(self._lists, lists))


def smallest(numbers: AnyArray) -> AnyArray:
    """Return numbers of at least 0, or booleans, in the smallest type that holds them."""
    return numbers.astype(np.min_scalar_type(numbers.max(initial=0)))


def _encoded(word: str) -> bytes:
    # Text may hold lone surrogates, which strict UTF-8 refuses.
    return word.encode("utf-8", "surrogatepass")


def _decoded(word: bytes) -> str:
    return word.decode("utf-8", "surrogatepass")
