"""Known dates are found in a text in the usual forms: in numbers, with names of months, compact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAME = rf"(?:{'|'.join(_MONTHS)})[a-z]*"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_GAP = r"[\s\-./,]{0,2}"
_IN_NUMBERS = re.compile(
    r"(?<!\d)(?:(?P<a>\d{1,4}) ?[/.\-] ?(?P<b>\d{1,2}) ?[/.\-] ?(?P<c>\d{1,4})"
    r"|(?P<compact>\d{8}|\d{6}))(?!\d)"
)
_IN_WORDS = re.compile(
    rf"(?<![^\W_])(?:(?P<month>{_NAME}){_GAP}(?P<day>{_DAY}){_GAP}(?P<year>\d{{4}}|\d\d)"
    rf"|(?P<day2>{_DAY}){_GAP}(?:of\s)?(?P<month2>{_NAME}){_GAP}(?P<year2>\d{{4}}|\d\d)"
    rf"|(?P<year3>\d{{4}}){_GAP}(?P<month3>{_NAME}){_GAP}(?P<day3>{_DAY}))(?!\d)",
    re.IGNORECASE,
)


def date_places(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where the days of known dates occur in a text.

    Parameters
    ----------
    text : str
    values : iterable of str
        Dates in any of the forms; others are not looked for.
    """
    wanted = {day for value in values for _, days in _dates(value) for day in days}
    for match, days in _dates(text) if wanted else ():
        if not wanted.isdisjoint(days):
            yield match.span()


def is_date(value: str) -> bool:
    """Return whether a value is a date in one of the forms."""
    return any(True for _, days in _dates(value) for _ in days)


def _dates(text: str) -> Iterator[tuple[re.Match[str], Iterator[date]]]:
    """Yield the dates in a text, and the days that each can mean."""
    for match in _IN_NUMBERS.finditer(text):
        yield match, _days_of_numbers(match)
    for match in _IN_WORDS.finditer(text):
        yield match, _days_of_words(match)


def _days_of_numbers(match: re.Match[str]) -> Iterator[date]:
    compact = match["compact"]
    if compact and len(compact) == 8:
        yield from _made(compact[:4], compact[4:6], compact[6:])
    a, b, c = (compact[:2], compact[2:4], compact[4:]) if compact else match.group("a", "b", "c")
    yield from _made(c, a, b)
    yield from _made(c, b, a)
    yield from _made(a, b, c)


def _days_of_words(match: re.Match[str]) -> Iterator[date]:
    for n in ("", "2", "3"):
        if name := match[f"month{n}"]:
            month = _MONTHS.index(name[:3].lower()) + 1
            yield from _made(match[f"year{n}"], str(month), re.sub(r"\D", "", match[f"day{n}"]))


def _made(year: str, month: str, day: str) -> Iterator[date]:
    """Yield the day, in both centuries if the year has two digits."""
    for number in (1900 + int(year), 2000 + int(year)) if len(year) == 2 else (int(year),):
        try:
            yield date(number, int(month), int(day))
        except ValueError:
            continue
