"""Known names are found in a text: part by part, in any order, split, joined, and of newborns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from multideid.redact.spelling import WORD, fold
from multideid.site.exact_search import as_written
from multideid.site.name_parts import MOST_INITIALS, PARTICLES, SHORT, NameParts, plain
from multideid.site.newborns import with_designation
from multideid.site.words import is_common_in_notes, is_ordinary

_ALPHANUMERIC = re.compile(r"[^\W_]+")
_NAMES_AND_PARTICLES = frozenset("van san santa".split())
_BETWEEN = re.compile(
    r"(?:\.?[\u00aa\u00ba])?[ ,.]{1,3}|\.?[-_\u2010\u2011\u2013]|['\u2018\u2019`\u00b4] ?"
)
# MS is a disease or a drug more often.
_TITLE = r"(?<![^\W_])(?:[Mm]rs?|MRS?|Ms|Mx|Miss|[Dd]r|DR|Prof|Sra?|Srta|Herr|Frau|Mme)\.?\s"
_TITLE_BEFORE = re.compile(rf"{_TITLE}\Z")
_SHORT_WITH_TITLE = re.compile(rf"{_TITLE}([^\W\d_]{{1,{SHORT}}})(?![^\W_])")
_LONGEST_TITLE = 6  # Characters.
_NAMED = r"named|(?:sur|nick)?name(?: is|:)|nombre:|apellidos?:|a\.?k\.?a\.?|goes by"
_NAMED_BEFORE = re.compile(rf"(?<![^\W_])(?:{_NAMED})\s{{1,2}}\Z", re.IGNORECASE)
_LONGEST_NAMED = 14  # Characters.
_DETERMINER_BEFORE = re.compile(
    r"(?<![^\W_])(?:an?|the|this|that|these|those|any|each|every|no|some|my|your|his|her|its|our|their)"
    r"\s{1,2}\Z",
    re.IGNORECASE,
)
_LONGEST_DETERMINER = 8  # Characters.
_GOES_ON = re.compile(r"[ \t]+[^\W_]|-[a-z\d]|[/:=]|[^\W_]")
"""After a letter that is no initial."""
_SUFFIX = re.compile(r",? (?:[JS]n?r|[js]n?r|JR|SR|II|III|IV)\b\.?")
_SPLIT = re.compile(r"[ \-\u2010\u2011]|['\u2018\u2019`\u00b4] ?")
_SEPARATORS = str.maketrans("", "", " -\u2010\u2011'\u2018\u2019\u02bc`")
_LONE_INITIALS = re.compile(r"(?<![^\W_])(?:(?:[^\W\d_]\.[- ]?){2,3}|[^\W\d_]{3}(?![^\W_]))")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""Letters of scripts that have no spaces between words, or write particles onto names."""
_FULL_CHINESE = 3  # Characters: a surname of one, and a given name.

Group = list[re.Match[str]]
"""Words side by side that are parts of known names."""


class NamePlaces(NamedTuple):
    """Where known names occur in a text, as half-open offsets.

    Parameters
    ----------
    certain : list of (int, int)
    doubtful : list of (int, int)
        Words in lower case that notes often have, such as ``hope``, and initials alone.
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
    parts = NameParts.of(names)
    found = NamePlaces([*as_written(text, filter(_has_initials, names))], [])
    found.certain.extend(_unspaced(text, names))
    for group in _groups(text, parts):
        if _is_certain(group, text, parts) or _is_titled(group, text):
            # In "Alder A fib", the letter is no initial.
            while len(group) > 1 and _is_stray(group[-1], text, parts):
                group.pop()
            suffix = _SUFFIX.match(text, group[-1].end())
            end = group[-1].end() if suffix is None else suffix.end()
            found.certain.append(with_designation(text, group[0].start(), end))
        elif _own_words(group, parts) or _are_initials(group, text):
            found.doubtful.append((group[0].start(), group[-1].end()))
    return found


def _unspaced(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where names in scripts without spaces occur, also without a surname of one letter."""
    if not _UNSPACED.search(text):
        return
    for name in ("".join(name.split()) for name in names if _UNSPACED.search(name)):
        for form in (name, name[1:] if len(name) == _FULL_CHINESE else ""):
            if len(form) >= SHORT:
                yield from (match.span() for match in re.finditer(re.escape(form), text))


def _has_initials(name: str) -> bool:
    """Return whether a name has initials or numbers: ``R. L.``, ``Doe, Jane 44``."""
    words = _ALPHANUMERIC.findall(name)
    return len(words) > 1 and any(len(word) == 1 or word.isdigit() for word in words)


