"""Known names are found in a text: part by part, in any order, split, joined, and of newborns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from multideid.redact.spelling import WORD, fold
from multideid.site.exact_search import as_written
from multideid.site.newborns import names_of_children, with_designation, without_designation
from multideid.site.words import is_ordinary

SHORT = 2  # Letters; "Ng" or "Q" is part of a name only beside a longer part.
TITLES = frozenset("mr mrs ms miss dr prof md rn phd".split())
_SHORT_JOINED = 4  # Letters.
_MOST_JOINED = 6  # Words; nobody's name is written so that more are one.
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"[ ,.]{1,3}|-")
_SUFFIX = re.compile(r",? (?:[JS]n?r|[js]n?r|JR|SR|II|III|IV)\b\.?")
_SPLIT = re.compile(r"[ \-\u2010\u2011'\u2019]")
_APOSTROPHES = str.maketrans("", "", "'\u2019\u02bc")
_SEPARATORS = str.maketrans("", "", " -\u2010\u2011'\u2019\u02bc")

Group = list[re.Match[str]]
"""Words side by side that are parts of known names."""


class NamePlaces(NamedTuple):
    """Where known names occur in a text, as half-open offsets.

    Parameters
    ----------
    certain : list of (int, int)
    doubtful : list of (int, int)
        Ordinary words in lower case, such as ``hope``.
    """

    certain: list[tuple[int, int]]
    doubtful: list[tuple[int, int]]


def name_places(text: str, values: Iterable[str]) -> NamePlaces:
    """Return where names occur, as `multideid.site.occurrences.occurrences` says.

    Parameters
    ----------
    text : str
    values : iterable of str
        Names of one part or more.
    """
    names = list(values)
    parts = {part for name in names for part in _parts(name)}
    found = NamePlaces([*as_written(text, filter(_has_initials, names))], [])
    for group in _groups(text, parts):
        if _is_certain(group):
            # In "Alder A fib", the letter is no initial.
            while _is_stray(group[-1], text, parts):
                group.pop()
            suffix = _SUFFIX.match(text, group[-1].end())
            end = group[-1].end() if suffix is None else suffix.end()
            found.certain.append(with_designation(text, group[0].start(), end))
        elif any(len(match[0]) > SHORT for match in group):
            found.doubtful.append((group[0].start(), group[-1].end()))
    return found


def _has_initials(name: str) -> bool:
    """Return whether a name has initials or numbers: ``R. L.``, ``Doe, Jane 44``."""
    words = _ALPHANUMERIC.findall(name)
    return len(words) > 1 and any(len(word) == 1 or word.isdigit() for word in words)


def _is_stray(match: re.Match[str], text: str, parts: set[str]) -> bool:
    is_letter = len(match[0]) == 1 and _plain(match[0]) not in parts
    return is_letter and not text.startswith(".", match.end())


def _plain(word: str) -> str:
    if word.isascii():
        return word.lower().replace("'", "")
    return fold(word).translate(_APOSTROPHES)


def _parts(name: str) -> Iterator[str]:
    """Yield the parts of a name, also joined: ``maryann`` of Mary Ann."""
    words = [part for part in map(_plain, WORD.findall(name)) if part not in TITLES]
    own = without_designation(words)
    yield from own
    for word in own:
        if len(word) > SHORT:
            yield from names_of_children(word)
    for begin, end in combinations(range(min(len(own), _MOST_JOINED) + 1), 2):
        joined = "".join(own[begin:end])
        if end - begin > 1 and len(joined) >= _SHORT_JOINED and not is_ordinary(joined):
            yield joined


def _groups(text: str, parts: set[str]) -> Iterator[Group]:
    long = [part for part in parts if len(part) > SHORT]
    # Most notes have none of most names, which a search for each shows sooner.
    solid = fold(text).translate(_SEPARATORS)
    if not any(part in solid for part in long):
        return
    initials = {part[0] for part in long}
    group: Group = []
    for match, is_part in _marked(list(WORD.finditer(text)), text, parts, initials):
        if group and not (is_part and _BETWEEN.fullmatch(text, group[-1].end(), match.start())):
            yield group
            group = []
        if is_part:
            group.append(match)
    if group:
        yield group


def _marked(
    matches: list[re.Match[str]], text: str, parts: set[str], initials: set[str]
) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the words of a text, and whether each is a part of a name."""
    plain = [_plain(match[0]) for match in matches]
    split = -1
    for n, (match, word) in enumerate(zip(matches, plain, strict=True)):
        if n + 1 < len(plain) and word + plain[n + 1] in parts:
            split = n + 1 if _is_split(text, match, matches[n + 1]) else split
        is_initial = len(word) == 1 and match[0].isupper() and word in initials
        yield match, is_initial or word in parts or n in (split, split - 1)


def _is_split(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    """Return whether two words are one part of a name, such as ``Mac Donald``."""
    if not _SPLIT.fullmatch(text, left.end(), right.start()):
        return False
    return any(not is_ordinary(word) for word in (left[0], right[0])) or (
        left[0][0].isupper() and right[0][0].isupper()
    )


def _is_certain(group: Group) -> bool:
    """Return whether adjacent parts of names are a name, not an ordinary word."""
    words = [match[0] for match in group if len(match[0]) > SHORT]
    full = len({fold(word) for word in words}) > 1
    return full or any(not word.islower() or not is_ordinary(word) for word in words)
