"""Names of files that look like PHI, such as ``SMITH_JOHN.txt``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Literal

from multideid.corpora.identifier_names import IdentifierWarning

_WORD = re.compile(r"[A-Z]+(?![a-z])|[^\W\d_][a-z\u00df-\u00ff]*|[^\W_]")
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d([-_. ]?)[01]\d\1[0-3]\d"
    r"|[0-3]?\d([-_. ])[0-3]?\d\2(?:19|20)?\d\d)(?!\d)"
)
_NUMBER = re.compile(r"(?<!\d)0*[1-9]\d{5,}(?!\d)")
_SUFFIXES = frozenset(
    ".txt .xml .json .jsonl .ndjson .hl7 .rtf .docx .xlsx .pdf .gz .text .note .md".split()
)
_SHORTEST = 3  # Letters of a name beside another.
_SHORTEST_ALONE = 4  # Departments and months have shorter names.
_COMMON = 0.002  # Per cent of people; rarer names are as often other words.
_MOST_USUAL = 0.3  # Per cent; of the last names that are words as well, Smith, Brown and Johnson.
_USUAL_FIRST, _USUAL_LAST, _USUAL_ALONE = 0.05, 0.02, 0.02  # Per cent.


def looks_like_phi(name: str) -> bool:
    """Return whether the name of a file or folder looks like PHI.

    That is a date, a number of six digits or more, or a first name beside a last
    name; or one of them alone, if it is usual and no other word.

    Examples
    --------
    >>> looks_like_phi("SMITH_JOHN.txt"), looks_like_phi("note-0012.txt")
    (True, False)
    """
    stem = name.split(".", 1)[0] if _DATE.search(name) is None else name
    if _DATE.search(name) or _NUMBER.search(stem):
        return True
    words = [word for word in map(str.lower, _WORD.findall(stem)) if len(word) >= _SHORTEST]
    long = filter(_is_long, words)
    alone = any(_is_usual(word) and not _is_other(word) for word in long)
    return alone or any(_is_pair(*pair) for pair in pairwise(words))


def is_name(word: str) -> bool:
    """Return whether a word in lower case is a name of people, and rather that than another word.

    Examples
    --------
    >>> is_name("alder"), is_name("smith"), is_name("ward"), is_name("dept")
    (True, True, False, False)
    """
    if _is_other(word):
        return _shares("last").get(word, 0.0) >= _MOST_USUAL
    return word in _shares("first") or word in _shares("last")


def warn_of_names(names: Sequence[str]) -> None:
    """Warn of files whose names look like PHI, since their output keeps the names.

    They are counted, and not shown.
    """
    found = [
        number
        for number, name in enumerate(names, start=1)
        if any(map(looks_like_phi, PurePosixPath(name).parts))
    ]
    if found:
        count = f"{len(found):,} of {len(names):,} files"
        warnings.warn(
            f"the names of {count} look like PHI, and the output keeps names of files: rename "
            f"them first (the first of them is file {found[0]:,} in the order of reading)",
            IdentifierWarning,
            stacklevel=2,
        )


class NeutralNames:
    """Gives the files of an archive names of which no part looks like PHI.

    Folders that look like PHI become ``folder-1``, files ``file-1`` with their
    suffixes; the number is that of the file. Other names stay.
    """

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}
        self._given: set[str] = set()
        self._number = 0
        self.changed = 0

    def __call__(self, name: str) -> str:
        """Return the new name of the next file, whose name is a path with slashes."""
        self._number += 1
        *folders, file = name.split("/")
        for folder in filter(looks_like_phi, folders):
            self._folders.setdefault(folder, f"folder-{self._number}")
        path = [self._folders.get(folder, folder) for folder in folders]
        new = "/".join([*path, self._neutral(file)])
        while new in self._given:
            new = f"{new}-{self._number}"
        self._given.add(new)
        self.changed += new != name
        return new

    def _neutral(self, name: str) -> str:
        if not looks_like_phi(name):
            return name
        suffixes = (s for s in PurePosixPath(name).suffixes[-2:] if s.lower() in _SUFFIXES)
        return f"file-{self._number}{''.join(suffixes)}"

    def warn(self, archive: str) -> None:
        """Warn if names were changed."""
        if self.changed:
            files = f"{self.changed:,} file{'s' * (self.changed != 1)}"
            warnings.warn(
                f"{archive}: names of {files} in it look like PHI; neutral names replace them",
                IdentifierWarning,
                stacklevel=2,
            )


def _is_pair(one: str, other: str) -> bool:
    """Return whether two words are a first name and a last name, in either order."""
    for first, last in ((one, other), (other, one)):
        shares = _shares("first").get(first, 0.0), _shares("last").get(last, 0.0)
        is_usual = shares[0] >= _USUAL_FIRST
        # Two ordinary words are a name if both are usual ones, as in John Smith; beside a
        # usual first name, a word that is no other one is a last name that lists do not have.
        if is_usual and (shares[1] >= _USUAL_LAST or (_is_long(last) and not _is_other(last))):
            return True
        if min(shares) > 0 and not (_is_other(first) and _is_other(last)):
            return True
    return False


def _is_long(word: str) -> bool:
    return len(word) >= _SHORTEST_ALONE


def _is_usual(word: str) -> bool:
    first, last = _shares("first").get(word, 0.0), _shares("last").get(word, 0.0)
    return first >= _USUAL_ALONE or last >= _USUAL_ALONE


def _is_other(word: str) -> bool:
    from multideid.site.words import is_ordinary

    return is_ordinary(word)


@cache
def _shares(kind: Literal["first", "last"]) -> dict[str, float]:
    """Return the per cent of people with each name that is not rare."""
    from multideid.knowledge.names_and_places import census

    if kind == "last":
        return {name.lower(): share for name, share in census("last").items() if share >= _COMMON}
    shares = (*census("female").items(), *census("male").items())
    # Of a name of both sexes, the last and largest share counts.
    ascending = sorted(shares, key=lambda pair: pair[1])
    return {name.lower(): share for name, share in ascending if share >= _COMMON}
