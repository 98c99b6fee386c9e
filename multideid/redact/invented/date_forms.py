"""Parse the dates of notes into their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from multideid.redact.invented.date_words import (
    FULL_ONLY,
    MONTH_NAMES,
    SHORT_ONLY,
    SPANISH_ONLY,
    WEEKDAY_NAMES,
    DateWord,
)
from multideid.redact.invented.date_words import month as month_word
from multideid.redact.invented.date_words import weekday as weekday_word

_SEPARATOR = r"\s*[-/.]{1,2}\s*"
_SAME = r"\s*(?P<mark>[-/.])[-/.]?\s*"
_AGAIN = r"\s*(?P=mark)[-/.]?\s*"
_GAP = r"[\s,./-]*(?:(?:of|the|in|de|del|el|año|ano)\b[\s,.]*)*"
_DAY = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th|º|ª)?(?!\d)"
_NAME = rf"(?P<name>{MONTH_NAMES})(?![^\W\d_])\.?"
_YEAR = r"(?P<year>\d{4}|(?<!\d)\d{2})(?!\d)"
# 4/31 is not April 1931, but a day that does not exist.
_NO_DAY = r"(?P<year>3[2-9]|[4-9]\d|00)"
# 0304 is a day and a month, or a time.
_FULL_YEAR = r"(?P<year>(?:1[5-9]|2[01])\d\d)(?!\d)"

# The first pattern that matches an existing date is used. a and b are day and
# month in either order, depending on the country.
_FORMS = (
    rf"(?P<year>\d{{4}}){_SAME}(?P<month>\d{{1,2}}){_AGAIN}(?P<day>\d{{1,2}})",
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    r"(?P<a>\d\d)(?P<b>\d\d)(?P<year>(?:19|20)\d\d)",
    rf"(?P<a>\d{{1,2}}){_SAME}(?P<b>\d{{1,2}}){_AGAIN}'?{_YEAR}",
    rf"(?P<month>\d{{1,2}}){_SEPARATOR}{_FULL_YEAR}",
    rf"{_FULL_YEAR}{_SEPARATOR}(?P<month>\d{{1,2}})",
    rf"(?P<a>\d{{1,2}}){_SEPARATOR}(?P<b>\d{{1,2}})",
    rf"(?P<month>\d{{1,2}}){_SEPARATOR}'?{_NO_DAY}",
    rf"{_NAME}{_GAP}{_DAY}{_GAP}'?{_YEAR}",
    rf"{_NAME}{_GAP}{_DAY}",
    rf"{_NAME}{_GAP}{_FULL_YEAR}",
    rf"{_NAME}{_GAP}'(?P<year>\d\d)",
    rf"{_NAME}{_GAP}{_NO_DAY}",
    rf"{_DAY}{_GAP}{_NAME}{_GAP}'?{_YEAR}",
    rf"{_DAY}{_GAP}{_NAME}",
    rf"{_FULL_YEAR}{_GAP}{_NAME}{_GAP}{_DAY}",
    rf"{_FULL_YEAR}{_GAP}{_NAME}",
    rf"{_NAME}",
    rf"{_FULL_YEAR}",
    r"'(?P<year>\d\d)",
    r"(?P<nothing>)",
)
# Dates in ranges only: March 4-9, 2005.
_ENDS = (rf"{_DAY}{_GAP}{_FULL_YEAR}", _DAY)

_BEFORE = r"\W*?(?:(?:on|in|of|the|early|late|mid|year|en|el|de|del|día|dia|año|ano)\b[\s-]*)*"
_WEEKDAY = rf"(?:(?P<weekday>{WEEKDAY_NAMES})\b\.?(?:,?\s*(?:the\b|el\b|día\b)?\s*))?"
_TIME = (
    r"(?:[\s,]*(?:T|at\b|@|a\s+las\b)?\s*\d{1,2}[:.h]\d{2}(?::\d{2}(?:\.\d+)?)?"
    r"\s*(?:[ap]\.?m\b\.?|hours|hrs?\b|h\b|Z|[+-]\d{2}:?\d{2}\b)?"
    r"|[\s,]*(?:at\b|@)\s*(?:\d{1,2}\s*[ap]\.?m\b\.?|(?:[01]\d|2[0-3])[0-5]\d\b))?"
)

_PARTS = ("day", "month", "name", "year", "weekday")


class Part(NamedTuple):
    """A day, month, year or weekday in the text: half-open offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Form:
    """One date in a text, with the offsets of its parts.

    Parameters
    ----------
    day, month, year, weekday : int or None
        Values given in the text; years have four digits, Monday is 0.
    parts : mapping of str to Part
        Offsets of ``day``, ``month``, ``year``, ``weekday``.
    names : mapping of str to tuple of str
        The series of names used for month and weekday.
    ordinal : Part, optional
        Offsets of a suffix such as ``th``.
    """

    day: int | None
    month: int | None
    year: int | None
    weekday: int | None
    parts: dict[str, Part]
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ordinal: Part | None = None


