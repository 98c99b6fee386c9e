"""Text in percent-encoding, as forms and addresses of web pages write it.

In it, ``Martha%20Alder`` is no name, and ``3%2F14%2F2007`` no date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_MARK = r"%(?:0[9AD]|2[0-9A-F]|3[A-F]|40|5[BCDEF]|60|7[B-E])"
"""A white space or mark in ASCII."""

# What nobody writes otherwise: two words of which one is a name, or a comma, slash, colon
# and the like between letters.
_CERTAIN = re.compile(
    r"(?<![\w%])[A-Z][A-Za-z'\-]{1,40}\.?%20[A-Z][A-Za-z]"
    r"|(?<=[A-Za-z])%(?:2[CF]|3[ABDF]|0[AD]|7C)(?=[A-Za-z])"
    r"|(?<=[A-Za-z])%25(?:20|2[CF])(?=[A-Za-z])"
    r"|%u0[0-9A-Fa-f]{3}(?=[A-Za-z])"
)
# What a note may hold once, such as percentages without spaces; "2D" is an echocardiogram.
_SIGN = re.compile(
    r"(?<=[A-Za-z.,])%20(?=[A-Za-z(])"
    r"|(?<=[\w.)])%(?:2[BCF]|3[ABDEF]|0[AD]|5[BD]|7[BCD])(?=[\w(])"
    rf"|{_MARK}(?={_MARK})",
    re.IGNORECASE,
)
_FEWEST_SIGNS = 2
# The addresses that models find as a whole.
_ADDRESS = re.compile(
    r"(?:https?|ftp)://|\bwww\.|(?:[a-z0-9\-]{1,40}\.){1,4}[a-z]{2,10}/", re.IGNORECASE
)
_ENDS_ADDRESS = re.compile(r"[\s<>\"'()\[\]{}|]")


def percent_encoded(text: str) -> int | None:
    """Return the offset of text in percent-encoding; None if there is none.

    Addresses of the web, which are replaced as a whole, do not count.

    Examples
    --------
    >>> percent_encoded("name=Martha%20Alder"), percent_encoded("Neut 100%20 bands")
    (5, None)
    """
    if "%" not in text:
        return None
    for pattern, fewest in ((_CERTAIN, 1), (_SIGN, _FEWEST_SIGNS)):
        found = list(islice(_outside_addresses(text, pattern), fewest))
        if len(found) == fewest:
            return found[0]
    return None


def _outside_addresses(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    """Yield the offsets of a pattern outside of web addresses."""
    end = 0
    for match in pattern.finditer(text):
        if match.start() < end:
            continue
        start = _part_start(text, match.start(), end)
        if _ADDRESS.search(text, start, match.start()):
            stop = _ENDS_ADDRESS.search(text, match.start())
            end = stop.start() if stop else len(text)
        else:
            yield match.start()


def _part_start(text: str, place: int, least: int) -> int:
    """Return where the run of characters begins that an address could have."""
    while place > least and not _ENDS_ADDRESS.match(text[place - 1]):
        place -= 1
    return place
