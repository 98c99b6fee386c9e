"""Surrogates of numbers: other digits in the same shape."""

from __future__ import annotations

import re
from collections.abc import Iterable

from multideid.redact.keys import Draw
from multideid.redact.spelling import WORD, like
from multideid.spans import splice

_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ORDINALS = "ªº"
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\Z", re.I)
_ORDINAL_NUMBER = re.compile(r"(?<![^\W_])(\d{1,9})(st|nd|rd|th)\b", re.I)
_PHONE_WORDS = frozenset(
    "x ext extn extension tel telephone phone fax cell mobile pager beeper or and at "
    "teléfono telefono móvil movil tfno tlf fijo o y".split()
)
_COUNTRY = re.compile(r"\W*(?:\+\d{1,3}(?=[\s(.-]+\d)|1(?=[\s(.-]+\d{3}\D))")
_NORTH_AMERICAN = re.compile(r"(?<!\d)(?:([2-9])\d\d\)?[\s./-]*)?([2-9])\d\d[\s.-]*\d{4}(?!\d)")


def same_shape(text: str, draw: Draw) -> str:
    """Replace each digit by a random digit, and each letter by one of the same case.

    This is how the surrogates of the 2006 challenge were generated (thesis,
    5.1.1). The first digit is zero if and only if it was.
    """
    new = []
    begun = False
    for c in text:
        if c.isdigit():
            new.append(draw.choose(_DIGITS) if begun else _first_digit(c, draw))
        elif c.isalpha() and c not in _ORDINALS:
            letter = draw.choose(_LETTERS)
            new.append(letter.upper() if c.isupper() else letter)
        else:
            new.append(c)
        begun = begun or c.isalnum()
    return "".join(new)


def _first_digit(c: str, draw: Draw) -> str:
    return "0" if c == "0" else draw.choose(_DIGITS[1:])


_COORDINATE = re.compile(r"\s*+(?:[+\-NSEWO]\s*+)?(\d{1,3})[.,]\d{3,}[°\sNSEWO]*+")
_DEGREES = {1: range(10), 2: range(10, 90), 3: range(100, 180)}


def coordinate(text: str, draw: Draw) -> str | None:
    """Replace the digits of a latitude or longitude in decimal degrees, within its range.

    Returns
    -------
    str or None
        None if the text is none with three decimals or more.
    """
    match = _COORDINATE.fullmatch(text)
    if match is None:
        return None
    degrees = str(draw.choose(_DEGREES[len(match[1])]))
    decimals = re.sub(r"\d", lambda _: draw.choose(_DIGITS), text[match.end(1) :])
    return f"{text[: match.start(1)]}{degrees}{decimals}"


def phone(text: str, draw: Draw) -> str:
    """Replace the digits of a phone number, and its letters as in ``555-CALL``.

    The country code and words such as ``ext.`` are kept. Area code and exchange
    of a North American number begin with 2 to 9.
    """
    kept = match.end() if (match := _COUNTRY.match(text)) else 0
    words = (w for w in WORD.finditer(text, kept) if w[0].lower() in _PHONE_WORDS)
    shaped = with_same_shape(text, ((*word.span(), word[0]) for word in words), draw, kept)
    new = [*text[:kept], *shaped]
    for match in _NORTH_AMERICAN.finditer(text):
        for place in (match.start(1), match.start(2)):
            if place >= kept and new[place] in "01":
                new[place] = draw.choose("23456789")
    return "".join(new)


def is_ordinal_ending(word: re.Match[str]) -> bool:
    """Return whether a word in a text is the end of an ordinal number, such as 5th."""
    return _ORDINAL.search(word.string, 0, word.end()) is not None


def ordinal_ending(number: int) -> str:
    """Return the two letters after an ordinal number.

    Examples
    --------
    >>> [ordinal_ending(n) for n in (1, 12, 23, 111)]
    ['st', 'th', 'rd', 'th']
    """
    is_teen = 10 < number % 100 < 20
    return "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def with_same_shape(
    text: str, changes: Iterable[tuple[int, int, str]], draw: Draw, start: int = 0
) -> str:
    """Return a text from `start` on with changes, and `same_shape` of what is between them.

    If the changes keep the ending of an ordinal number, it becomes that of the new number.
    """
    new = splice(text, changes, start, between=lambda part: same_shape(part, draw))
    return _ORDINAL_NUMBER.sub(_with_ending, new)


def _with_ending(match: re.Match[str]) -> str:
    return f"{match[1]}{like(match[2], ordinal_ending(int(match[1])))}"


_IP = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_PORT = re.compile(r"(?<=\d:)\d{1,4}$")


def network_address(text: str, draw: Draw) -> str:
    """Replace the numbers of an IP or hardware address; octets stay below 256."""
    new = _IP.sub(lambda m: re.sub(r"\d+", lambda octet: _octet(octet[0], draw), m[0]), text)
    if new != text:
        # The length of a prefix, as in 10.0.0.0/24, tells nobody.
        return _PORT.sub(lambda m: same_shape(m[0], draw), new)
    hexadecimal = {**dict.fromkeys("abcdef", "abcdef"), **dict.fromkeys(_DIGITS, _DIGITS)}

    def exchanged(c: str) -> str:
        choice = draw.choose(hexadecimal.get(c.lower(), c))
        return choice.upper() if c.isupper() else choice

    return "".join(map(exchanged, text))


def _octet(number: str, draw: Draw) -> str:
    low, high = {1: (1, 9), 2: (10, 99)}.get(len(number), (100, 254))
    return str(low + draw.below(high - low + 1))
