"""Known numbers are found in a text: with other marks, letters and zeros, masked, with codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from multideid.site.exact_search import after_cues

_SHORT_NUMBER = 5  # Letters and digits; shorter ones occur by chance.
_LONG_NUMBER = 6  # Such a number may be written with other letters before or behind it.
_BETWEEN_DIGITS = re.compile(r"[ ().,+\-/_:#\u00a0\u2007\u2009\u202f\u2010-\u2015\u2212]{0,3}")
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_PREFIXED = re.compile(r"[^\W\d_]{1,5}(\d{6,})")
"""A number that may be written without its letters."""
_SUFFIXED = re.compile(r"(\d{6,})[^\W\d_]{1,2}")
"""A number with letters that a table may not have, such as a check letter."""
_MASKED = re.compile(
    r"(?:(?<![xX*#\u2022])(?:[xX*#\u2022]{2,}+[ -]?+){1,4}+"
    r"|\b(?:ssn?|last (?:four|4)(?: digits)?|end(?:ing|s) (?:in|with))\W{1,3}(?:is |are |of )?)"
    r"(?P<last>\d{4})(?![^\W_])",
    re.IGNORECASE,
)
_LAST = 4  # Digits that are left of a masked number.
_FEWEST_TO_MASK = 8  # Digits.
_WITH_CODE = re.compile(r"(?<![^\W_])(?:\+|00)?(?P<digits>\d{9,15})(?![^\W_])")
_LONGEST_CODE = 3  # Digits of the code of a country.
_FEWEST_NATIONAL = 8  # Digits.

Places = Iterator[tuple[int, int]]


class _Wanted(NamedTuple):
    """Numbers to find, without punctuation, and all that they begin with."""

    whole: set[str]
    prefixes: set[str]


def number_places(text: str, values: set[str]) -> Places:
    """Yield where numbers occur, with any punctuation between their digits and letters.

    Short ones are found after a word such as "no.", and the last four digits of long ones
    after a mask or a word that tells of it: ``xxx-xx-6789``, ``last four 6789``.

    Parameters
    ----------
    text : str
    values : set of str
    """
    yield from _last_digits(text, values)
    yield from after_cues(text, {value for value in values if _is_short_number(value)})
    whole = {form for value in values for form in _number_forms(value)}
    wanted = _Wanted(whole, {value[:n] for value in whole for n in range(len(value))})
    longest = max(map(len, whole), default=0)
    tokens = list(_ALPHANUMERIC.finditer(text)) if whole else []
    for n, token in enumerate(tokens):
        run = token[0].lower()
        for begin in (run, run.lstrip("0")) if run[0] == "0" else (run,):
            # Most words begin no number.
            if begin in whole or begin in wanted.prefixes:
                yield from _number_at(text, tokens, n, begin, wanted)
        if (suffixed := _SUFFIXED.fullmatch(run)) and suffixed[1] in whole:
            yield token.span()
        if run[-1].isdigit() and run[0].isalpha() and len(run) == len(token[0]):
            length = _length_of_end(run, whole, longest)
            yield from [(token.end() - length, token.end())] * (length > 0)


def _is_short_number(value: str) -> bool:
    return len(_plain(value)) < _SHORT_NUMBER and any(map(str.isdigit, value))


def _length_of_end(word: str, whole: set[str], longest: int) -> int:
    """Return the length of the long number that ends a word after letters: ``mrn0671452``."""
    first = max(len(word) - longest, 1)
    if not word[:first].isalpha():
        return 0
    for start in range(first, len(word) - _LONG_NUMBER + 1):
        if word[start:] in whole:
            return len(word) - start
        if not word[start].isalpha():
            break
    return 0


def _number_forms(value: str) -> Iterator[str]:
    """Yield a number without punctuation, also without letters and zeros before it if long."""
    plain = _plain(value)
    match = _PREFIXED.fullmatch(plain)
    groups = "".join(part.lstrip("0") or part for part in _ALPHANUMERIC.findall(value)).lower()
    forms = (plain, groups, match[1] if match else "")
    for form in forms if any(map(str.isdigit, plain)) else ():
        yield from (f for f in (form, form.lstrip("0")) if len(f) >= _SHORT_NUMBER)


def _number_at(
    text: str, tokens: Sequence[re.Match[str]], n: int, begin: str, wanted: _Wanted
) -> Places:
    """Yield the number that begins with token `n`, read as `begin`."""
    token = last = tokens[n]
    if begin in wanted.whole:
        yield token.span()
    run = begin
    for k in range(n + 1, len(tokens)):
        joined = _BETWEEN_DIGITS.fullmatch(text, last.end(), tokens[k].start())
        if run not in wanted.prefixes or not joined:
            break
        run, last = run + tokens[k][0].lower(), tokens[k]
        if run in wanted.whole:
            # "(617) 555-1234" begins with its bracket.
            in_brackets = text[token.end() : token.end() + 1] == ")"
            bracket = in_brackets and text.startswith("(", max(token.start() - 1, 0))
            yield token.start() - bracket, last.end()


def _plain(value: str) -> str:
    return "".join(_ALPHANUMERIC.findall(value)).lower()


def _last_digits(text: str, values: set[str]) -> Places:
    """Yield the last digits of numbers whose others are masked or left out."""
    digits = ("".join(filter(str.isdecimal, value)) for value in values)
    wanted = {number[-_LAST:] for number in digits if len(number) >= _FEWEST_TO_MASK}
    for match in _MASKED.finditer(text) if wanted else ():
        if match["last"] in wanted:
            yield match.span("last")


def with_codes(text: str, values: set[str]) -> Places:
    """Yield where phone numbers occur in one with the code of a country, whose zero they lose.

    Parameters
    ----------
    text : str
    values : set of str
        Phone numbers.
    """
    national = {_plain(value).lstrip("0") for value in values}
    for match in _WITH_CODE.finditer(text):
        number = match["digits"]
        for n in range(1, _LONGEST_CODE + 1):
            rest = number[n:].lstrip("0")
            if len(rest) >= _FEWEST_NATIONAL and rest in national:
                yield match.span()
