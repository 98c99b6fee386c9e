"""The regular expressions of the thesis's Table 2.1, and a few modern ones.

Table 2.1 has misprints (a dropped ``-``, a missing start anchor); these patterns follow
its column "Pattern Description".
"""

from __future__ import annotations

import re
from functools import lru_cache

_MOST_CACHED = 20_000

TABLE_2_1: dict[str, str] = {
    "first character is a capital": r"[A-Z].*",
    "all capitals": r"[A-Z]+",
    "lower case and capitals": r"[A-Za-z]+",
    "contains a digit": r".*[0-9].*",
    "one digit": r"[0-9]",
    "two digits": r"[0-9][0-9]",
    "four digits": r"[0-9]{4}",
    "natural number": r"[0-9]+",
    "real number": r"[0-9]+\.[0-9]+",
    "letters and digits": r"[0-9A-Za-z]+",
    "contains a dash": r".*-.*",
    "punctuation": r"[^A-Za-z0-9]+",
    "phone xxx-xxxx": r"[0-9]{3}-[0-9]{4}",
    "phone xxx-xxx-xxxx": r"[0-9]{3}-[0-9]{3}-[0-9]{4}",
    "five digits": r"[0-9]{5}",
    "no vowel": r"[^AaEeIiOoUu]+",
    # Unambiguous, so that long words cause no backtracking.
    "dash separated letters and digits": r"[^A-Za-z0-9]*[A-Za-z0-9][^-]*-[^0-9]*[0-9].*",
    "date separator": r"[-/]",
}

OTHERS: dict[str, str] = {
    "date by numbers": r"[0-3]?[0-9]([-/.])[0-3]?[0-9]\1(?:[0-9]{2}){1,2}",
    "year first": r"(?:19|20)[0-9]{2}([-/.])[0-3]?[0-9]\1[0-3]?[0-9]",
    "day and month": r"[0-3]?[0-9][-/][0-3]?[0-9]",
    "month and year": r"[01]?[0-9][-/](?:19|20)[0-9]{2}",
    "year": r"(?:19|20)[0-9]{2}",
    "time": r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?",
    "e-mail": r"[^\s@]+@[^\s@]+\.[a-z]{2,}",
    "web": r"(?:https?://|www\.).+",
    "social security": r"[0-9]{3}-[0-9]{2}-[0-9]{4}",
    "long number": r"[0-9]{6,}",
    "letters then digits": r"[A-Za-z]{1,4}-?[0-9]{2,}",
    "initial": r"[A-Z]\.?",
    "ordinal": r"[0-9]+(?:st|nd|rd|th|º|ª|[.]º)",
    "roman number": r"[IVXLC]+",
    # Fractions of notes that are no dates, and what only a date can be.
    "duration": r"[0-9]{1,2}/(?:7|12|52)",
    "score": r"[0-9]{1,2}/(?:5|10|15|30|100)",
    "visual acuity": r"(?:6|20)/[0-9]{1,3}",
    "equal parts": r"([0-9]{1,3})/\1",
    "no day and month": r"(?:0|1[3-9]|[2-9][0-9])/(?:0|1[3-9]|[2-9][0-9])|[0-9]+/[0-9]{3}",
    "day first": r"(?:1[3-9]|2[0-9]|3[01])/(?:0?[1-9]|1[0-2])",
    "month first": r"(?:0?[1-9]|1[0-2])/(?:1[3-9]|2[0-9]|3[01])",
}

_COMPILED = {
    name: re.compile(pattern, re.DOTALL) for name, pattern in {**TABLE_2_1, **OTHERS}.items()
}


# The patterns that can match ASCII letters alone, as most words are.
_OF_LETTERS = {
    name: _COMPILED[name]
    for name in (
        "first character is a capital",
        "all capitals",
        "lower case and capitals",
        "letters and digits",
        "no vowel",
        "initial",
        "roman number",
    )
}


@lru_cache(_MOST_CACHED)
def matching_patterns(text: str) -> tuple[str, ...]:
    """Return the names of the patterns that match the whole of `text`."""
    patterns = _OF_LETTERS if text.isascii() and text.isalpha() else _COMPILED
    return tuple([name for name, pattern in patterns.items() if pattern.fullmatch(text)])


def matching_patterns_of_table_2_1(text: str) -> list[str]:
    """Return the names of the patterns of Table 2.1 that match the whole of `text`."""
    return [name for name in matching_patterns(text) if name in TABLE_2_1]
