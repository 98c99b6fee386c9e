"""Names of newborns before they have one: ``Baby Boy Alder``, ``ALDER, BG``, ``B/o Mary``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORDS = frozenset(
    "baby babyboy babygirl infant newborn neonate nb bb bg twin triplet boy girl".split()
)
_WITH_THEM = frozenset("of male female one two three".split())

_LONGEST = 40  # Characters of a designation.
_CHILD = r"(?:baby|infant|newborn|neonate|nb)"
_SEX = r"(?:boy|girl|male|female)"
_NUMBER = r"(?:\s*#?(?:[a-d]|[1-4]|i{1,3}|one|two|three)\b)"
_KIND = (
    rf"(?:{_CHILD}[\s-]?{_SEX}?|boy|girl|bb|bg|b\.?/?\s?o\b\.?|twin|triplet)(?![^\W\d_]){_NUMBER}?"
    r"(?:\s+of\b)?"
)
_BEFORE = re.compile(rf"(?<![^\W_])(?:{_KIND}[\s-]{{1,2}}){{1,2}}\Z", re.IGNORECASE)
_AFTER_COMMA = re.compile(rf",\s?{_KIND}", re.IGNORECASE)
_AFTER = re.compile(rf"[\s-]{{1,2}}(?=[A-Z]){_KIND}", re.IGNORECASE)
_CHILDREN = ("boy", "girl")


def with_designation(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of a name with the designation of a newborn beside it.

    After a name, it needs a comma or a capital.

    Parameters
    ----------
    text : str
    start, end : int
        Offsets of the name.

    Examples
    --------
    >>> with_designation("seen Baby Girl Alder today", 15, 20)
    (5, 20)
    >>> with_designation("ALDER, BG A: well", 0, 5)
    (0, 11)
    """
    before = text[max(0, start - _LONGEST) : start]
    if (left := _BEFORE.search(before)) is not None:
        start -= len(before) - left.start()
    after = text[end : end + _LONGEST]
    right = _AFTER_COMMA.match(after) or _AFTER.match(after)
    if right is not None and (right[0].startswith(",") or after.lstrip(" -")[:1].isupper()):
        end += right.end()
    return start, end


def without_designation(words: Sequence[str]) -> list[str]:
    """Return the folded words of a name that are no designation, or all if the rest is none."""
    if _WORDS.isdisjoint(words):
        return list(words)
    return [word for word in words if word not in _WORDS | _WITH_THEM] or list(words)


def names_of_children(part: str) -> tuple[str, ...]:
    """Return how wards name a newborn by a name of the mother: ``judysgirl``."""
    return tuple(f"{part}s{child}" for child in _CHILDREN)
