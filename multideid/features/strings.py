"""Features of a token's string: shape, capitalization, character n-grams."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

_DIGIT = re.compile(r"\d")
_MOST_CACHED = 100_000
_LONGEST_RUN_SHOWN = re.compile(r"(.)\1{3,}")


@lru_cache(_MOST_CACHED)
def digits_to_zero(word: str) -> str:
    """Return `word` in lower case, with every digit replaced by 0.

    Examples
    --------
    >>> digits_to_zero("T-1946")
    't-0000'
    """
    return _DIGIT.sub("0", word.lower())


class _Classes(dict[int, str]):
    """Caches the class of each character in a word shape."""

    def __missing__(self, code: int) -> str:
        self[code] = _character_class(chr(code))
        return self[code]


_CLASSES = _Classes()


def shape(word: str) -> str:
    """Return the word shape: X, x and d for letters and digits, runs cut to four.

    Stanford NER's "word shape" (thesis 2.2).

    Examples
    --------
    >>> shape("Varicella"), shape("1946"), shape("II")
    ('Xxxxx', 'dddd', 'XX')
    """
    # A function is faster than a replacement template.
    return _LONGEST_RUN_SHOWN.sub(lambda run: run[1] * 4, word.translate(_CLASSES))


def short_shape(word: str) -> str:
    """Return the word shape with runs collapsed to one character.

    Examples
    --------
    >>> short_shape("Varicella-12")
    'Xx-d'
    """
    return "".join([kind for kind, _ in groupby(word.translate(_CLASSES))])


def _character_class(character: str) -> str:
    if character.isdigit():
        return "d"
    if character.isalpha():
        return "x" if character.lower() == character else "X"
    return character


def capitalization(word: str) -> str:
    """Return the word's capitalization, or its type if it is not a word.

    Examples
    --------
    >>> [capitalization(w) for w in ("Lee", "MRN", "mg", "I", "42", ",")]
    ['initial', 'all', 'lower', 'letter', 'digits', 'other']
    """
    if word.isdigit():
        return "digits"
    if not word[0].isalpha():
        return "other"
    if len(word) == 1:
        return "letter" if word.isupper() else "lower"
    if word.isupper():
        return "all"
    return "initial" if word[0].isupper() else "lower"


def character_ngrams(word: str, longest: int = 6) -> list[str]:
    """Return the character n-grams of the word, including its boundaries.

    Stanford NER's character n-grams (thesis 2.2): two to `longest` characters,
    lower case, with ``<`` and ``>`` for the boundaries.
    """
    marked = f"<{word.lower()[:24]}>"
    sizes = range(2, min(longest, len(marked)) + 1)
    return [marked[i : i + size] for size in sizes for i in range(len(marked) - size + 1)]
