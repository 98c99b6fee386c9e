"""Phone numbers of ranges that are reserved for fiction."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.redact.invented.numbers import phone
from multideid.redact.keys import Draw

_AMERICAN = re.compile(
    r"(?<!\d)(?P<code>1[\s.-]*)?(?:\(?(?P<area>[2-9]\d\d)\)?[\s./-]*)?"
    r"(?P<number>[2-9]\d\d[\s.-]*\d{4})(?!\d)"
)
_BRITISH = re.compile(
    r"(?<!\d)(?:(?P<code>(?:\+|00)44[\s.-]*(?:\(0\)[\s.-]*)?)|(?P<zero>\(?0))"
    r"(?P<number>(?:1(?:[\s().-]*\d){8}|\d(?:[\s().-]*\d){9}))(?!\d)"
)
_IN_PAIRS = re.compile(r"0\d(?:[\s.-]\d\d){4}")
_MOBILE, _LONDON, _ELSEWHERE = "7700900", "2079460", "1632960"


def fictional_phone(text: str, draw: Draw) -> str:
    """Return another phone number in the same form, of a range for fiction if its country has one.

    In North America that is 555-0100 to 555-0199 in any area; in the United Kingdom 07700 900,
    020 7946 0 and 01632 960 with three more digits (Ofcom). Other numbers get other digits.
    """
    new = list(phone(text, draw))
    if len(new) != len(text):
        return "".join(new)
    for match, digits in _ranges(text):
        _keep_code(new, text, match)
        if (area := match.groupdict().get("area")) and new[match.start("area")] in "01":
            new[match.start("area")] = draw.choose("23456789".replace(area[0], ""))
        fresh = iter(digits)
        for place in range(*match.span("number")):
            if text[place].isdigit() and (digit := next(fresh, "")):
                new[place] = digit
    return "".join(new)


def _keep_code(new: list[str], text: str, match: re.Match[str]) -> None:
    for name in ("code", "zero"):
        if match.groupdict().get(name):
            start, end = match.span(name)
            new[start:end] = text[start:end]


def _ranges(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the numbers in a text, with the digits that they shall begin with."""
    british = [] if _IN_PAIRS.search(text) else list(_BRITISH.finditer(text))
    for match in british:
        national = re.sub(r"\D", "", match["number"])
        elsewhere = _LONDON if national.startswith("20") else _ELSEWHERE
        yield match, _MOBILE if national.startswith("7") else elsewhere
    for match in () if british else _AMERICAN.finditer(text):
        yield match, "55501"
