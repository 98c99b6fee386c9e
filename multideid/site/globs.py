"""Words with ``*``, which stands for any letters and digits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

STAR = "*"


def matches(parts: tuple[str, ...], word: str) -> bool:
    """Return whether a word matches a pattern, given as the parts between its stars.

    Takes time linear in the word for each part.

    Examples
    --------
    >>> matches(("st", "ton"), "stanton"), matches(("st", "ton"), "ston"), matches(("st", ""), "st")
    (True, False, True)
    """
    *others, last = parts
    if not word.startswith(others[0]) or not word.endswith(last):
        return False
    place, end = len(others[0]), len(word) - len(last)
    for part in others[1:]:
        found = word.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return place <= end


class Globs:
    """Patterns of words, looked up by what a word begins or ends with.

    Parameters
    ----------
    patterns : iterable of str
        Folded, each with a star.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = defaultdict(list)
        self._by_end: dict[str, list[str]] = defaultdict(list)
        self._others: list[str] = []
        for pattern in dict.fromkeys(patterns):
            first, *_, last = pattern.split(STAR)
            if first:
                self._by_start[first].append(pattern)
            elif last:
                self._by_end[last].append(pattern)
            else:
                self._others.append(pattern)
        self._starts = sorted(set(map(len, self._by_start)))
        self._ends = sorted(set(map(len, self._by_end)))
        self._known: dict[str, tuple[str, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_start or self._by_end or self._others)

    def of(self, word: str) -> tuple[str, ...]:
        """Return the patterns that a folded word matches."""
        if word not in self._known:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            self._known[word] = tuple(self._matching(word)) if word[0].isalnum() else ()
        return self._known[word]

    def _matching(self, word: str) -> Iterator[str]:
        for pattern in self._candidates(word):
            if matches(tuple(pattern.split(STAR)), word):
                yield pattern

    def _candidates(self, word: str) -> Iterator[str]:
        for length in self._starts:
            yield from self._by_start.get(word[:length], ())
        for length in self._ends:
            yield from self._by_end.get(word[-length:], ())
        yield from self._others


_MOST_KNOWN = 100_000
