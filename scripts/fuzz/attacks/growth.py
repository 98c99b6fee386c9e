"""Lines on which a regular expression may take more than linear time, and how time grows."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

SIZES = (10_000, 20_000, 40_000)
_MOST_GROWTH = 1.5
_ENOUGH_SECONDS = 0.05  # Longer times need not be measured again.
_CHARACTERS = "a A1 .-,:;/<>()[]{}&=!'\"@#_*|\\^+\n\t\r\x1fé"
_UNITS = (
    *dict.fromkeys(_CHARACTERS),
    *(
        "<!--",
        "<a ",
        "a ",
        "A ",
        "Aa",
        "Aa ",
        "A. ",
        "a.",
        "1 ",
        "1-",
        "1/",
        "1.",
        "a1",
        "1a",
        "-a",
    ),
    *("\n ", " \n", "a\n", "A\n", "\r\n", "a@", "a=", "a='", 'a="', "&a", "\\a", "((", "a,", "a:"),
)
_SAMPLES = "aA1 .-,:;/<>()[]{}&=!'\"@#_\n\x00é0b"


class Line(NamedTuple):
    """A line that repeats `unit`."""

    before: str
    unit: str
    after: str

    def __call__(self, size: int) -> str:
        return self.before + self.unit * (size // len(self.unit)) + self.after


def lines(pattern: str | bytes, flags: int) -> list[Line]:
    """Return lines of any size: repeated characters, and repeated parts of the pattern."""
    units = [Line("", unit, end) for unit in _UNITS for end in ("", "\x00")]
    tree = _parser.parse(pattern, flags)
    made = [Line(before, unit, "\x00") for before, unit in _repeats(tree, "")]
    return list(dict.fromkeys([*units, *made]))


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield each repeated part of a pattern, and all parts of it together, as text repeats them."""
    start = before
    for kind, argument in tree:
        for part in _parts(kind, argument):
            yield from _repeats(part, before)
        here = _example(kind, argument)
        if kind in _REPEATS and (unit := _text(argument[2])):
            yield before, unit
        before += here
        if before:
            yield "", before
    if before != start and start:
        yield start, before[len(start) :]


_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


def _parts(kind: Any, argument: Any) -> list[Any]:
    if kind in _REPEATS:
        return [argument[2]]
    if kind is op.SUBPATTERN:
        return [argument[3]]
    if kind is op.ATOMIC_GROUP:
        return [argument]
    if kind is op.BRANCH:
        return list(argument[1])
    return []


def _text(tree: Any) -> str:
    return "".join(_example(kind, argument) for kind, argument in tree)


def _example(kind: Any, argument: Any) -> str:
    """Return a text that this part of a pattern matches, as a rule; empty where none is known."""
    if kind is op.LITERAL:
        return chr(argument)
    if kind is op.ANY:
        return "a"
    if kind is op.NOT_LITERAL:
        return "b" if argument == ord("a") else "a"
    if kind is op.IN:
        return str(next((c for c in _candidates(argument) if _holds(argument, c)), ""))
    if kind in _REPEATS:
        return str(_text(argument[2]) * min(max(argument[0], 1), 3))
    return "".join(_text(part) for part in _parts(kind, argument)[:1])


def _candidates(members: Any) -> str:
    own = [chr(v if k is op.LITERAL else v[0]) for k, v in members if k in (op.LITERAL, op.RANGE)]
    return "".join(own) + _SAMPLES


def _holds(members: Any, character: str) -> bool:
    found: bool = any(_is(kind, value, character) for kind, value in members)
    return found is not (members[0][0] is op.NEGATE)


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _is(kind: Any, value: Any, character: str) -> bool:
    if kind is op.LITERAL:
        return bool(ord(character) == value)
    if kind is op.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    return bool(kind is op.CATEGORY and re.match(_CATEGORIES[value], character))


def _search(pattern: re.Pattern[Any], text: Any) -> None:
    for _match in pattern.finditer(text):
        pass


def _scan(pattern: re.Pattern[Any], text: Any) -> None:
    match, place = pattern.match(text), 0
    while match and match.end() > place:
        place = match.end()
        match = pattern.match(text, place)


_WAYS: dict[str, Callable[[re.Pattern[Any], Any], object]] = {
    "search": _search,
    "scan": _scan,
    "match": re.Pattern.match,
    "fullmatch": re.Pattern.fullmatch,
}


def seconds(pattern: re.Pattern[Any], way: str, line: str, times: int = 1) -> float:
    """Measure how long a pattern takes on a line at best, in a way of `patterns.ways`."""
    best = float("inf")
    text = line if isinstance(pattern.pattern, str) else line.encode("latin-1", "replace")
    for _ in range(times):
        start = time.thread_time()
        _WAYS[way](pattern, text)
        best = min(best, time.thread_time() - start)
        if best > _ENOUGH_SECONDS:
            break
    return best


def slow_line(pattern: re.Pattern[Any], way: str, every: bool = False) -> Line | None:
    """Return a line on which a pattern takes more than linear time, if one is found.

    Parameters
    ----------
    pattern : re.Pattern
    way : str
    every : bool, default False
        Whether to measure growth on every line, not only where a line of a thousand characters
        takes more than twice as long a character as one of a hundred.
    """
    for line in lines(pattern.pattern, pattern.flags):
        if (every or _is_suspect(pattern, way, line)) and _grows(pattern, way, line):
            return line
    return None


def _is_suspect(pattern: re.Pattern[Any], way: str, line: Line) -> bool:
    short = seconds(pattern, way, line(125), 2) / 125
    return seconds(pattern, way, line(1_000)) / 1_000 > 2 * short + 1e-7


def _grows(pattern: re.Pattern[Any], way: str, line: Line) -> bool:
    """Return whether time grows by more than linear growth and noise at each of two doublings."""
    return all(
        growth(pattern, way, line, sizes) > _MOST_GROWTH
        for sizes in (SIZES[:2], SIZES[1:], SIZES[:2])
    )


def growth(pattern: re.Pattern[Any], way: str, line: Line, sizes: tuple[int, ...]) -> float:
    """Return the exponent of the size by which time grows: 1 where it is linear."""
    times = [seconds(pattern, way, line(size), 3) for size in sizes]
    return math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])
