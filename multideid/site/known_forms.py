"""Other forms in which notes have the phone numbers and addresses of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.spelling import fold

_FEWEST_DIGITS = 7  # Of a phone number; fewer occur by chance.
_NORTH_AMERICAN = re.compile(r"1?([2-9]\d\d([2-9]\d{6}))")
_BRITISH = re.compile(r"(?:44|0)((?:[13]|7|20|2[3-9])\d{8,9})")
_LONDON = re.compile(r"20(\d{8})")
_SPANISH = re.compile(r"(?:34)?([6-9]\d{8})")
_LONG_ZIP = re.compile(r"\b(\d{5})-\d{4}\b")
_TRUNK = re.compile(r"\(0\)")
# Between the numbers of a cell, and before an extension.
_BETWEEN_PHONES = re.compile(r"\s/\s|,|[^\W\d_]+|#")
_ADDRESS_PARTS = re.compile(r"[,\n]|\b(?=(?:apt|apartment|unit|suite|ste|flat|room)\b)", re.I)
_LEAST_LETTERS = 4  # Of a name without a word such as "street".
_LEAST_LETTERS_OF_STREET = 2
_UNITS = frozenset("unit flat room floor".split())

SAME_WORDS: Mapping[str, str] = {
    long: short
    for short, *longs in (
        group.split()
        for group in (
            "st street saint str",
            "ave avenue av",
            "rd road",
            "ln lane",
            "dr drive",
            "ct court",
            "pl place",
            "blvd boulevard",
            "sq square",
            "hwy highway",
            "ter terrace terr",
            "pkwy parkway",
            "cir circle",
            "apt apartment",
            "ste suite",
            "mt mount",
            "ft fort",
            "n north",
            "s south",
            "e east",
            "w west",
            "c calle",
            "r rue",
            "avda avenida",
            "pza plaza",
            "hosp hospital",
            "ctr center centre",
        )
    )
    for long in longs
}
"""Words of addresses and institutions, with the shorter form that notes also have."""


def forms_of(label: str, value: str) -> Iterator[str]:
    """Yield a value of a table and its other forms.

    Phone numbers are given with and without the code of their country, North American ones
    also without the area, and without what else is in the cell, such as an extension.
    Addresses are also given line by line, and postcodes of nine digits without the last four.

    Parameters
    ----------
    label, value : str

    Examples
    --------
    >>> sorted(forms_of("STREET", "12 Oak Street, Ames"))
    ['12 Oak Street', '12 Oak Street, Ames', 'Oak Street']
    """
    yield value
    if label == "ZIP":
        yield from _LONG_ZIP.findall(value)
    kind = surrogate_kind(label)
    yield from _FORMS[kind](value) if kind in _FORMS else ()


def _phones(value: str) -> Iterator[str]:
    for part in _BETWEEN_PHONES.split(value):
        digits = re.sub(r"\D", "", _TRUNK.sub("", part))
        is_international = part.strip().startswith(("+", "00", "(+"))
        plain = digits.removeprefix("00")
        forms = [digits, *_without_country(plain if is_international else "")]
        yield from (f for f in (*forms, *_national(plain)) if len(f) >= _FEWEST_DIGITS)


def _without_country(digits: str) -> Iterator[str]:
    """Yield a number without a code of one to three digits."""
    yield from (digits[n:] for n in range(1, 4))


def _national(digits: str) -> Iterator[str]:
    """Yield the forms of numbers of countries whose numbers tell the country."""
    if match := _NORTH_AMERICAN.fullmatch(digits):
        yield from (match[1], f"1{match[1]}", match[2])
    elif match := _BRITISH.fullmatch(digits):
        yield from (match[1], f"44{match[1]}")
        yield from _LONDON.findall(match[1])
    elif match := _SPANISH.fullmatch(digits):
        yield from (match[1], f"34{match[1]}")


def _address_lines(value: str) -> Iterator[str]:
    """Yield the parts of an address that have a number and a name, and those without their number.

    Without it, the name has a word such as "street", and does without that beside the number.
    """
    for part in map(str.strip, _ADDRESS_PARTS.split(value)):
        if any(map(str.isdigit, part)) and (names := _names_in(part)):
            yield part
            yield from _shorter_lines(part, names)


def _names_in(part: str) -> str:
    """Return the letters of the name of a street, which may be few beside a word of addresses."""
    words = re.findall(r"[^\W\d_]+", part)
    names = [word for word in words if not _is_address_word(word)]
    least = _LEAST_LETTERS if len(names) == len(words) else _LEAST_LETTERS_OF_STREET
    letters = "".join(names)
    return letters if len(letters) >= least else ""


def _shorter_lines(part: str, letters: str) -> Iterator[str]:
    """Yield ``Oakvale Street`` and ``12 Oakvale`` of ``12 Oakvale Street``.

    A short name has a word such as "street" beside it: "10 Day" would be found in "10 day course".
    """
    words = part.replace(".", " ").split()
    names = [word for word in words if not any(map(str.isdigit, word))]
    if any(map(_is_address_word, names)) and len(names) > 1:
        yield " ".join(names)
    is_long = len(letters) >= _LEAST_LETTERS
    if is_long and len(words) > len(names) and _is_address_word(words[-1]):
        yield " ".join(words[:-1])


def _is_address_word(word: str) -> bool:
    folded = fold(word)
    return folded in SAME_WORDS or folded in SAME_WORDS.values() or folded in _UNITS


_FORMS: dict[SurrogateKind | None, Callable[[str], Iterator[str]]] = {
    SurrogateKind.PHONE: _phones,
    SurrogateKind.STREET: _address_lines,
}
