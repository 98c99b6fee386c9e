"""Shift dates by a number of days, and keep their format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import product

from multideid.redact.invented.date_days import are_told, day_of, days_of
from multideid.redact.invented.date_forms import Form, Habits, has_zeros, read_forms
from multideid.redact.invented.date_words import is_relative
from multideid.redact.invented.numbers import ordinal_ending
from multideid.redact.keys import Draw
from multideid.redact.spelling import like
from multideid.spans import splice

_FARTHEST = 1826
_YEAR = 365.25
_NO_DAY = date(2001, 7, 1)  # For notes without a year.
_RANGE = re.compile(
    r"(?:(?<!\s)\s++)?+[-\u2013\u2014]++\s*+"
    r"|(?<!\s)\s++(?:to|and|through|thru|until|till|or|y|e|a|al|hasta)\s++(?:el\s++|los\s++)?",
    re.I,
)
_FROM = re.compile(r"\W*(?:from|between|desde|entre|del?)\s+(?:el\s+)?", re.I)

Changes = list[tuple[int, int, str]]


@cache
def offsets(keep_weekday: bool) -> tuple[int, ...]:
    """Return the numbers of days by which dates may be shifted.

    One to five years, in either direction, such that year, month and day of the
    year change. The weekday is kept or changed, as `keep_weekday` says.
    """
    days = (*range(-_FARTHEST, -365), *range(366, _FARTHEST + 1))
    within = [d for d in days if 32 <= abs(d) % _YEAR <= 333]
    return tuple(d for d in within if (d % 7 == 0) == keep_weekday)


def secret_offset(draw: Draw, keep_weekday: bool = False) -> int:
    """Return the secret number of days by which the dates of a patient are shifted."""
    return draw.choose(offsets(keep_weekday))


class Dates:
    """The dates of one document, all shifted by the same number of days.

    Parameters
    ----------
    texts : sequence of str
        The dates of the document, in order. A date can resolve others: their
        year, and whether 3/4 is in March.
    days : int
        The shift.
    language : {"en", "es"}
    order : {"day-first", "month-first"}, optional
        Default: told by the dates themselves.
    day_first : bool
        Whether dates that do not tell their order are day-first; Spanish ones always are.
    """

    def __init__(
        self,
        texts: Sequence[str],
        days: int,
        language: str = "en",
        order: str | None = None,
        *,
        day_first: bool = False,
    ) -> None:
        self._shift = timedelta(days=days)
        # The "ago" of "2 weeks ago" is no August, and no Spanish.
        dates = ["" if is_relative(text) else text for text in texts]
        self._habits = Habits.of(dates, language, day_first=day_first)
        if order is not None:
            self._habits = replace(self._habits, day_first=order == "day-first")
        other = replace(self._habits, day_first=not self._habits.day_first)
        self._orders = (self._habits, other)
        self._near = _days_near(dates, self._habits)

    def shifted(self, number: int, text: str) -> str | None:
        """Return the shifted date with index `number`, in the format of `text`.

        None if it is not a date, does not exist, or cannot be written in that
        format after the shift (March 4-9 becomes July 30 to August 4). Time that is
        relative ("2 weeks ago") is not a date.
        """
        if is_relative(text):
            return None
        near = self._near[number]
        return self._single(text, near) or self._range(text, near)

    def _single(self, text: str, near: date) -> str | None:
        for form in read_forms(text, self._habits):
            with suppress(ValueError, OverflowError):
                day = day_of(form, near) + self._shift
                return self._new(text, form, day, self._zeros((text, form)))
        return None

    def _range(self, text: str, near: date) -> str | None:
        start = match.end() if (match := _FROM.match(text)) else 0
        for mark in _RANGE.finditer(text, start):
            left, right = text[start : mark.start()], text[mark.end() :]
            # Hyphens on both sides are separators of one date, such as 2005-02-45.
            if mark[0] == "-" and "-" in left + right:
                continue
            both = self._both(left, right, near)
            if both is not None:
                return f"{text[:start]}{both[0]}{mark[0]}{both[1]}"
        return None

    def _both(self, left: str, right: str, near: date) -> tuple[str, str] | None:
        pairs = (
            pair
            for habits in self._orders
            for pair in product(*(read_forms(e, habits, in_range=True) for e in (left, right)))
        )
        for a, b in pairs:
            with suppress(ValueError, OverflowError):
                begin, end = (day + self._shift for day in days_of(a, b, near))
                # A less likely reading would be of other days.
                if not are_told(a, b, (begin, end)):
                    return None
                zeros = self._zeros((left, a), (right, b))
                return self._new(left, a, begin, zeros), self._new(right, b, end, zeros)
        return None

    def _zeros(self, *ends: tuple[str, Form]) -> bool:
        """Return whether numbers under ten have a leading zero in a date, or else in others."""
        here = (has_zeros(_without_year(text, form)) for text, form in ends)
        named = any("month" in form.names for _, form in ends)
        usual = self._habits.zeros.get(named, not named)
        return next((zeros for zeros in here if zeros is not None), usual)

    def _new(self, text: str, form: Form, day: date, zeros: bool) -> str:
        changes = [*_numbers(text, form, day, zeros), *_weekday(text, form, self._shift.days)]
        return splice(text, sorted(changes))


def _numbers(text: str, form: Form, new: date, usual: bool) -> Iterator[tuple[int, int, str]]:
    """Yield the changes; `usual` is whether numbers under ten have a leading zero elsewhere."""
    here = has_zeros(_without_year(text, form))
    usual = usual if here is None else here
    for name in ("day", "month", "year"):
        if name not in form.parts:
            continue
        start, end = form.parts[name]
        value = getattr(new, name)
        if name in form.names:
            written = _word(text[start:end], form.names[name][value - 1])
        elif name == "year":
            written = f"{value % 100:02}" if end - start == 2 else f"{value:04}"
        else:
            zeros = has_zeros(text[start:end])
            wide = (usual if zeros is None else zeros) or _touches_digits(text, start, end)
            written = f"{value:02}" if wide else str(value)
        yield start, end, written
    if form.ordinal is not None:
        start, end = form.ordinal
        yield start, end, _ordinal(text[start:end], new.day)


def _touches_digits(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isdigit() or text[end : end + 1].isdigit()


def _without_year(text: str, form: Form) -> str:
    """Return day and month as written, without other numbers."""
    parts = [form.parts[n] for n in ("day", "month") if n in form.parts and n not in form.names]
    return " ".join(text[slice(*part)] for part in parts)


def _weekday(text: str, form: Form, days: int) -> Iterator[tuple[int, int, str]]:
    if form.weekday is not None:
        start, end = form.parts["weekday"]
        name = form.names["weekday"][(form.weekday + days) % 7]
        yield start, end, _word(text[start:end], name)


def _word(original: str, name: str) -> str:
    return like(original, name.capitalize())


def _ordinal(original: str, day: int) -> str:
    if not original.isascii():
        return original
    return like(original, ordinal_ending(day))


def _days_near(texts: Sequence[str], habits: Habits) -> list[date]:
    """Return for each date the last date with a year up to it, or else the first one after it.

    Only dates with a day are used if there are any: a year or month alone is often
    in the distant past.
    """
    days = [_full_day(text, habits, to_the_day=True) for text in texts]
    if not any(days):
        days = [_full_day(text, habits, to_the_day=False) for text in texts]
    known = next((day for day in days if day), _NO_DAY)
    found = []
    for day in days:
        known = day or known
        found.append(known)
    return found


def _full_day(text: str, habits: Habits, to_the_day: bool) -> date | None:
    """Return the day of a date with a year, if the date exists."""
    for form in read_forms(text, habits):
        with suppress(ValueError):
            day = day_of(form, _NO_DAY)
            return day if form.year is not None and (form.day or not to_the_day) else None
    return None
