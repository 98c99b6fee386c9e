"""Columns and keys of ages: over 89, an age is PHI (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re

_OLDEST = 89
_LONGEST = 30  # Characters; longer values are text.
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")

# Of a name in lower case, whose words are joined by "_"; of organs and the unborn, it is no age.
_NAME = re.compile(
    r"(?!(?:.*_)?(?:gest|gestational|bone|brain|vascular|biological|mental)_)"
    r"(?:.*_)?age(?:_(?:at|on|when|as_of)_.*|_(?:group|band|range|category|cat|bin))?"
    r"(?:_?(?:in_)?(?:years?|yrs?|y|months?|mos?|weeks?|wks?|days?))?"
)
_A_YEAR = (
    (1, re.compile(r"years?|yrs?|y")),
    (12, re.compile(r"months?|mos?|m")),
    (52, re.compile(r"weeks?|wks?|w")),
    (365, re.compile(r"days?|d")),
)
"""How many of a unit are a year, and the names of the unit."""


def names_age(words: str) -> bool:
    """Return whether a name is one of ages; `words` in lower case and joined by ``_``.

    Examples
    --------
    >>> names_age("patient_age"), names_age("age_at_visit"), names_age("gestational_age")
    (True, True, False)
    """
    return _NAME.fullmatch(words) is not None


def is_over_89(words: str, value: str) -> bool:
    """Return whether a value under a name of ages is one over 89.

    Parameters
    ----------
    words : str
        As for `names_age`; its unit is that of values without one.
    value : str

    Examples
    --------
    >>> is_over_89("age", "101"), is_over_89("age", "89.5"), is_over_89("age_in_months", "95")
    (True, False, False)
    """
    if len(value) > _LONGEST:
        return False
    numbers = [float(number.replace(",", ".")) for number in _NUMBER.findall(value)]
    a_year = _units_in(re.findall(r"[a-z]+", value.lower())) or _units_in(words.split("_")) or 1
    return max(numbers, default=0) >= (_OLDEST + 1) * a_year


def _units_in(words: list[str]) -> int | None:
    """Return how many of the largest unit that words name are a year; None if they name none."""
    return next((count for count, name in _A_YEAR if any(map(name.fullmatch, words))), None)
