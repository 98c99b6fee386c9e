"""The view of day and month without a year: does the document name that month elsewhere?

"6/5" may be a date or a fraction. In a note of 6 June that writes "5/22" for a day in May it
is a date.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from multideid.arrays import LongArray
from multideid.features.chunks import CHUNK
from multideid.features.common import WORD
from multideid.features.views import Column, View
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

_NUMBERS = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?")
_YEAR_FIRST = re.compile(r"[0-9]{4}-([0-9]{2})-[0-9]{2}")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH_NAME = re.compile(
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch|zo)?|apr(?:il)?|mayo?|jun(?:e|io)?|jul(?:y|io)?|aug(?:ust)?"
    "|sept?(?:ember|iembre)?|oct(?:ober|ubre)?|nov(?:ember|iembre)?|dec(?:ember)?",
    re.IGNORECASE | re.ASCII,
)
"""Names in English, and those in Spanish that begin alike."""
_ALSO_WORDS = frozenset("may mar march".split())
_MONTHS_A_YEAR = 12
_MOST_CACHED = 20_000


class _Numbers(NamedTuple):
    """The numbers of a date in the order they are written; `with_year` if one follows."""

    first: int
    second: int
    with_year: bool


@dataclass(slots=True)
class _Calendar:
    """What a document says of its dates."""

    orders: set[str] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    with_year: list[_Numbers] = field(default_factory=list)

    def add(self, numbers: _Numbers) -> None:
        day_first = numbers.first > _MONTHS_A_YEAR >= numbers.second
        month_first = numbers.second > _MONTHS_A_YEAR >= numbers.first
        if day_first or month_first:
            self.orders.add("d" if day_first else "m")
        if numbers.with_year:
            self.with_year.append(numbers)

    def finish(self) -> None:
        """Add the months of the dates with a year, now that the order is known."""
        for numbers in self.with_year:
            if self.orders != {"d"}:
                self.months.add(numbers.first)
            if self.orders != {"m"}:
                self.months.add(numbers.second)

    def describe(self, numbers: _Numbers) -> str:
        """Return the order of the document, and which number is a month that it names."""
        order = "".join(sorted(self.orders))
        first = "1" * (numbers.first in self.months)
        return f"{order}:{first}{'2' * (numbers.second in self.months)}"


@lru_cache(_MOST_CACHED)
def _numbers(chunk: str) -> _Numbers | None:
    found = _NUMBERS.fullmatch(chunk)
    if not found:
        return None
    first, second = int(found[1]), int(found[3])
    could_be = 0 < min(first, second) <= _MONTHS_A_YEAR and max(first, second) <= 31
    return _Numbers(first, second, found[4] is not None) if could_be else None


def _month(word: str) -> int:
    """Return the month that a word or chunk names, 0 for none."""
    found = _YEAR_FIRST.fullmatch(word)
    if found:
        return int(found[1])
    if not _MONTH_NAME.fullmatch(word) or (word.islower() and word in _ALSO_WORDS):
        return 0
    return _MONTHS.index(word[:3].lower()) + 1


_months = TypeMemo(_month, np.int64)


def _partial_dates(table: TokenTable) -> Column:
    """Return how each day and month without a year fits the document, "" for other tokens."""
    chunks, words = CHUNK.column(table), WORD.column(table)
    calendars: dict[int, _Calendar] = defaultdict(_Calendar)
    for column in (chunks, words):
        months = _months(column.names)
        for document, code in _pairs(table, column, np.flatnonzero(months[column.codes])):
            calendars[document].months.add(int(months[code]))
    numbers = [_numbers(name) for name in chunks.names]
    rows = np.flatnonzero(np.array([n is not None for n in numbers], np.bool_)[chunks.codes])
    dates = {(d, c): n for d, c in _pairs(table, chunks, rows) if (n := numbers[c])}
    for (document, _), each in dates.items():
        calendars[document].add(each)
    for calendar in calendars.values():
        calendar.finish()
    values = {
        pair: "" if each.with_year else calendars[pair[0]].describe(each)
        for pair, each in dates.items()
    }
    return _column(table, chunks, rows, values)


def _pairs(table: TokenTable, column: Column, rows: LongArray) -> list[tuple[int, int]]:
    """Return the distinct pairs of document and code among some rows, ascending."""
    size = np.int64(max(1, len(column.names)))
    keys = np.unique(table.document[rows] * size + column.codes[rows])
    return list(zip((keys // size).tolist(), (keys % size).tolist(), strict=True))


def _column(
    table: TokenTable, chunks: Column, rows: LongArray, values: Mapping[tuple[int, int], str]
) -> Column:
    names = sorted({"", *values.values()})
    number = {name: n for n, name in enumerate(names)}
    pairs = zip(table.document[rows].tolist(), chunks.codes[rows].tolist(), strict=True)
    codes = np.zeros(len(table), dtype=np.int32)
    codes[rows] = [number[values[pair]] for pair in pairs]
    return Column(codes, names)


PARTIAL_DATE = View("partial date", _partial_dates)
