"""What the layout of a text asks of each word: is it a mark, a capital, a line end?"""

from __future__ import annotations

from multideid.text.tokenizer import LINE_ENDS
from multideid.text.type_memo import TypeMemo

LINE_END = 1
COLON = 2
SENTENCE_MARK = 4
"""``.``, ``!`` or ``?``."""
STARTER = 8
"""Begins with a capital or a digit, as sentences do."""
SHORT_CAPITAL = 16
"""Short and capitalised, as abbreviations are that a full stop follows."""
WORD = 32
"""Begins with a letter."""
CAPITALS = 64
"""A word whose letters are all capitals."""

_LONGEST_ABBREVIATION = 3


def _form(word: str) -> int:
    first = word[0]
    if first.isalpha():
        return WORD | _capital(word, first) | CAPITALS * (word.upper() == word != word.lower())
    if word in LINE_ENDS:
        return LINE_END
    if first.isdigit():
        return STARTER
    return COLON * (word == ":") | SENTENCE_MARK * (word in ".!?") | _capital(word, first)


def _capital(word: str, first: str) -> int:
    if not first.isupper():
        return 0
    return STARTER | SHORT_CAPITAL * (len(word) <= _LONGEST_ABBREVIATION)


word_forms = TypeMemo(_form, "uint8")
"""Return the forms of each word of a vocabulary: the sum of the constants above."""
