"""Phrases of lists in texts."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.site.globs import Globs, matches
from multideid.site.phrases import PhraseIndex, phrase_words
from multideid.site.words import Words, split_words
from multideid.text.table import TokenTable


def _found(phrases: list[str], text: str) -> list[str]:
    words = Words.of(TokenTable.from_texts([text]))
    index = PhraseIndex((phrase, phrase) for phrase in phrases)
    return [text[words.start[m.first] : words.end[m.last]] for m in index.matches(words)]


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("O'Brien", "Dr. O\u2019BRIEN left", ["O\u2019BRIEN"]),
        ("peña", "PENA, Pen\u0303a and Penalver", ["PENA", "Pen\u0303a"]),
        ("general  hospital", "General\nHospital, general\n\nhospital", ["General\nHospital"]),
        ("McDonald", "mcdonald MCDONALD McDonald", ["mcdonald", "MCDONALD", "McDonald"]),
        ("lee", "McLee Lee2 lee", ["lee"]),
        ("St*", "Stan, st and Est", ["Stan", "st"]),
        ("ward *b", "Ward 7B ward 12b ward 7", ["Ward 7B", "ward 12b"]),
        ("*ford hospital", "Stamford Hospital", ["Stamford Hospital"]),
        ("a&e", "A&E, A & E", ["A&E", "A & E"]),
    ],
)
def test_entries_match_whole_words_in_any_spelling(phrase, text, found) -> None:
    assert _found([phrase], text) == found


def test_the_longest_phrase_from_a_word_is_found() -> None:
    assert _found(["lee", "lee ann", "lee ann carr"], "Lee Ann Cole") == ["Lee Ann"]


WORD = st.text(st.sampled_from("ab"), min_size=1, max_size=3)
PHRASE = st.lists(WORD, min_size=1, max_size=3).map(" ".join)


@given(st.lists(PHRASE, min_size=1, max_size=6), st.lists(WORD, max_size=12).map(" ".join))
def test_search_finds_what_a_search_for_each_phrase_finds(phrases, text) -> None:
    words = split_words(text)
    wanted = [split_words(phrase) for phrase in phrases]
    longest = [
        max((p for p in wanted if words[n : n + len(p)] == p), key=len, default=None)
        for n in range(len(words))
    ]
    assert _found(phrases, text) == [" ".join(p) for p in longest if p]


GLOB = st.text(st.sampled_from("ab*"), min_size=1, max_size=5).filter(lambda p: "*" in p)


@given(GLOB, WORD)
def test_stars_match_as_in_file_names(pattern: str, word: str) -> None:
    assert matches(tuple(pattern.split("*")), word) == fnmatchcase(word, pattern)


@given(st.lists(GLOB, max_size=5), WORD)
def test_patterns_are_looked_up_by_their_ends(patterns: list[str], word: str) -> None:
    expected = {p for p in patterns if fnmatchcase(word, p)}
    assert set(Globs(patterns).of(word)) == expected


def test_a_star_belongs_to_the_word_it_touches() -> None:
    assert phrase_words("St*-Ann's *ville") == ["st*", "-", "ann", "'", "s", "*ville"]
