"""The days that the dates of notes mean, also where one end of a range lacks a year or month."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

from multideid.redact.invented.date_forms import Form

_MIDDLE_MONTH, _MIDDLE_DAY = 7, 15
_LEAP_YEARS = 8  # The years within which there is a leap year.


def day_of(form: Form, near: date) -> date:
    """Return the day of a date; raises ValueError if it does not exist.

    For a month or year, its middle is used. Without a year, it is the nearest
    such day to `near`.
    """
    return days_of(form, form, near)[0]


def days_of(first: Form, last: Form, near: date) -> tuple[date, date]:
    """Return the days of both ends of a range; raises ValueError if one does not exist.

    What one end lacks is that of the other. New Year is between them if the month of the
    first comes after that of the last: ``28 Dec - 3 Jan 2024``.
    """
    turns = _turns(first.month, last.month)
    if first.year is None and last.year is None:
        begins = range(near.year - _LEAP_YEARS, near.year + _LEAP_YEARS + 1)
        years = [(year, year + turns) for year in begins]
    else:
        begin = first.year if first.year is not None else (last.year or 0) - turns
        years = [(begin, last.year if last.year is not None else begin + turns)]
    found = []
    for begin, end in years:
        with suppress(ValueError):
            found.append((_date(first, last, begin), _date(last, first, end)))
    if not found:
        raise ValueError("no such day")
    return min(found, key=lambda days: abs(days[0] - near))


def are_told(first: Form, last: Form, days: tuple[date, date]) -> bool:
    """Return whether other days, written in the form of a range, would be read as such."""
    begin, end = days
    if _borrows_month(first, last) or _borrows_month(last, first):
        return (begin.year, begin.month) == (end.year, end.month)
    lack_one_year = (first.year is None) != (last.year is None)
    if not (lack_one_year and _has_day(first) and _has_day(last)):
        return True
    both = first.month is not None and last.month is not None
    return end.year - begin.year == (both and _turns(begin.month, end.month))


def _turns(first: int | None, last: int | None) -> bool:
    return first is not None and last is not None and first > last


def _has_day(form: Form) -> bool:
    """Return whether it is more than a weekday."""
    return form.parts.keys() != {"weekday"}


def _borrows_month(form: Form, other: Form) -> bool:
    return form.day is not None and form.month is None and other.month is not None


def _date(form: Form, other: Form, year: int) -> date:
    month = form.month
    if form.day is not None and month is None:
        month = other.month
        if month is None:
            raise ValueError("a day of no month")
    day = form.day if form.day is not None else 1 if month is None else _MIDDLE_DAY
    return date(year, _MIDDLE_MONTH if month is None else month, day)
