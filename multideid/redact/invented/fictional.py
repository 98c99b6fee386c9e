"""Phone numbers of ranges that are reserved for fiction."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.redact.invented.numbers import phone
from multideid.redact.keys import Draw

_AMERICAN = re.compile(
    r"(?<![\d])(?:1[\s.-]+)?(?:\(?[2-9]\d\d\)?[\s./-]*)?([2-9]\d\d[\s.-]*\d{4})(?!\d)"
)
_BRITISH = re.compile(r"(?<!\d)(?:\+44[\s.-]*(?:\(0\)[\s.-]*)?|\(?(0))((?:\d[\s().-]*){9}\d)(?!\d)")
_MOBILE, _LONDON, _ELSEWHERE = "7700900", "2079460", "1632960"


def fictional_phone(text: str, draw: Draw) -> str:
    """Return another phone number in the same form, of a range for fiction if its country has one.

    In North America that is 555-0100 to 555-0199 in any area; in the United Kingdom 07700 900,
    020 7946 0 and 01632 960 with three more digits (Ofcom). Other numbers get other digits.
    """
    new = list(phone(text, draw))
    if len(new) != len(text):
        return "".join(new)
    for start, end, digits in _ranges(text):
        fresh = iter(digits)
        for place in range(start, end):
            if text[place].isdigit() and (digit := next(fresh, "")):
                new[place] = digit
    return "".join(new)


def _ranges(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield parts of a number with the digits that they begin with."""
    british = list(_BRITISH.finditer(text))
    for match in british:
        national = re.sub(r"\D", "", match[2])
        range_ = _LONDON if national.startswith("20") else _ELSEWHERE
        start = match.start(1) if match[1] else match.start(2)
        zero = match[1] or ""
        yield start, match.end(), zero + (_MOBILE if national.startswith("7") else range_)
    for match in () if british else _AMERICAN.finditer(text):
        yield match.start(1), match.end(), "55501"
