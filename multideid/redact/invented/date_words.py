"""Names of months and weekdays in English and Spanish."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTHS = """
en: january february march april may june july august september october november december
en: jan feb mar apr may jun jul aug sep oct nov dec
en: jan feb mar apr may june july aug sept oct nov dec
es: enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
es: enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre
es: ene feb mar abr may jun jul ago sep oct nov dic
es: ene feb mar abr may jun jul ago sept oct nov dic
"""
_WEEKDAYS = """
en: monday tuesday wednesday thursday friday saturday sunday
en: mon tue wed thu fri sat sun
en: mon tues wed thur fri sat sun
en: mon tues weds thurs fri sat sun
es: lunes martes miércoles jueves viernes sábado domingo
es: lunes martes miercoles jueves viernes sabado domingo
es: lun mar mié jue vie sáb dom
"""

# What regular expressions without case take for i and s, and `str.lower` does not.
_LETTERS = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s"})

Series = tuple[str, ...]


class DateWord(NamedTuple):
    """A month or weekday.

    Parameters
    ----------
    number : int
        From 0.
    series : tuple of str
        All names of the same series, such as ``("jan", "feb", ...)``.
    """

    number: int
    series: Series


def _parsed(lines: str) -> list[tuple[str, Series]]:
    pairs = (line.split(": ") for line in lines.strip().splitlines())
    return [(language, tuple(names.split())) for language, names in pairs]


_MONTH_SERIES, _WEEKDAY_SERIES = _parsed(_MONTHS), _parsed(_WEEKDAYS)


def month(word: str, language: str = "en", short: bool = False) -> DateWord:
    """Look up a month.

    Parameters
    ----------
    word : str
        In any case, without a period.
    language : {"en", "es"}
        The language to try first: ``mar`` is a month in both.
    short : bool
        Whether to try abbreviations first: ``May`` is also a full name.

    Raises
    ------
    KeyError
        If there is no such month.
    """
    return _found(word, _MONTH_SERIES, language, short)


def weekday(word: str, language: str = "en") -> DateWord:
    """Look up a weekday, where Monday is 0; as `month`."""
    return _found(word, _WEEKDAY_SERIES, language, False)


def _found(word: str, table: list[tuple[str, Series]], language: str, short: bool) -> DateWord:
    def last(row: tuple[str, Series]) -> tuple[bool, bool]:
        return row[0] != language, short and len(row[1][0]) > 3

    name = word.translate(_LETTERS).lower()
    for _, series in sorted(table, key=last):
        if name in series:
            return DateWord(series.index(name), series)
    raise KeyError("no such name")


def _alternatives(table: list[tuple[str, Series]]) -> str:
    names = {name for _, series in table for name in series}
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


MONTH_NAMES = _alternatives(_MONTH_SERIES)
"""A regular expression for all months, in lower case."""

ENGLISH_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
"""A regular expression for an English month, in lower case."""

_BEGIN, _END = r"(?<![^\W\d_])", r"(?![^\W\d_])"
_SHORT_UNIT = (
    rf"(?:[0-9\u00bc-\u00be]|{_BEGIN}(?:one|two|three|four|five|six|seven|eight|nine|ten|an?|few))"
    r"\W{0,3}[ymwdh]"
)
_LONG_UNIT = (
    rf"(?:{_BEGIN}|(?<=\d))(?:ye?a?rs?|mo|months?|we?e?ks?|days?|ho?u?rs?|min(?:ute)?s?|decades?"
    r"|while|long|ages|some ?time)"
)
_RELATIVE = re.compile(rf"(?:{_SHORT_UNIT}|{_LONG_UNIT})\W{{1,3}}ago{_END}", re.I)

WEEKDAY_NAMES = _alternatives(_WEEKDAY_SERIES)
"""A regular expression for all weekdays, in lower case."""


def _months(language: str, short: bool) -> frozenset[str]:
    rows = [s for tongue, s in _MONTH_SERIES if tongue == language and (len(s[0]) < 4) == short]
    return frozenset(name for series in rows for name in series)


_FULL = _months("en", False) | _months("es", False)
_SHORT = _months("en", True) | _months("es", True)

FULL_ONLY, SHORT_ONLY = _FULL - _SHORT, _SHORT - _FULL
"""Months that are only full names, and months that are only abbreviations."""

SPANISH_ONLY = (_months("es", False) | _months("es", True)) - (
    _months("en", False) | _months("en", True)
)
"""Months that are only Spanish."""


def is_relative(text: str) -> bool:
    """Return whether a text is a time before now, not one in August: ``1 y ago``."""
    return _RELATIVE.search(text) is not None
