"""Orthographic forms of words: marks, capitals, line ends."""

from __future__ import annotations

from multideid.text.tokenizer import LINE_ENDS
from multideid.text.type_memo import TypeMemo

LINE_END = 1
COLON = 2
SENTENCE_MARK = 4
"""``.``, ``!`` or ``?``."""
STARTER = 8
"""Begins with a capital or digit, like a sentence."""
SHORT_CAPITAL = 16
"""Short and capitalized, like many abbreviations."""
WORD = 32
"""Begins with a letter."""
CAPITALS = 64
"""A word in capitals."""

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
"""Returns the forms of each word of a vocabulary, as sums of the constants above."""
