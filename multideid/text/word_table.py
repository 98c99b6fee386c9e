"""A compact table of words and the lists that contain them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate

import numpy as np

from multideid.arrays import LongArray, UIntArray


class WordTable:
    """The words of several lists, in about 35 bytes per word.

    A set takes three times as much memory. A look-up takes about a
    microsecond; memoize it where it is frequent.

    Parameters
    ----------
    lists : iterable of iterable of str
        At most 32 lists, which may overlap. List ``k`` is bit ``k`` in the
        results of `bits`.
    """

    def __init__(self, lists: Iterable[Iterable[str]]) -> None:
        words, bits = _gathered(lists)
        hashes = np.fromiter(map(hash, words), dtype=np.int64, count=len(words))
        order = np.argsort(hashes, kind="stable")
        first = _first_of_each(words, hashes, order)
        kept = [words[n] for n in order[first].tolist()]
        # Reading single numbers is faster from Python's arrays than from numpy's.
        self._hashes = array("q", hashes[order[first]].tobytes())
        self._bits = array("I", np.bitwise_or.reduceat(bits[order], first).tobytes())
        self._bounds = array("I", accumulate(map(len, kept), initial=0))
        self._text = "".join(kept)

    def bits(self, word: str) -> int:
        """Return the lists that contain a word, as bits; 0 for none."""
        number, hashes = hash(word), self._hashes
        place = bisect_left(hashes, number)
        while place < len(hashes) and hashes[place] == number:
            if self._word(place) == word:
                return self._bits[place]
            place += 1
        return 0

    def items(self, lists: int = 0xFFFFFFFF) -> Iterator[tuple[str, int]]:
        """Yield each word in any of some lists, with all its lists."""
        chosen = np.flatnonzero(np.frombuffer(self._bits, dtype=np.uint32) & np.uint32(lists))
        return ((self._word(place), self._bits[place]) for place in chosen.tolist())

    def items_of_several_kinds(self) -> Iterator[tuple[str, int]]:
        """Yield each word with a character other than a to z, with all its lists."""
        codes = np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        others = (codes < ord("a")) | (codes > ord("z"))
        before = np.append(np.int64(0), np.cumsum(others))[np.frombuffer(self._bounds, np.uint32)]
        chosen = np.flatnonzero(np.diff(before))
        return ((self._word(place), self._bits[place]) for place in chosen.tolist())

    def _word(self, place: int) -> str:
        return self._text[self._bounds[place] : self._bounds[place + 1]]


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
        return isinstance(word, str) and self._table.bits(word) & self._lists > 0

    def __iter__(self) -> Iterator[str]:
        return (word for word, _ in self._table.items(self._lists))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _gathered(lists: Iterable[Iterable[str]]) -> tuple[list[str], UIntArray]:
    """Return the words of all lists, concatenated, and the bit of each word's list."""
    words: list[str] = []
    ends = [0]
    for entries in lists:
        words.extend(entries)
        ends.append(len(words))
    bit = np.left_shift(np.uint32(1), np.arange(len(ends) - 1, dtype=np.uint32))
    return words, np.repeat(bit, np.diff(ends))


def _first_of_each(words: list[str], hashes: LongArray, order: LongArray) -> LongArray:
    """Return the first position of each distinct word in the order of hashes."""
    ordered = hashes[order]
    new = np.ones(len(words), dtype=np.bool_)
    second = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    pairs = zip(order[second - 1].tolist(), order[second].tolist(), strict=True)
    # Two words with the same hash are extremely rare, but possible.
    new[second] = [words[a] != words[b] for a, b in pairs]
    return np.flatnonzero(new)
