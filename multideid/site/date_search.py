"""Known dates are found in a text in the usual forms: in numbers, with names of months, compact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from multideid.redact.spelling import fold
from multideid.site.spelled_dates import day_before, year_at

# By their first letters in English, Spanish, French, Portuguese, German, Italian and Dutch,
# without accents.
_MONTHS = (
    ("jan", "ene", "gen"), ("feb", "fev"), ("mar", "mae", "maa", "mrt"), ("apr", "abr", "avr"),
    ("may", "mai", "mei", "mag"), ("jun", "juin", "giu"), ("jul", "juil", "lug"),
    ("aug", "ago", "aou"), ("sep", "set"), ("oct", "okt", "out", "ott"), ("nov",),
    ("dec", "dic", "dez"),
)  # fmt: skip
_NUMBER_OF = {name: n for n, names in enumerate(_MONTHS, 1) for name in names}
_NAME = re.compile(
    r"(?<![^\W_])(?:\d{1,2}(?:st|nd|rd|th)?|\d{4})?"
    r"(?P<month>j[aä]n|ene|genn?(?![^\W\d_]|a)|gennaio|f[eé][bv]|m[aä]r|mrt|maerz|maart|ma[iy]|mei|magg?"
    r"|a[pbv]r|jui?[nl]|giu|lug|aug|ago|ao[uû]|se[pt]|o[ckt]t|out|nov|d[eé][cz]|dic)[^\W\d_]*",
    re.IGNORECASE,
)
_ORDINALS = {
    word: n
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
        "twentieth".split(),
        1,
    )
}
_ORDINALS |= {f"twenty{sep}{w}": 20 + n for w, n in _ORDINALS.items() if n < 10 for sep in " -"}
_ORDINALS |= {"thirtieth": 30, "thirty first": 31, "thirty-first": 31}
_IN_WORDS = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_DAY = rf"(?P<day>\d{{1,2}}(?!\d)(?:st|nd|rd|th|\.?º|er)?|{_IN_WORDS})"
_GAP = r"[\s\-./,]{0,2}(?:(?:day\sof|of|the|de|del)\s)?"
_YEAR = r"(?P<year>\d{4}|'?\d\d)"
_DAY_AFTER = re.compile(rf"{_GAP}{_DAY}(?:,?\sof\s|{_GAP})", re.IGNORECASE)
_ONLY_DAY = re.compile(rf"{_GAP}{_DAY}(?![^\W_])", re.IGNORECASE)
_BEFORE_YEAR = re.compile(_GAP, re.IGNORECASE)
_IN_DIGITS = re.compile(rf"{_YEAR}(?!\d)")
_DAY_BEFORE = re.compile(rf"(?<![^\W_]){_DAY}{_GAP}\Z", re.IGNORECASE)
_YEAR_BEFORE = re.compile(rf"(?<![\d/.\-])(?P<year>\d{{4}}){_GAP}\Z")
_LONGEST_BEFORE = 24  # Characters.
_ROMAN = {word: str(n) for n, word in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), 1)}
_MONTH_NUMBER = r"\d{1,2}|[IVX]{1,4}"
_IN_NUMBERS = re.compile(
    rf"(?<!\d)(?:(?P<a>\d{{1,4}}) ?[/.\-\u5e74] ?(?P<b>{_MONTH_NUMBER}) ?[/.\-\u6708] ?"
    rf"'?(?P<c>\d{{1,4}})\u65e5?|(?P<d>\d{{1,2}}) (?P<e>{_MONTH_NUMBER}) (?P<f>\d{{4}})"
    r"|(?P<compact>\d{8}|\d{6}))(?!\d)"
)

_Found = tuple[tuple[int, int], Iterator[date]]
"""Half-open offsets of a date, and the days that it can mean."""


def date_places(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where the days of known dates occur in a text.

    Parameters
    ----------
    text : str
    values : iterable of str
        Dates in any of the forms; others are not looked for.
    """
    wanted = {day for value in values for _, days in _dates(value) for day in days}
    for place, days in _dates(text) if wanted else ():
        if not wanted.isdisjoint(days):
            yield place


def is_date(value: str) -> bool:
    """Return whether a value is a date in one of the forms."""
    return any(True for _, days in _dates(value) for _ in days)


def _dates(text: str) -> Iterator[_Found]:
    for match in _IN_NUMBERS.finditer(text):
        yield match.span(), _days_of_numbers(match)
    for match in _NAME.finditer(text):
        yield from _with_month(text, match)


def _days_of_numbers(match: re.Match[str]) -> Iterator[date]:
    compact = match["compact"]
    if compact and len(compact) == 8:
        yield from _made(compact[:4], compact[4:6], compact[6:])
    a, b, c = (compact[:2], compact[2:4], compact[4:]) if compact else _parts(match)
    yield from _made(c, a, b)
    yield from _made(c, b, a)
    yield from _made(a, b, c)


def _parts(match: re.Match[str]) -> tuple[str, ...]:
    parts = match.group("a", "b", "c") if match["a"] else match.group("d", "e", "f")
    return tuple(_ROMAN.get(part, part) for part in parts)


def _with_month(text: str, match: re.Match[str]) -> Iterator[_Found]:
    """Yield the dates that the name of a month can be of: March 4, 2005; 4 March 2005; 2005 Mar 4.

    Each is tried by itself, since in "2005, March 4, 2006" the year before belongs to another date.
    """
    start, end = match.span("month")[0], match.end()
    month = _month(match["month"])
    if month is None:
        return
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    shift = start - len(before)
    if (after := _DAY_AFTER.match(text, end)) and (year := _year_at(text, after.end())):
        yield (start, year.end), _made(year.year, month, _day(after["day"]))
    if year := _year_at(text, _end_of_gap(text, end)):
        if day := _DAY_BEFORE.search(before):
            yield (shift + day.start(), year.end), _made(year.year, month, _day(day["day"]))
        elif spelled := day_before(text, start):
            yield (spelled[0], year.end), _made(year.year, month, str(spelled[1]))
    if (first := _YEAR_BEFORE.search(before)) and (last := _ONLY_DAY.match(text, end)):
        yield (shift + first.start(), last.end()), _made(first["year"], month, _day(last["day"]))


class _Year(NamedTuple):
    """A year, of two digits or four, and where it ends."""

    end: int
    year: str


def _year_at(text: str, start: int) -> _Year | None:
    if match := _IN_DIGITS.match(text, start):
        return _Year(match.end(), match["year"])
    spelled = year_at(text, start)
    return spelled and _Year(spelled[0], str(spelled[1]))


def _end_of_gap(text: str, start: int) -> int:
    gap = _BEFORE_YEAR.match(text, start)
    return start if gap is None else gap.end()


def _month(name: str) -> str | None:
    # A pattern without case takes a dotless i for an i.
    folded = fold(name).replace("\N{LATIN SMALL LETTER DOTLESS I}", "i")
    number = _NUMBER_OF.get(folded) or _NUMBER_OF.get(folded[:3])
    return None if number is None else str(number)


def _day(written: str) -> str:
    return str(_ORDINALS.get(written.lower()) or re.sub(r"\D", "", written))


def _made(year: str, month: str, day: str) -> Iterator[date]:
    """Yield the day, in both centuries if the year has two digits."""
    year = year.lstrip("'")
    for number in (1900 + int(year), 2000 + int(year)) if len(year) == 2 else (int(year),):
        try:
            yield date(number, int(month), int(day))
        except ValueError:
            continue