def _is_stray(match: re.Match[str], text: str, parts: NameParts) -> bool:
    is_initial = match[0].isupper() and len(match[0]) <= MOST_INITIALS
    is_other = is_initial and plain(match[0]) not in parts.words
    return is_other and _GOES_ON.match(text, match.end()) is not None


def _groups(text: str, parts: NameParts) -> Iterator[Group]:
    if not _may_have(text, parts):
        return
    group: Group = []
    for match, is_part in _marked(list(WORD.finditer(text)), text, parts):
        if group and not (is_part and _BETWEEN.fullmatch(text, group[-1].end(), match.start())):
            yield group
            group = []
        if is_part:
            group.append(match)
    if group:
        yield group


def _may_have(text: str, parts: NameParts) -> bool:
    """Return whether a text can have a name: most notes have none of most, which is soon seen."""
    solid = fold(text).translate(_SEPARATORS)
    if parts.short_names or any(part in solid for part in parts.long):
        return True
    short = map(plain, _SHORT_WITH_TITLE.findall(text))
    if any(word in parts.words or word in parts.initials for word in short):
        return True
    lone = ("".join(WORD.findall(m[0])) for m in _LONE_INITIALS.finditer(text))
    return any(letters.isupper() and letters.lower() in parts.initials for letters in lone)


def _marked(
    matches: list[re.Match[str]], text: str, parts: NameParts
) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the words of a text, and whether each is a part of a name."""
    words = [plain(match[0]) for match in matches]
    split = -1
    for n, (match, word) in enumerate(zip(matches, words, strict=True)):
        if n + 1 < len(words) and word + words[n + 1] in parts.words:
            split = n + 1 if _is_split(text, match, matches[n + 1]) else split
        is_initial = match[0].isupper() and word in parts.initials
        if is_initial and len(word) == SHORT:
            # Two letters are a word more often.
            is_initial = any(w in parts.words for w in words[max(0, n - 1) : n + 2 : 2])
        yield match, is_initial or word in parts.words or n in (split, split - 1)


def _is_split(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    """Return whether two words are one part of a name, such as ``Mac Donald``."""
    is_possessive = right[0] in ("s", "S")
    if is_possessive or not _SPLIT.fullmatch(text, left.end(), right.start()):
        return False
    return any(not is_ordinary(word) for word in (left[0], right[0])) or (
        left[0][0].isupper() and right[0][0].isupper()
    )


def _is_certain(group: Group, text: str, parts: NameParts) -> bool:
    """Return whether adjacent parts of names are a name, not an ordinary word."""
    words = _own_words(group, parts)
    is_full = len({fold(word) for word in words}) > 1
    if is_full or any(_is_no_word(word) for word in words):
        return True
    if words and not (is_common_in_notes(words[0]) or words[0] in _NAMES_AND_PARTICLES):
        # Nobody says "the duke" of a patient.
        before = text[max(0, group[0].start() - _LONGEST_DETERMINER) : group[0].start()]
        return not _DETERMINER_BEFORE.search(before)
    short = tuple(sorted(plain(match[0]) for match in group))
    return short in parts.short_names and not any(match[0].islower() for match in group)


def _is_no_word(word: str) -> bool:
    """Return whether a word has a capital, or is a name only."""
    return not word.islower() or not (is_ordinary(word) or word in _NAMES_AND_PARTICLES)


def _own_words(group: Group, parts: NameParts) -> list[str]:
    """Return the words that can be names without others beside them."""
    words = [match[0] for match in group if len(match[0]) > SHORT]
    return [word for word in words if _is_own(plain(word), parts)]


def _is_own(word: str, parts: NameParts) -> bool:
    return word not in PARTICLES and (word in parts.words or word not in parts.initials)


def _is_titled(group: Group, text: str) -> bool:
    """Return whether a name has a title, if it is short a capital too: ``Ms Ng``, ``Mrs. O``."""
    start, word = group[0].start(), group[0][0]
    is_name = word[0].isupper() or len(word) > SHORT
    if not is_name or fold(word) in PARTICLES:
        return False
    named = text[max(0, start - _LONGEST_NAMED) : start]
    return bool(_TITLE_BEFORE.search(named[-_LONGEST_TITLE:]) or _NAMED_BEFORE.search(named))


def _are_initials(group: Group, text: str) -> bool:
    """Return whether a group is of initials: with periods, ``R.L.``, or three or more, ``RLM``."""
    if len(group) == 1:
        return len(group[0][0]) == MOST_INITIALS
    letters = all(len(match[0]) == 1 for match in group)
    return letters and text.startswith(".", group[0].end())
