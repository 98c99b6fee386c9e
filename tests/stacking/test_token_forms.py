"""Columns of tokens: forms, word classes, length, place in the line."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.knowledge.word_classes import CLASSES
from multideid.stacking.forms import DIGITS, LOWER, NO_TOKEN, TITLE, UPPER, mark_form
from multideid.stacking.token_forms import N_COLUMNS, TokenForms
from multideid.text.table import TokenTable

TOKENS = TokenTable.from_texts(["Mary (MRN 4471)\nfever a1", "Lee"])
WORDS = TOKENS.words()
COLUMNS = TokenForms.of(TOKENS).columns(np.arange(len(TOKENS)))
NAMES = ["form", "before", "after", *CLASSES, "length", "position", "lower", "space", "last"]


def value(word: str, name: str) -> float:
    return float(COLUMNS[WORDS.index(word), NAMES.index(name)])


def test_there_is_a_column_for_each_name() -> None:
    assert COLUMNS.shape == (len(TOKENS), N_COLUMNS) == (len(TOKENS), len(NAMES))


@pytest.mark.parametrize(
    ("word", "name", "expected"),
    [
        ("Mary", "form", TITLE),
        ("Mary", "before", NO_TOKEN),
        ("Mary", "after", mark_form("(")),
        ("Mary", "given", 1),
        ("fever", "given", 0),
        ("Mary", "length", 4),
        ("MRN", "form", UPPER),
        ("MRN", "space", 0),
        ("MRN", "position", 2),
        ("4471", "form", DIGITS),
        ("4471", "space", 1),
        ("fever", "form", LOWER),
        ("fever", "common", 1),
        ("fever", "position", 0),
        ("fever", "last", 0),
        ("1", "last", 1),
        ("1", "after", NO_TOKEN),  # "Lee" is of another document.
        ("Lee", "before", NO_TOKEN),
        ("Lee", "last", 1),
        ("Lee", "lower", 0),
        ("fever", "lower", 0.5),  # Of Mary, MRN, fever and a.
    ],
)
def test_the_column_of_a_token_is(word: str, name: str, expected: float) -> None:
    assert value(word, name) == expected


def test_columns_of_some_tokens_are_those_of_all() -> None:
    rows = np.array([5, 0, 3])
    assert (TokenForms.of(TOKENS).columns(rows) == COLUMNS[rows]).all()


def test_a_table_without_tokens_has_no_columns() -> None:
    empty = TokenForms.of(TokenTable.from_texts([""]))
    assert empty.columns(np.zeros(0, dtype=np.int64)).shape == (0, N_COLUMNS)
