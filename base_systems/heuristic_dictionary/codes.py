"""Notes encoded as strings, with one character per token for its dictionary entry."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, LongArray, UByteArray, UIntArray
from multideid.base_systems.heuristic_dictionary import lexicons
from multideid.base_systems.heuristic_dictionary.misspellings import is_misspelled_name
from multideid.features.views import shift
from multideid.knowledge.lexicons import LEXICON_NAMES, lexicon, match_lists
from multideid.text.phrases import normalise
from multideid.text.table import TokenTable
from multideid.text.tokenizer import LINE_ENDS
from multideid.text.type_memo import TypeMemo

# Word lists that ignore case; the first match counts.
_WORDS = (
    ("D", lexicons.DOCTOR_TITLES),
    ("T", lexicons.TITLES),
    ("R", lexicons.NAME_INDICATORS),
    ("d", lexicons.DOCTOR_INDICATORS),
    ("L", lexicons.LOCATION_INDICATORS),
    ("p", lexicons.LOCATION_PREPOSITIONS),
    ("i", lexicons.ID_INDICATORS),
    ("t", lexicons.PHONE_INDICATORS),
    ("o", lexicons.AGE_WORDS),
    ("a", lexicons.ARTICLES),
)
_BY_LENGTH = {3: "3", 4: "4", 5: "5"}
_MARKS = frozenset(".,:;()#'&-/")
_APART = {ord("-"): ord("~"), ord("/"): ord("|")}
_PLACES = ("cities", "us_states", "countries")
_WELL_KNOWN = ("major_cities", "us_states", "countries")
_UNNAMED, _NAMED, _COMMON = b"UAK", b"FN", b"GBCX"


def code(word: str) -> str:
    """Return the code of a token, from its string alone.

    ==========  ============================================================
    ``F N``     first name, last name; not a common word
    ``G B``     the same of names that are common words too
    ``C``       capitalised common word
    ``A``       capitalised, one edit away from a name and from no other word
    ``U K``     capitalised, in capitals; in no list
    ``P S``     place (only from `code_column`), postal code of a state
    ``I v``     one capital letter; prefix of last names
    ``D T e``   doctor's title, other title, credentials after a name
    ``R d L``   indicator of a name, of a doctor, of a location
    ``p a``     preposition before a location; article and the like
    ``H X``     hospital, street
    ``M W h``   month, day of the week, ending of ordinal numbers
    ``i t o``   indicator of an identifier, of a phone; years of age
    ``1 2``     number to 12, to 31
    ``9 0``     number from 90 to 99, other number of one or two digits
    ``3 4 5 6`` number of so many digits, or of more than five
    ``y``       year from 1900 to 2099
    ``w ?``     any other word; any other mark
    ==========  ============================================================

    Other marks are their own code; line ends are ``"\\n"``.
    """
    if word in LINE_ENDS:
        return "\n"
    if word[0].isalpha():
        return _code_of_letters(word)
    if word.isdecimal():
        return _code_of_number(word)
    return word if word in _MARKS else "?"


def _code_of_number(word: str) -> str:
    if len(word) > 5:
        return "6"
    value = int(word)
    if len(word) == 4 and 1900 <= value < 2100:
        return "y"
    if len(word) > 2:
        return _BY_LENGTH[len(word)]
    return "1" if 1 <= value <= 12 else "2" if 12 < value <= 31 else "9" if value >= 90 else "0"


def _code_of_letters(word: str) -> str:
    lower = normalise(word)
    if word[0].isupper():
        return _code_of_capitalised(word, lower)
    if lower in lexicons.ORDINALS:
        return "h"
    return _code_of_any_case(lower) or ("v" if lower in lexicons.NAME_PREFIXES else "w")


def _code_of_any_case(lower: str) -> str | None:
    return next((character for character, words in _WORDS if lower in words), None)


def _code_of_capitalised(word: str, lower: str) -> str:
    if len(word) == 1:
        return "I"
    for character, words in _capitalised_words():
        if lower in words:
            return character
    if word.isupper() and lower in lexicon("us_state_codes"):
        return "S"
    return _code_of_any_case(lower) or _code_of_name(lower, word.isupper())


@cache
def _capitalised_words() -> tuple[tuple[str, frozenset[str]], ...]:
    return (
        ("e", lexicons.CREDENTIALS),
        ("M", lexicon("months")),
        ("W", lexicon("weekdays")),
        ("H", lexicons.HOSPITAL_HEADS),
        ("X", lexicons.STREETS - lexicons.DOCTOR_TITLES),
        ("v", lexicons.NAME_PREFIXES),
    )


def _code_of_name(lower: str, capitals: bool) -> str:
    common = lexicons.is_common(lower)
    # Most words of three capitals are abbreviations, even if they are in the census.
    if not capitals or len(lower) > 3:
        if lexicons.is_first_name(lower):
            return "G" if common else "F"
        if lexicons.is_last_name(lower):
            return "B" if common else "N"
    if common:
        return "C"
    if capitals:
        return "K"
    return "A" if is_misspelled_name(lower) else "U"


_codes = TypeMemo(lambda word: ord(code(word)), np.uint8)


def code_column(table: TokenTable) -> UByteArray:
    """Return the code of every token as a byte; codes of places also depend on the neighbours."""
    if not len(table):
        return np.zeros(0, dtype=np.uint8)
    codes: UByteArray = _codes(table.vocabulary)[table.written]
    _part_marks(codes, table)
    codes[_is_place(codes, table)] = ord("P")
    return codes


def _part_marks(codes: UByteArray, table: TokenTable) -> None:
    """Change, in place, the codes of dashes and slashes next to a blank."""
    blank = (table.space | (table.position == 0)).astype(np.int32)
    apart = (blank | shift(blank, table.document, 1, 1)) > 0
    for mark, other in _APART.items():
        codes[apart & (codes == mark)] = other


def _is_place(codes: UByteArray, table: TokenTable) -> BoolArray:
    """Mark places; names must be well-known ones, and common words part of a phrase."""
    bits = match_lists(_as_written(table))
    place = _listed(bits, _PLACES) & np.isin(codes, list(_UNNAMED + _NAMED + _COMMON))
    number = place.astype(np.int32)
    beside = shift(number, table.document, -1, 0) | shift(number, table.document, 1, 0)
    unnamed = np.isin(codes, list(_UNNAMED))
    known = np.isin(codes, list(_NAMED)) & _listed(bits, _WELL_KNOWN)
    return np.asarray(place & (unnamed | known | (beside > 0)))


def _as_written(table: TokenTable) -> TokenTable:
    """Return the table with the words as written, which the rules use."""
    if table.type is table.written:
        return table
    return replace(table, type=table.written, memo={})


def _listed(bits: UIntArray, names: tuple[str, ...]) -> BoolArray:
    mask = sum(1 << LEXICON_NAMES.index(name) for name in names)
    return np.asarray((bits & np.uint32(mask)) > 0)


class CodedText(NamedTuple):
    """The codes of a table's tokens as one string, with a line end between documents.

    Parameters
    ----------
    string : str
    row : int64 array, shape (len(string),)
        The token of each character, -1 between documents.
    """

    string: str
    row: LongArray

    @classmethod
    def of(cls, table: TokenTable) -> CodedText:
        """Code a table."""
        codes = np.insert(code_column(table), table.first[1:], ord("\n"))
        row = np.insert(np.arange(len(table)), table.first[1:], -1)
        return cls(codes.tobytes().decode("latin-1"), row)
