"""Matching all lists in one pass equals looking up every phrase at every word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from multideid.text.phrases import PhraseSet
from multideid.text.table import TokenTable

WORDS = ["a", "b", "c", "-", "é", "mcdonald"]
PHRASES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), max_size=4)
NOTES = st.lists(st.lists(st.sampled_from([*WORDS, "A", "É", "x"]), max_size=12), max_size=3)


def marked(words: list[str], phrases: list[list[str]]) -> list[bool]:
    lower = [word.lower() for word in words]
    inside = [False] * len(words)
    for phrase in phrases:
        for n in range(len(words) - len(phrase) + 1):
            if lower[n : n + len(phrase)] == phrase:
                inside[n : n + len(phrase)] = [True] * len(phrase)
    return inside


@given(st.lists(PHRASES, max_size=3), NOTES)
def test_each_list_sets_its_bit(lists: list[list[list[str]]], notes: list[list[str]]) -> None:
    phrases = PhraseSet.build(*([" ".join(phrase) for phrase in one] for one in lists))
    found = phrases.match(TokenTable.from_texts([" ".join(words) for words in notes])).tolist()
    for n, one in enumerate(lists):
        expected = [flag for words in notes for flag in marked(words, one)]
        assert [bool(bits >> n & 1) for bits in found] == expected


def test_a_word_parted_at_its_inner_capital_begins_and_ends_phrases() -> None:
    phrases = PhraseSet.build(["mcdonald smith", "old mcdonald"])
    table = TokenTable.from_texts(["Old McDonald Smith"])
    assert table.words() == ["Old", "Mc", "Donald", "Smith"]
    assert phrases.match(table).tolist() == [1, 1, 1, 1]
