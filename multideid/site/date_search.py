"""Known dates are found in a text in the usual forms: in numbers, with names of months, compact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from multideid.redact.spelling import fold

# By their first letters in English, Spanish, French, Portuguese and German, without accents.
_MONTHS = (
    ("jan", "ene"), ("feb", "fev"), ("mar",), ("apr", "abr", "avr"), ("may", "mai"),
    ("jun", "juin"), ("jul", "juil"), ("aug", "ago", "aou"), ("sep", "set"), ("oct", "okt", "out"),
    ("nov",), ("dec", "dic", "dez"),
)  # fmt: skip
_NUMBER_OF = {name: n for n, names in enumerate(_MONTHS, 1) for name in names}
_NAME = re.compile(
    r"(?<![^\W_])(?:\d{1,2}(?:st|nd|rd|th)?|\d{4})?"
    r"(?P<month>jan|ene|f[eé][bv]|m[aä]r|a[pbv]r|ma[iy]|jui?[nl]|aug|ago|ao[uû]|se[pt]|o[ck]t|out|nov"
    r"|d[eé][cz]|dic)[^\W\d_]*",
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
_DAY_AND_YEAR = re.compile(rf"{_GAP}{_DAY}(?:,?\sof\s|{_GAP}){_YEAR}(?!\d)", re.IGNORECASE)
_ONLY_DAY = re.compile(rf"{_GAP}{_DAY}(?![^\W_])", re.IGNORECASE)
_ONLY_YEAR = re.compile(rf"{_GAP}{_YEAR}(?!\d)", re.IGNORECASE)
_DAY_BEFORE = re.compile(rf"(?<![^\W_]){_DAY}{_GAP}\Z", re.IGNORECASE)
_YEAR_BEFORE = re.compile(rf"(?<![\d/.\-])(?P<year>\d{{4}}){_GAP}\Z")
_LONGEST_BEFORE = 24  # Characters.
_IN_NUMBERS = re.compile(
    r"(?<!\d)(?:(?P<a>\d{1,4}) ?[/.\-] ?(?P<b>\d{1,2}) ?[/.\-] ?'?(?P<c>\d{1,4})"
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
    a, b, c = (compact[:2], compact[2:4], compact[4:]) if compact else match.group("a", "b", "c")
    yield from _made(c, a, b)
    yield from _made(c, b, a)
    yield from _made(a, b, c)


def _with_month(text: str, match: re.Match[str]) -> Iterator[_Found]:
    """Yield the dates that the name of a month can be of: March 4, 2005; 4 March 2005; 2005 Mar 4.

    Each is tried by itself, since in "2005, March 4, 2006" the year before belongs to another date.
    """
    start, end = match.span("month")[0], match.end()
    month = _month(match["month"])
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    shift = start - len(before)
    if after := _DAY_AND_YEAR.match(text, end):
        yield (start, after.end()), _made(after["year"], month, _day(after["day"]))
    if (day := _DAY_BEFORE.search(before)) and (year := _ONLY_YEAR.match(text, end)):
        yield (shift + day.start(), year.end()), _made(year["year"], month, _day(day["day"]))
    if (first := _YEAR_BEFORE.search(before)) and (last := _ONLY_DAY.match(text, end)):
        yield (shift + first.start(), last.end()), _made(first["year"], month, _day(last["day"]))


def _month(name: str) -> str:
    folded = fold(name)
    return str(_NUMBER_OF.get(folded) or _NUMBER_OF[folded[:3]])


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
