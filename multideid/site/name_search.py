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
_PARTICLES = frozenset(
    "de del della der den des dos das las los les von vom zum zur ter ten bin ibn".split()
)
"""Parts of names that are no name by themselves, but are on every line of some languages."""
_NAMES_AND_PARTICLES = frozenset("van san santa".split())
_BETWEEN = re.compile(r"[ ,.]{1,3}|\.?[-\u2010\u2011\u2013]")
# MS is a disease or a drug more often.
_TITLE = r"(?<![^\W_])(?:[Mm]rs?|MRS?|Ms|Mx|Miss|[Dd]r|DR|Prof|Sra?|Srta|Herr|Frau|Mme)\.?\s"
_TITLE_BEFORE = re.compile(rf"{_TITLE}\Z")
_SHORT_WITH_TITLE = re.compile(rf"{_TITLE}([^\W\d_]{{1,{SHORT}}})(?![^\W_])")
_LONGEST_TITLE = 6  # Characters.
_GOES_ON = re.compile(r"[ \t]+[^\W_]|-[a-z\d]|[/:=]|[^\W_]")
"""After a letter that is no initial."""
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
        Ordinary words in lower case, such as ``hope``, and initials alone.
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
        if _is_certain(group) or _is_titled(group, text):
            # In "Alder A fib", the letter is no initial.
            while len(group) > 1 and _is_stray(group[-1], text, parts):
                group.pop()
            suffix = _SUFFIX.match(text, group[-1].end())
            end = group[-1].end() if suffix is None else suffix.end()
            found.certain.append(with_designation(text, group[0].start(), end))
        elif _own_words(group) or _are_initials(group, text):
            found.doubtful.append((group[0].start(), group[-1].end()))
    return found


def _has_initials(name: str) -> bool:
    """Return whether a name has initials or numbers: ``R. L.``, ``Doe, Jane 44``."""
    words = _ALPHANUMERIC.findall(name)
    return len(words) > 1 and any(len(word) == 1 or word.isdigit() for word in words)


def _is_stray(match: re.Match[str], text: str, parts: set[str]) -> bool:
    is_letter = len(match[0]) == 1 and _plain(match[0]) not in parts
    return is_letter and _GOES_ON.match(text, match.end()) is not None


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
    initials = {part[0] for part in long}
    short = (parts | initials).intersection(map(_plain, _SHORT_WITH_TITLE.findall(text)))
    if not short and not any(part in solid for part in long):
        return
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
    is_possessive = right[0] in ("s", "S")
    if is_possessive or not _SPLIT.fullmatch(text, left.end(), right.start()):
        return False
    return any(not is_ordinary(word) for word in (left[0], right[0])) or (
        left[0][0].isupper() and right[0][0].isupper()
    )


def _is_certain(group: Group) -> bool:
    """Return whether adjacent parts of names are a name, not an ordinary word."""
    words = _own_words(group)
    full = len({fold(word) for word in words}) > 1
    return full or any(not word.islower() or not _is_common(word) for word in words)


def _own_words(group: Group) -> list[str]:
    """Return the words that can be names without others beside them."""
    words = (match[0] for match in group if len(match[0]) > SHORT)
    return [word for word in words if fold(word) not in _PARTICLES]


def _is_common(word: str) -> bool:
    return is_ordinary(word) or word in _NAMES_AND_PARTICLES


def _is_titled(group: Group, text: str) -> bool:
    """Return whether a name has a title, if it is short a capital too: ``Ms Ng``, ``Mrs. O``."""
    start, word = group[0].start(), group[0][0]
    before = text[max(0, start - _LONGEST_TITLE) : start]
    is_name = word[0].isupper() or len(word) > SHORT
    return is_name and fold(word) not in _PARTICLES and _TITLE_BEFORE.search(before) is not None


def _are_initials(group: Group, text: str) -> bool:
    """Return whether a group is of initials with periods: ``R.L.``."""
    letters = all(len(match[0]) == 1 for match in group)
    return letters and len(group) > 1 and text.startswith(".", group[0].end())
