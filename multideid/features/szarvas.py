"""The feature templates of Szarvas (2007), section "Feature Set", used by two systems."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from multideid.arrays import IntegerArray, LongArray
from multideid.features.common import (
    CAPITALS,
    CHUNK_SHAPE,
    FIELD_LABEL,
    HEADING,
    LENGTH,
    LOWER,
)
from multideid.features.lexical import word_lists
from multideid.features.templates import Template, bags, each
from multideid.features.views import of_numbers, of_type_set
from multideid.text.forms import CAPITALS as ALL_CAPITALS
from multideid.text.forms import WORD, word_forms
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

_DICTIONARIES = word_lists(
    "Szarvas's dictionaries",
    (
        "first_names_female",
        "first_names_male",
        "cities",
        "us_states",
        "countries",
        "common_words",
        "medical_words",
    ),
)
_ROMAN = re.compile(r"[IVXLC]+")
_OPENING, _CLOSING = "([{", ")]}"


def word_forms_of(word: str) -> list[str]:
    """Return a word's orthographic features: inner capitals and digits, kinds of number.

    Examples
    --------
    >>> word_forms_of("McD"), word_forms_of("XIV"), word_forms_of("12")
    (['capital inside'], ['capital inside', 'roman'], ['digit', 'arabic'])
    """
    bits = {
        "capital inside": any(map(str.isupper, word[1:])),
        "digit": any(map(str.isdigit, word)),
        "roman": _ROMAN.fullmatch(word) is not None,
        "arabic": word.isdecimal(),
        "letter": len(word) == 1 and word.isalpha(),
    }
    return [name for name, holds in bits.items() if holds]


_FORMS = of_type_set("word forms", word_forms_of)


def _position_in_sentence(table: TokenTable) -> IntegerArray:
    """Return 0 for the first word of a sentence, 1 for the last, 2 for others."""
    first = np.diff(table.sentence, prepend=-1) != 0
    last = np.diff(table.sentence, append=-1) != 0
    return np.where(first, 0, np.where(last, 1, 2))


def _in_brackets(table: TokenTable) -> IntegerArray:
    """Return 1 if a bracket is open at the token, counted from the start of the line."""
    value = dict.fromkeys(_OPENING, 1) | dict.fromkeys(_CLOSING, -1)
    step = np.array([value.get(word, 0) for word in table.vocabulary], dtype=np.int64)[table.type]
    return (_before_on_line(step, table) > 0).astype(np.int64)


def _in_quotes(table: TokenTable) -> IntegerArray:
    """Return 1 if the number of quotation marks to the left on the line is odd."""
    marks = np.array([word in '"\u201c\u201d' for word in table.vocabulary], dtype=np.int64)
    return _before_on_line(marks[table.type], table) % 2


def _before_on_line(step: LongArray, table: TokenTable) -> LongArray:
    """Return the sum of the steps of the tokens to the left on the line."""
    before = np.cumsum(step) - step
    return np.asarray(before - before[line_starts(table)][table.line])


def _line_in_capitals(table: TokenTable) -> IntegerArray:
    """Return 1 if all words of the line are in capitals."""
    forms = word_forms(table.vocabulary)[table.type]
    small = ((forms & WORD) > 0) & ((forms & ALL_CAPITALS) == 0)
    in_line = np.bincount(table.line, weights=small)
    return np.asarray(in_line[table.line] == 0, dtype=np.int64)


_SENTENCE = of_numbers("position in sentence", _position_in_sentence)
_BRACKETS = of_numbers("in brackets", _in_brackets)
_QUOTES = of_numbers("in quotes", _in_quotes)
_CAPITAL_LINE = of_numbers("line in capitals", _line_in_capitals)


def szarvas_templates(triggers: Sequence[Template]) -> list[Template]:
    """Return all templates, in a window of four tokens to each side.

    Parameters
    ----------
    triggers : sequence of Template
        The templates of the surrounding words.
    """
    return [
        *each(CAPITALS, range(-4, 5), "capitals"),
        *each(LENGTH, (0,), "length"),
        *bags(_FORMS, (-1, 0, 1), "word form"),
        *each(CHUNK_SHAPE, (-1, 0, 1), "patterns"),
        *each(LOWER, (0,), "word"),
        *triggers,
        *bags(_DICTIONARIES, (-1, 0, 1), "dictionaries"),
        *each(HEADING, (0,), "heading"),
        *each(FIELD_LABEL, (0,), "heading"),
        *each(_SENTENCE, (0,), "sentence position"),
        *each(_BRACKETS, (0,), "brackets and quotes"),
        *each(_QUOTES, (0,), "brackets and quotes"),
        *each(_CAPITAL_LINE, (0,), "capitals"),
    ]
