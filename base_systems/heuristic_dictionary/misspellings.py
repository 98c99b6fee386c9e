"""Approximate matching: words within one edit of an entry of a word list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from multideid.knowledge.lexicons import lexicon

SHORTEST = 6
"""Minimum length of a word; nearly all shorter ones are within one edit of some name."""


class NearMatches:
    """An index of entries that finds whether a word is within one edit of any.

    An edit is an insertion, deletion, substitution or transposition of neighbours. It
    leaves the first or the last half of an entry unchanged, so only entries that share
    a half with the word are compared.

    Parameters
    ----------
    entries : iterable of str
    """

    def __init__(self, entries: Iterable[str]) -> None:
        self._buckets: dict[tuple[int, bool, str], list[str]] = defaultdict(list)
        for entry in entries:
            for key in _halves(entry, len(entry)):
                self._buckets[key].append(entry)

    def __contains__(self, word: str) -> bool:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extractOne

        for length in (len(word) - 1, len(word), len(word) + 1):
            for key in _halves(word, length):
                bucket = self._buckets.get(key, ())
                if extractOne(word, bucket, scorer=OSA.distance, score_cutoff=1):
                    return True
        return False


def _halves(word: str, length: int) -> tuple[tuple[int, bool, str], tuple[int, bool, str]]:
    """Return the keys of the two halves of a word, for entries of the given length.

    The halves exclude one or two letters in the middle, since a transposition there
    would change both.
    """
    half = max(length - 1, 0) // 2
    return (length, False, word[:half]), (length, True, word[len(word) - half :])


@cache
def _names() -> NearMatches:
    names = lexicon("first_names_female") | lexicon("first_names_male") | lexicon("last_names")
    return NearMatches(name for name in names if len(name) >= SHORTEST - 1)


@cache
def _common() -> NearMatches:
    words = lexicon("common_words") | lexicon("medical_words")
    return NearMatches(word for word in words if len(word) >= SHORTEST - 1)


def is_misspelled_name(word: str) -> bool:
    """Return whether an unknown word is closer to a name than to a common word.

    Parameters
    ----------
    word : str
        In lower case.

    Examples
    --------
    >>> is_misspelled_name("gutierrrez"), is_misspelled_name("dischagre")
    (True, False)
    """
    return len(word) >= SHORTEST and word in _names() and word not in _common()
