"""Numbering of distinct strings, in order of appearance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from itertools import count

import numpy as np

from multideid.arrays import IntArray


class Numbering(dict[str, int]):
    """A mapping that assigns new strings the next number, from 0.

    Attributes
    ----------
    strings : list of str
        The strings by their numbers.
    """

    def __init__(self) -> None:
        super().__init__()
        self.strings: list[str] = []

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self.strings)
        self.strings.append(string)
        return number

    def __repr__(self) -> str:
        """Return the number of strings, without text."""
        return f"Numbering({len(self)} strings)"


def codes_of(strings: Collection[str], number: dict[str, int]) -> IntArray:
    """Return the number of each string."""
    return np.fromiter(map(number.__getitem__, strings), dtype=np.int32, count=len(strings))


def distinct(strings: Collection[str]) -> tuple[IntArray, list[str]]:
    """Return a code for each string, and the distinct strings in order of appearance."""
    number: dict[str, int] = defaultdict(count().__next__)
    return codes_of(strings, number), list(number)


def renumbered(codes: IntArray, strings: list[str]) -> tuple[IntArray, list[str]]:
    """Renumber codes by the order of appearance of their strings.

    Parameters
    ----------
    codes : int32 array
        Indices into `strings`.
    strings : list of str
        Distinct; those without a code are dropped.
    """
    rows = np.arange(len(codes), dtype=np.int32)
    first = np.empty(len(strings), dtype=np.int32)
    first[codes[::-1]] = rows[::-1]
    order = codes[first[codes] == rows]
    number = np.empty(len(strings), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[codes], [strings[n] for n in order.tolist()]
