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
from multideid.redact.invented.date_words import ENGLISH_MONTH

_WORD = re.compile(r"[A-Z]+(?![a-z])|[^\W\d_][a-z\u00df-\u00ff]*|[^\W_]")
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d([-_. ]?)[01]\d\1[0-3]\d"
    r"|[0-3]?\d([-_. ])[0-3]?\d\2(?:19|20)?\d\d"
    rf"|[0-3]?\d(?:st|nd|rd|th)?[-_. ]?{ENGLISH_MONTH}[-_., ]{{0,2}}(?:(?:19|20)\d\d|[0-9]{{2}})"
    rf"|(?:19|20)\d\d[-_. ]?{ENGLISH_MONTH}[-_. ]?[0-3]?\d)(?!\d)"
    rf"|(?<![a-z]){ENGLISH_MONTH}[-_. ]?[0-3]?\d(?:st|nd|rd|th)?[-_., ]{{1,2}}(?:19|20)?\d\d(?!\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<!\d)0*[1-9]\d{5,}(?!\d)"
    r"|(?<!\d)\d{3}([-_. ])\d{2}\1\d{4}(?!\d)"
    r"|(?<!\d)\d{3}([-_. ])\d{3}\2\d{4}(?!\d)"
    r"|(?<![a-z])(?:mrn|ssn|csn|dob|acct|account|medrec|medical[-_ ]?record)"
    r"(?:[-_ #]{0,2}(?:no|num|number|id))?[-_ #]{0,2}\d{3,}(?!\d)"
    r"|(?<![a-z])(?:patient|pat|pt|pid)(?:[-_ #]{0,2}(?:no|num|number|id))?[-_ #]{0,2}\d{5,}(?!\d)",
    re.IGNORECASE,
)
_TITLED = re.compile(r"(?<![^\W_])(?i:(dr|mrs?|ms|miss|prof))[-_. ]{1,2}([^\W\d_]{2,})(?![^\W\d_])")
_ALWAYS_TITLES = ("mr", "mrs", "miss")  # "DR" is radiography too.
SUFFIXES = frozenset(
    """
    .txt .xml .json .jsonl .ndjson .hl7 .rtf .docx .xlsx .pdf .gz .zip .text .note .md .csv .tsv
    .parquet
    """.split()
)
_SHORTEST = 3  # Letters of a name beside another.
_SHORTEST_ALONE = 4  # Departments and months have shorter names.
_COMMON = 0.002  # Per cent of people; rarer names are as often other words.
_USUAL_FIRST, _USUAL_LAST, _USUAL_ALONE = 0.05, 0.02, 0.02  # Per cent.
_MOST_USUAL = 0.3  # Per cent; of last names that are words too, Smith, Brown and Johnson.


def looks_like_phi(name: str) -> bool:
    """Return whether the name of a file or folder looks like PHI.

    That is a date, a number of six digits or more, a shorter one behind "MRN" or the
    like, a social security or phone number, a title with a name, or a first name beside
    a last name; or one of them alone, if it is usual and no other word.

    Examples
    --------
    >>> looks_like_phi("SMITH_JOHN.txt"), looks_like_phi("note-0012.txt")
    (True, False)
    """
    stem = name.split(".", 1)[0] if _DATE.search(name) is None else name
    if _DATE.search(name) or _NUMBER.search(stem):
        return True
    if any(_is_titled(*match) for match in _TITLED.findall(without_suffixes(name))):
        return True
    words = [word for word in map(str.lower, _WORD.findall(stem)) if len(word) >= _SHORTEST]
    long = filter(_is_long, words)
    alone = any(_is_usual(word) and not _is_other(word) for word in long)
    alone = alone or (stem.istitle() and _shares("last").get(stem.lower(), 0.0) >= _MOST_USUAL)
    return alone or any(_is_pair(*pair) for pair in pairwise(words))


def is_rather_a_name(word: str) -> bool:
    """Return whether a word in lower case is a name of people, and rather that than another word.

    Examples
    --------
    >>> [is_rather_a_name(word) for word in ("martha", "smith", "ward", "dept")]
    [True, True, False, False]
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


def is_census_name(word: str) -> bool:
    """Return whether a word in lower case is a name of people that is not rare."""
    return word in _shares("first") or word in _shares("last")


def _is_titled(title: str, word: str) -> bool:
    """Return whether a word behind a title is a name."""
    is_rare = word.istitle() or title.lower() in _ALWAYS_TITLES
    return is_census_name(word.lower()) or (is_rare and _is_long(word) and not _is_other(word))


def without_suffixes(name: str) -> str:
    """Return the name of a file without the suffixes that formats have."""
    path = PurePosixPath(name)
    while path.suffix.lower() in SUFFIXES:
        path = path.with_suffix("")
    return path.name


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
