"""The fourteen word features of Bikel, Schwartz and Weischedel (1999).

Each word has exactly one: the first that matches in the order of the paper's table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from multideid.arrays import BoolArray, IntArray
from multideid.features.chunks import CHUNK, chunk_numbers
from multideid.features.strings import capitalization
from multideid.features.views import shift
from multideid.text.table import TokenTable

WORD_FEATURES = (
    "twoDigitNum", "fourDigitNum", "containsDigitAndAlpha", "containsDigitAndDash",
    "containsDigitAndSlash", "containsDigitAndComma", "containsDigitAndPeriod", "otherNum",
    "allCaps", "capPeriod", "firstWord", "initCap", "lowerCase", "other",
)  # fmt: skip

_CODE = {name: code for code, name in enumerate(WORD_FEATURES)}
_MARKS = {"-": "Dash", "/": "Slash", ",": "Comma", ".": "Period"}
_BY_CAPITALS = {"all": "allCaps", "letter": "initCap", "initial": "initCap", "lower": "lowerCase"}
OTHER = _CODE["other"]


def word_feature_codes(table: TokenTable) -> IntArray:
    """Return the word feature of every token.

    The paper's words are separated by white space, and our tokens are pieces of them.
    So every piece of a chunk with a digit has the chunk's feature (for ``11/9/89``
    ``containsDigitAndSlash``), except a mark at its end; other pieces have their own.

    Returns
    -------
    int32 array, shape (n_tokens,)
        Indices into `WORD_FEATURES`.
    """
    if not len(table):
        return np.zeros(0, dtype=np.int32)
    own = _by_string(table.vocabulary, word_feature)[table.type]
    _mark_initials(own, table)
    first = np.diff(table.sentence, prepend=-1) != 0
    own[first & np.isin(own, (_CODE["initCap"], _CODE["lowerCase"]))] = _CODE["firstWord"]
    chunks = CHUNK.column(table)
    whole = _by_string(chunks.names, number_feature)[chunks.codes]
    return np.where((whole == OTHER) | _marks_at_ends(own, table), own, whole).astype(np.int32)


def word_feature(word: str) -> str:
    """Return the feature of a piece by itself.

    Examples
    --------
    >>> [word_feature(word) for word in ("BBN", "Sally", "can", "$")]
    ['allCaps', 'initCap', 'lowerCase', 'other']
    """
    return _BY_CAPITALS.get(capitalization(word), "other")


def number_feature(chunk: str) -> str:
    """Return the feature of a chunk with a digit, else ``"other"``.

    Examples
    --------
    >>> [number_feature(chunk) for chunk in ("90", "1990", "A8956-67", "09-96", "456789")]
    ['twoDigitNum', 'fourDigitNum', 'containsDigitAndAlpha', 'containsDigitAndDash', 'otherNum']
    """
    if chunk.isdecimal():
        return {2: "twoDigitNum", 4: "fourDigitNum"}.get(len(chunk), "otherNum")
    if not any(map(str.isdecimal, chunk)):
        return "other"
    if any(map(str.isalpha, chunk)):
        return "containsDigitAndAlpha"
    marks = (f"containsDigitAnd{name}" for mark, name in _MARKS.items() if mark in chunk)
    return next(marks, "otherNum")


def _by_string(strings: Sequence[str], function: Callable[[str], str]) -> IntArray:
    codes = (_CODE[function(string)] for string in strings)
    return np.fromiter(codes, dtype=np.int32, count=len(strings))


def _mark_initials(own: IntArray, table: TokenTable) -> None:
    """Set the feature of single capitals before a full stop, in place."""
    letter = _where(table, lambda word: len(word) == 1 and word.isupper())
    stop = _where(table, lambda word: word == ".").astype(np.int32)
    own[letter & (shift(stop, table.document, 1, 0) > 0)] = _CODE["capPeriod"]


def _marks_at_ends(own: IntArray, table: TokenTable) -> BoolArray:
    last = np.diff(chunk_numbers(table), append=-1) != 0
    return np.asarray(last & (own == OTHER) & ~_where(table, str.isdecimal))


def _where(table: TokenTable, holds: Callable[[str], bool]) -> BoolArray:
    flags = map(holds, table.vocabulary)
    return np.fromiter(flags, dtype=np.bool_, count=len(table.vocabulary))[table.type]
