"""Numbers, dates and marks as they are said, as a speech recognition writes them down."""

from __future__ import annotations

import re
from random import Random

from multideid.redact.invented.date_words import month as month_word

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_MONTHS = month_word("january").series
_DATE = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d\d))?(?!\d)")
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_ORDINAL = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)\b")
_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DECIMAL = re.compile(r"(\d+)\.(\d+)")
_RATIO = re.compile(r"(\d+)/(\d+)")
_GLUED = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=\d):(?=\d)")
_SIGN = re.compile(r"[-/.@:()#%_+]")
_SIGNS = {
    "-": ("dash", "hyphen", ""),
    "/": ("slash", ""),
    ".": ("dot", "point", ""),
    "@": ("at",),
    "%": ("percent",),
    "+": ("plus",),
    "_": ("underscore",),
    "#": ("number", ""),
}
_LAST_DAY, _LONGEST_NUMBER = 31, 4
_NAMED, _THOUSANDS, _HUNDREDS = 0.8, 0.3, 0.6
"""Probabilities that a date is said with its month's name, that a year is said in thousands, and
that another number is said in hundreds."""
_SPELLED = frozenset(("ID", "PHONE", "EMAIL", "URL"))


def in_words(number: int) -> str:
    """Return a number from 0 to 9,999 in words.

    Examples
    --------
    >>> in_words(1042)
    'one thousand forty two'
    """
    if number < 20:
        return _SMALL[number]
    if number < 100:
        return f"{_TENS[number // 10]} {in_words(number % 10) if number % 10 else ''}".rstrip()
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % size
    return f"{in_words(number // size)} {name} {in_words(rest) if rest else ''}".rstrip()


def ordinal(number: int) -> str:
    """Return an ordinal number in words.

    Examples
    --------
    >>> ordinal(22)
    'twenty second'
    """
    *before, last = in_words(number).split()
    stem = last.removesuffix("y") + "ie" if last.endswith("y") else last
    return " ".join([*before, _ORDINALS.get(last, f"{stem}th")])


class SpokenNumbers:
    """Says the numbers of one document, whose speaker keeps to some habits.

    Parameters
    ----------
    rng : random.Random
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._zero = rng.choice(("zero", "oh"))
        self._double = rng.random() < 0.25
        self._day_first = rng.random() < 0.3

    def __call__(self, text: str, label: str | None) -> str:
        """Return a text without digits.

        Parameters
        ----------
        text : str
        label : str or None
            Its PHI label: numbers of things are said digit by digit, dates as dates.
        """
        if label in _SPELLED:
            return self._spelled(text)
        if label == "DATE":
            text = _ISO.sub(lambda m: self._date(m[2], m[3], m[1]), text)
            text = _DATE.sub(lambda m: self._date(m[1], m[3], m[4]), text)
        text = _ORDINAL.sub(lambda m: ordinal(int(m[1])), text)
        text = _GLUED.sub(" ", text)
        text = _DECIMAL.sub(lambda m: f"{self._whole(m[1])} point {self._digits(m[2])}", text)
        text = _RATIO.sub(lambda m: f"{self._whole(m[1])} over {self._whole(m[2])}", text)
        return _NUMBER.sub(lambda m: self._whole(m[0]), text.replace("%", " percent"))

    def _spelled(self, text: str) -> str:
        parts = re.findall(r"\d+|[^\W\d_]+|.", text)
        said = [self._digits(p) if p.isdecimal() else self._sign(p) for p in parts]
        return " ".join(" ".join(said).split()) or text

    def _sign(self, part: str) -> str:
        return self._rng.choice(_SIGNS.get(part, ("",))) if _SIGN.fullmatch(part) else part

    def _digits(self, digits: str) -> str:
        said: list[str] = []
        for digit in digits:
            word = self._zero if digit == "0" else _SMALL[int(digit)]
            if self._double and said and said[-1] == word:
                said[-1] = f"double {word}"
            else:
                said.append(word)
        return " ".join(said)

    def _date(self, first: str, second: str, year: str | None) -> str:
        month, day = int(first), int(second)
        if self._day_first or month > len(_MONTHS):
            month, day = day, month
        if 1 <= month <= len(_MONTHS) and 1 <= day <= _LAST_DAY and self._rng.random() < _NAMED:
            said = self._named(_MONTHS[month - 1], ordinal(day))
        else:
            said = f"{in_words(int(first))} {in_words(int(second))}"
        return f"{said} {self._year(year)}" if year else said

    def _named(self, month: str, day: str) -> str:
        if not self._day_first:
            return f"{month} {day}"
        return f"{self._rng.choice(('the ', '', ''))}{day} of {month}"

    def _year(self, year: str) -> str:
        number = int(year)
        if len(year) == 2:
            return in_words(number) if number > 9 else f"oh {in_words(number)}"
        if 2000 <= number < 2010 or (number > 2009 and self._rng.random() < _THOUSANDS):
            return in_words(number)
        return _by_hundreds(number)

    def _whole(self, digits: str) -> str:
        if _YEAR.fullmatch(digits):
            return self._year(digits)
        if len(digits) > _LONGEST_NUMBER or (len(digits) > 1 and digits[0] == "0"):
            return self._digits(digits)
        if len(digits) > 2 and self._rng.random() < _HUNDREDS:
            return _by_hundreds(int(digits))
        return in_words(int(digits))


def _by_hundreds(number: int) -> str:
    """Return a number of three or four digits as two numbers: 2210 is twenty two ten."""
    high, low = divmod(number, 100)
    rest = "hundred" if not low else f"oh {in_words(low)}" if low < 10 else in_words(low)
    return f"{in_words(high)} {rest}"
