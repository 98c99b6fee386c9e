"""Views: one value, or one set of values, for every token of a table.

A view is computed once per table, so that every template and every system that
uses it shares the work. A view of the token's string is computed once per
distinct string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import ArrayOf, Element, IntArray, IntegerArray, LongArray
from multideid.text.numbering import distinct

if TYPE_CHECKING:
    from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True)
class Column:
    """One value per token.

    Parameters
    ----------
    codes : int32 array, shape (n_tokens,)
        Indices into `names`.
    names : sequence of str
        Distinct values.
    """

    codes: IntArray
    names: Sequence[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetColumn:
    """One set of values per token; tokens with the same row share a set.

    Parameters
    ----------
    rows : int32 array, shape (n_tokens,)
        Row of each token's set.
    indptr : int64 array, shape (n_sets + 1,)
        Set ``r`` is ``indices[indptr[r]:indptr[r + 1]]``.
    indices : int32 array
        Indices into `names`.
    names : sequence of str
    """

    rows: IntArray
    indptr: LongArray
    indices: IntArray
    names: Sequence[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class View:
    """A named function from a table to one value per token.

    Two views are equal if they have the same name and compute the same thing.
    Define a view once, as a constant or by a cached function: two lambdas are
    never equal.

    Parameters
    ----------
    name : str
    compute : callable
    source : View, optional
        The view that determines the value alone, if there is one.
    function : callable
        From a value of `source` to the value of this view.
    """

    name: str
    compute: Callable[[TokenTable], Column] = field(hash=False, repr=False)
    source: View | None = field(default=None, compare=False, repr=False)
    function: Callable[[str], str] = field(default=str, compare=False, repr=False)

    def column(self, table: TokenTable) -> Column:
        """Return this view of `table`, computed at most once."""
        return table.cached(self, self.compute)


def _singleton(value: str) -> tuple[str]:
    return (value,)


@dataclass(frozen=True, slots=True)
class SetView:
    """A named function from a table to one set of values per token.

    Equality and parameters are those of `View`.
    """

    name: str
    compute: Callable[[TokenTable], SetColumn] = field(hash=False, repr=False)
    source: View | None = field(default=None, compare=False, repr=False)
    function: Callable[[str], Iterable[str]] = field(default=_singleton, compare=False, repr=False)

    def column(self, table: TokenTable) -> SetColumn:
        """Return this view of `table`, computed at most once."""
        return table.cached(self, self.compute)


def definition(view: View | SetView) -> str:
    """Return the qualified name of the function that a view is made from, for messages."""
    function = getattr(view.compute, "function", view.compute)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', '?')}.{name}"


@dataclass(frozen=True, slots=True)
class _Mapped:
    """Computes a function of another view's value, once per distinct value."""

    source: View
    function: Callable[[str], str]

    def __call__(self, table: TokenTable) -> Column:
        column = self.source.column(table)
        codes, names = factorize(map(self.function, column.names))
        return Column(codes[column.codes] if len(column.codes) else column.codes, names)


@dataclass(frozen=True, slots=True)
class _MappedSet:
    """Computes a set-valued function of another view's value, once per distinct value."""

    source: View
    function: Callable[[str], Iterable[str]]

    def __call__(self, table: TokenTable) -> SetColumn:
        column = self.source.column(table)
        return SetColumn(column.codes, *index_sets(map(self.function, column.names)))


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Turns a column of small integers into values."""

    function: Callable[[TokenTable], IntegerArray]

    def __call__(self, table: TokenTable) -> Column:
        values, codes = _distinct_numbers(self.function(table))
        return Column(codes, [str(v) for v in values.tolist()])


TYPE = View("type", lambda table: Column(table.type, table.vocabulary))
"""The token's own string."""


def of_value(name: str, source: View, function: Callable[[str], str]) -> View:
    """Return the view of a function of another view's value."""
    return View(name, _Mapped(source, function), source, function)


def of_value_set(name: str, source: View, function: Callable[[str], Iterable[str]]) -> SetView:
    """Return the view of a set-valued function of another view's value."""
    return SetView(name, _MappedSet(source, function), source, function)


def of_type(name: str, function: Callable[[str], str]) -> View:
    """Return the view of a function of the token's own string."""
    return of_value(name, TYPE, function)


def of_type_set(name: str, function: Callable[[str], Iterable[str]]) -> SetView:
    """Return the view of a set-valued function of the token's own string."""
    return of_value_set(name, TYPE, function)


LOWER = of_type("lower", str.lower)


def of_numbers(name: str, function: Callable[[TokenTable], IntegerArray]) -> View:
    """Return the view of a column of small integers, such as a position."""
    return View(name, _Numbers(function))


def _distinct_numbers(numbers: IntegerArray) -> tuple[IntegerArray, IntArray]:
    """Return the distinct values of small integers, sorted, and the index of each number."""
    least = numbers.min(initial=0)
    seen = np.bincount(numbers - least) > 0
    code = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(seen) + least, code[numbers - least]


def factorize(values: Iterable[str]) -> tuple[IntArray, list[str]]:
    """Return a code for every value, and the distinct values in order of appearance."""
    return distinct(list(values))


def index_sets(sets: Iterable[Iterable[str]]) -> tuple[LongArray, IntArray, list[str]]:
    """Return `indptr`, `indices` and the distinct values of a sequence of sets."""
    index: dict[str, int] = {}
    flat: list[int] = []
    ends = [0]
    for values in sets:
        flat.extend(sorted({index.setdefault(v, len(index)) for v in values}))
        ends.append(len(flat))
    return np.array(ends, dtype=np.int64), np.array(flat, dtype=np.int32), list(index)


def shift(
    values: ArrayOf[Element], document: IntArray, offset: int, edge: float
) -> ArrayOf[Element]:
    """Return the value of each token's neighbour; `edge` outside the document.

    Parameters
    ----------
    values : array, shape (n_tokens,)
        Such as codes.
    document : int32 array, shape (n_tokens,)
    offset : int
        Negative offsets are to the left.
    edge : number
        The value where there is no such neighbour.
    """
    if offset == 0:
        return values
    moved = np.full_like(values, edge)
    n = len(values) - abs(offset)
    if n <= 0:
        return moved
    here, there = (slice(-n, None), slice(n)) if offset < 0 else (slice(n), slice(-n, None))
    np.copyto(moved[here], values[there], where=document[here] == document[there])
    return moved
