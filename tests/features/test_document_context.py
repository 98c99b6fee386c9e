"""The neighbours of a word's other occurrences in its document."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.features.document_context import document_context, same_word_pairs
from multideid.features.views import SetColumn, of_type
from multideid.text.table import TokenTable

WORD = of_type("word", str)
NOTES = st.lists(st.lists(st.sampled_from(["Lee", "LEE", "lee", "Al", "X", "1", ".", "\n"])))


def sets(column: SetColumn) -> list[set[str]]:
    bounds = column.indptr
    return [
        {column.names[i] for i in column.indices[bounds[r] : bounds[r + 1]]} for r in column.rows
    ]


def may_have_context(word: str) -> bool:
    return word[0].isdigit() or (word[0].isupper() and len(word) > 1)


def naive(words: list[str], offset: int) -> list[set[str]]:
    """Return the context of each word of one document, pair by pair."""
    counts = Counter(word.lower() for word in words if may_have_context(word))
    found: list[set[str]] = [set() for _ in words]
    for i, here in enumerate(words):
        for j, there in enumerate(words):
            same = may_have_context(here) and may_have_context(there) and i != j
            if same and here.lower() == there.lower() and counts[here.lower()] <= 12:
                found[i] |= {words[k] for k in [j + offset] if 0 <= k < len(words)}
    return found


@given(NOTES, st.integers(-2, 2))
def test_context_equals_that_of_a_loop_over_all_pairs(notes: list[list[str]], offset: int) -> None:
    table = TokenTable.from_texts([" ".join(words) for words in notes])
    expected = [found for words in notes for found in naive(words, offset)]
    assert sets(document_context("context", WORD, offset).column(table)) == expected


@pytest.mark.parametrize(("count", "others"), [(1, 0), (2, 1), (12, 11), (13, 0)])
def test_a_very_frequent_word_has_no_context(count: int, others: int) -> None:
    table = TokenTable.from_texts([" ".join(["Lee"] * count)])
    here, there = same_word_pairs(table)
    assert np.bincount(here, minlength=count).tolist() == [others] * count
    assert len(set(zip(here.tolist(), there.tolist(), strict=True))) == count * others


def test_context_does_not_come_from_other_documents() -> None:
    table = TokenTable.from_texts(["Dr Lee", "Lee home"])
    assert sets(document_context("context", WORD, -1).column(table)) == [set()] * 4


@pytest.mark.parametrize("texts", [[], [""], ["a b", ""]])
def test_without_recurring_words_there_is_no_context(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    assert sets(document_context("context", WORD, 1).column(table)) == [set()] * len(table)