@dataclass(frozen=True, slots=True)
class Habits:
    """The conventions of the dates of one document.

    Parameters
    ----------
    language : {"en", "es"}
    day_first : bool
        Whether ``3/4`` is April 3.
    zeros : dict of bool to bool
        Whether days and months under ten have a leading zero, by whether the
        date contains letters.
    short : bool
        Whether months are abbreviated, so that ``May`` can become ``Jun``.
    """

    language: str = "en"
    day_first: bool = False
    zeros: dict[bool, bool] = field(default_factory=dict)
    short: bool = False

    @classmethod
    def of(cls, texts: Sequence[str], language: str = "en", *, day_first: bool = False) -> Habits:
        """Infer the conventions from the texts of all dates of a document.

        `day_first` tells the order of English dates that do not tell it themselves.
        """
        words = {word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower())}
        language = "es" if words & SPANISH_ONLY else language
        pairs = [m for text in texts if (m := _TWO_NUMBERS.match(text))]
        first = sum(int(m[1]) > 12 >= int(m[2]) for m in pairs)
        second = sum(int(m[2]) > 12 >= int(m[1]) for m in pairs)
        if first == second:
            # 3 April says that 3/4 is in April, and April 3 that it is in March.
            first += sum(bool(_DAY_MONTH.match(text)) for text in texts)
            second += sum(bool(_MONTH_DAY.match(text)) for text in texts)
        is_told = first != second
        day_first = first > second if is_told else day_first or language == "es"
        short = bool(words & SHORT_ONLY) and not words & FULL_ONLY
        return cls(language, day_first, _zeros_of(texts), short)


_DAY_MONTH = re.compile(rf"\W*{_DAY}{_GAP}{_NAME}", re.I)
_MONTH_DAY = re.compile(rf"\W*{_NAME}{_GAP}{_DAY}", re.I)
_TWO_NUMBERS = re.compile(r"\W*(\d{1,2})\s*[-/.]\s*(\d{1,2})(?!\d)")


def _zeros_of(texts: Sequence[str]) -> dict[bool, bool]:
    found: dict[bool, bool] = {}
    for text in texts:
        named = any(c.isalpha() for c in text)
        numbers = re.findall(r"\d+", text)
        # The last number may be a year of two digits.
        zeros = has_zeros(" ".join(numbers[: 1 if named else 2]))
        if zeros is not None:
            found.setdefault(named, zeros)
    return found


def has_zeros(text: str) -> bool | None:
    """Return whether numbers under ten have a leading zero; None without such a number."""
    if re.search(r"(?<!\d)0\d(?!\d)", text):
        return True
    return False if re.search(r"(?<!\d)\d(?!\d)", text) else None


def read_forms(text: str, habits: Habits, *, in_range: bool = False) -> Iterator[Form]:
    """Yield the possible parses of a text as one date, which may not exist.

    Parameters
    ----------
    text : str
    habits : Habits
    in_range : bool
        Whether a day alone is a date, as at the end of a range. Day and month are in the
        usual order then, since that of the other end must be the same.
    """
    for pattern in _patterns(in_range):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        groups = {k: Part(*match.span(k)) for k, v in match.groupdict().items() if v is not None}
        for renamed in _orders(groups, habits, both=not in_range):
            form = _form(text, renamed, habits)
            if form.parts:
                yield form


def _orders(groups: dict[str, Part], habits: Habits, *, both: bool) -> Iterator[dict[str, Part]]:
    """Yield the groups with a and b as day and month, in the more likely order first."""
    if "a" not in groups:
        yield groups
        return
    others = {name: part for name, part in groups.items() if name not in ("a", "b")}
    orders = [("a", "b"), ("b", "a")] if habits.day_first else [("b", "a"), ("a", "b")]
    for day, month in orders if both else orders[:1]:
        yield {**others, "day": groups[day], "month": groups[month]}


def _form(text: str, groups: dict[str, Part], habits: Habits) -> Form:
    parts = {"month" if n == "name" else n: groups[n] for n in _PARTS if n in groups}
    words: dict[str, DateWord] = {}
    if "name" in groups:
        part = groups["name"]
        short = habits.short or text[part.end : part.end + 1] == "." or "-" in text
        words["month"] = month_word(text[slice(*part)], habits.language, short)
    if "weekday" in groups:
        words["weekday"] = weekday_word(text[slice(*groups["weekday"])], habits.language)

    def value(name: str) -> int | None:
        if name in words:
            return words[name].number + (name == "month")
        return int(text[slice(*parts[name])]) if name in parts else None

    return Form(
        value("day"),
        value("month"),
        _year(value("year"), parts),
        value("weekday"),
        parts,
        {name: word.series for name, word in words.items()},
        groups.get("ordinal"),
    )


def _year(number: int | None, parts: dict[str, Part]) -> int | None:
    if number is None or parts["year"].end - parts["year"].start > 2:
        return number
    return number + (2000 if number < 50 else 1900)


@cache
def _patterns(in_range: bool) -> tuple[re.Pattern[str], ...]:
    forms = (*_FORMS, *_ENDS) if in_range else _FORMS
    return tuple(re.compile(rf"{_BEFORE}{_WEEKDAY}{form}{_TIME}\W*", re.I) for form in forms)
