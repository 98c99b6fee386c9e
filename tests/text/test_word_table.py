"""A word table gives the same lists of each word as sets do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.knowledge.lexicons import LEXICON_NAMES, lexicon, word_set
from multideid.text.word_table import WordSet, WordTable

WORDS = st.text(st.sampled_from("abé\u0301\U0001f600\ud800"), max_size=3)


def expected_bits(lists: list[list[str]], word: str) -> int:
    return sum(1 << n for n, words in enumerate(lists) if word in words)


@given(st.lists(st.lists(WORDS, max_size=6), max_size=4), st.lists(WORDS))
def test_the_bits_of_a_word_are_the_lists_that_it_is_in(
    lists: list[list[str]], others: list[str]
) -> None:
    table = WordTable.of_lists(lists)
    known = {word for words in lists for word in words}
    assert dict(table.items()) == {word: expected_bits(lists, word) for word in known}
    assert [table.number(w) for w in [*known, *others]] == [
        expected_bits(lists, w) for w in [*known, *others]
    ]


@given(st.sets(WORDS), st.data())
def test_a_table_is_made_again_of_its_arrays(words: set[str], data: st.DataObject) -> None:
    numbers = {word: data.draw(st.integers(1, 300)) for word in sorted(words)}
    text, values = WordTable.of_numbers(numbers).arrays()
    assert values.itemsize == (2 if max(numbers.values(), default=0) > 255 else 1)
    assert dict(WordTable(text.tobytes(), values).items()) == numbers


def test_words_are_found_in_all_blocks_and_no_others_are() -> None:
    numbers = {f"w{n:03}": n for n in range(1, 200)}
    table = WordTable.of_numbers(numbers)
    assert [table.number(word) for word in numbers] == list(numbers.values())
    others = ["", "a", "w", "w0011", "w001w002", "001", "w999", "z"]
    assert [table.number(word) for word in others] == [0] * len(others)
    assert len(table) == len(numbers)


def test_a_set_of_some_lists_gives_each_word_once() -> None:
    table = WordTable.of_lists([["a", "b"], ["b", "c"], ["d"]])
    words = WordSet(table, 0b011)
    assert sorted(words) == ["a", "b", "c"]
    assert len(words) == 3
    assert "b" in words
    assert "d" not in words
    assert list(words.without(WordSet(table, 0b010))) == ["a"]
    assert 3 not in words  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("name", LEXICON_NAMES)
def test_a_word_set_equals_its_word_list(name: str) -> None:
    assert frozenset(word_set(name)) == lexicon(name)


def test_a_word_set_unites_word_lists() -> None:
    united = word_set("months", "weekdays")
    assert frozenset(united) == lexicon("months") | lexicon("weekdays")


def test_a_word_set_of_an_unknown_list_is_refused() -> None:
    with pytest.raises(UsageError, match="'towns'"):
        word_set("months", "towns")
