"""How dates, phone numbers and identifiers are written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

_WITH_EXTENSION = 0.1

DATE_STYLES: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day:%m/%d/%Y}",
    lambda day: f"{day.month}/{day.day}/{day:%y}",
    lambda day: f"{day:%m/%d/%y}",
    lambda day: f"{day:%m-%d-%Y}",
    lambda day: day.isoformat(),
    lambda day: f"{day:%B} {day.day}, {day.year}",
    lambda day: f"{day:%b} {day.day}, {day.year}",
    lambda day: f"{day:%d}-{day:%b}-{day.year}".upper(),
    lambda day: f"{day.day} {day:%B} {day.year}",
)
SHORT_DATE_STYLES: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day.month}/{day.day}",
    lambda day: f"{day:%m/%d}",
    lambda day: f"{day.month}-{day.day}",
    lambda day: f"{day:%B} {day.day}",
    lambda day: f"{day:%b}. {day.day}",
    lambda day: f"{day:%B} {_ordinal(day.day)}",
    lambda day: f"the {_ordinal(day.day)} of {day:%B}",
)
_PHONE_STYLES = (
    "{0}-{1}-{2}",
    "({0}) {1}-{2}",
    "{0}.{1}.{2}",
    "{0} {1} {2}",
    "{1}-{2}",
    "1-{0}-{1}-{2}",
)
PAGER_STYLES = ("99999", "9-9999", "#9999")
_EXTENSION_STYLES = ("x{0}", "ext. {0}", "extension {0}", "x4-{0}")
ID_STYLES = ("9999999", "999-99-99", "99-99-99-9", "A9999999", "MR-999999", "0099999-9", "99999999")
ACCOUNT_STYLES = ("A99999999999", "9999999-001", "AA999999", "99999 99999")
JOB_STYLES = ("9999999", "999999", "A9999/999999", "99999999 99")
ACCESSION_STYLES = ("S09-99999", "A99-9999", "SP-99-999999")


def write_date(random: Random, day: date) -> str:
    """Write a date in running text, often without its year."""
    styles = SHORT_DATE_STYLES if random.random() < 0.5 else DATE_STYLES
    return random.choice(styles)(day)


def write_phone(random: Random) -> str:
    """Write an invented phone number, now and then with an extension."""
    # Numbers after 555 are not given to anybody.
    area, line = random.randint(201, 989), f"{random.randint(100, 9999):04}"
    plain = random.choice(_PHONE_STYLES).format(area, 555, line)
    if random.random() < _WITH_EXTENSION:
        extension = random.choice(_EXTENSION_STYLES).format(random.randint(100, 9999))
        return f"{plain} {extension}"
    return plain


def write_digits(random: Random, patterns: tuple[str, ...]) -> str:
    """Fill one of the patterns: 9 stands for any digit, A for any capital."""
    choices = {"9": "0123456789", "A": "ABCDEFGHKLMNRSTVW"}
    return "".join(random.choice(choices.get(c, c)) for c in random.choice(patterns))


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if 10 < number < 20 else endings.get(number % 10, 'th')}"
