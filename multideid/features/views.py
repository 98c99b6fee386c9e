"""Views: one value, or one set of values, for every token of a table.

A view is computed once per table and kept in the table's memo, so that every
template and every system that uses it shares the work. A view of the token's
string alone is computed once per distinct string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import IntArray, IntegerArray, LongArray
from multideid.text.numbering import distinct
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True)
class Column:
    """One value a token.

    Parameters
    ----------
    codes : int32 array, shape (n_tokens,)
        Indices into `names`.
    names : sequence of str
        Distinct values.
    """

    codes: IntArray
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class SetColumn:
    """One set of values a token, shared between tokens of one row number.

    Parameters
    ----------
    rows : int32 array, shape (n_tokens,)
        Number of each token's set.
    indptr : int64 array, shape (n_sets + 1,)
        Set ``r`` is ``indices[indptr[r]:indptr[r + 1]]``.
    indices : int32 array
        Indices into `names`.
    names : sequence of str
    """

    rows: IntArray
    indptr: LongArray
    indices: IntArray
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Strings:
    """A named way to give every token one string, from which values of views follow.

    What follows from a string alone is worked out once for each distinct one.
    """

    name: str
    column: Callable[[TokenTable], Column] = field(compare=False, repr=False)


TYPES = Strings("types", lambda table: Column(table.type, table.vocabulary))
"""The tokens' own strings."""


@dataclass(frozen=True, slots=True)
class View:
    """A named way to give every token one value; the name is its identity.

    Parameters
    ----------
    name : str
    compute : callable
    strings : Strings, optional
        What the value follows from alone, if it does.
    function : callable
        From a string of `strings` to the value.
    """

    name: str
    compute: Callable[[TokenTable], Column] = field(compare=False, repr=False)
    strings: Strings | None = field(default=None, compare=False, repr=False)
    function: Callable[[str], str] = field(default=str, compare=False, repr=False)

    def column(self, table: TokenTable) -> Column:
        """Return this view of `table`, computed at most once."""
        found = table.memo.get(self.name)
        if found is None:
            found = table.memo[self.name] = self.compute(table)
        return found


def _alone(value: str) -> tuple[str]:
    return (value,)


@dataclass(frozen=True, slots=True)
class SetView:
    """A named way to give every token a set of values; parameters as of `View`."""

    name: str
    compute: Callable[[TokenTable], SetColumn] = field(compare=False, repr=False)
    strings: Strings | None = field(default=None, compare=False, repr=False)
    function: Callable[[str], Iterable[str]] = field(default=_alone, compare=False, repr=False)

    def column(self, table: TokenTable) -> SetColumn:
        """Return this view of `table`, computed at most once."""
        found = table.memo.get(self.name)
        if found is None:
            found = table.memo[self.name] = self.compute(table)
        return found


def of_strings(name: str, strings: Strings, function: Callable[[str], str]) -> View:
    """Return the view of a function of the token's string among `strings`."""

    def compute(table: TokenTable) -> Column:
        column = strings.column(table)
        codes, names = factorize(map(function, column.names))
        return Column(codes[column.codes] if len(column.codes) else column.codes, names)

    return View(name, compute, strings, function)


def of_strings_set(
    name: str, strings: Strings, function: Callable[[str], Iterable[str]]
) -> SetView:
    """Return the view of a set-valued function of the token's string among `strings`."""

    def compute(table: TokenTable) -> SetColumn:
        column = strings.column(table)
        return SetColumn(column.codes, *index_sets(map(function, column.names)))

    return SetView(name, compute, strings, function)


def of_type(name: str, function: Callable[[str], str]) -> View:
    """Return the view of a function of the token's own string."""
    return of_strings(name, TYPES, function)


def of_type_set(name: str, function: Callable[[str], Iterable[str]]) -> SetView:
    """Return the view of a set-valued function of the token's own string."""
    return of_strings_set(name, TYPES, function)


LOWER = of_type("lower", str.lower)


def of_numbers(name: str, function: Callable[[TokenTable], IntegerArray]) -> View:
    """Return the view of a column of small integers, such as a position."""

    def compute(table: TokenTable) -> Column:
        values, codes = _distinct_numbers(function(table))
        return Column(codes, [str(v) for v in values.tolist()])

    return View(name, compute)


def _distinct_numbers(
    numbers: IntegerArray,
) -> tuple[IntegerArray, IntArray]:
    """Return the distinct ones of small integers, sorted, and the index of each one's own."""
    least = numbers.min(initial=0)
    seen = np.bincount(numbers - least) > 0
    code = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(seen) + least, code[numbers - least]


def factorize(values: Iterable[str]) -> tuple[IntArray, list[str]]:
    """Return a code for every value and the distinct values in order of first sight."""
    return distinct(list(values))


def index_sets(
    sets: Iterable[Iterable[str]],
) -> tuple[LongArray, IntArray, list[str]]:
    """Return `indptr`, `indices` and the distinct values of a row of sets."""
    index: dict[str, int] = {}
    flat: list[int] = []
    ends = [0]
    for values in sets:
        flat.extend(sorted({index.setdefault(v, len(index)) for v in values}))
        ends.append(len(flat))
    return np.array(ends, dtype=np.int64), np.array(flat, dtype=np.int32), list(index)


def shift(codes: IntArray, document: IntArray, offset: int, edge: int) -> IntArray:
    """Return each token's neighbour's code; `edge` beyond the document.

    Parameters
    ----------
    codes, document : int32 arrays, shape (n_tokens,)
    offset : int
        Negative to the left.
    edge : int
        The code where there is no such neighbour.
    """
    if offset == 0:
        return codes
    moved = np.full(len(codes), edge, dtype=np.int32)
    n = len(codes) - abs(offset)
    if n <= 0:
        return moved
    here, there = (slice(-n, None), slice(n)) if offset < 0 else (slice(n), slice(-n, None))
    same = document[here] == document[there]
    moved[here] = np.where(same, codes[there], np.int32(edge))
    return moved
