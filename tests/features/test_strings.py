"""Features of a word's characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.features.strings import (
    capitalization,
    character_ngrams,
    digits_to_zero,
    shape,
    short_shape,
)
from multideid.text.tokenizer import tokenize

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)


@pytest.mark.parametrize(
    ("word", "full", "short"),
    [
        ("Lee", "Xxx", "Xx"),
        ("Varicella", "Xxxxx", "Xx"),
        ("MRN", "XXX", "X"),
        ("HOSPITAL", "XXXX", "X"),
        ("1946", "dddd", "d"),
        ("123456", "dddd", "d"),
        ("12/03/46", "dd/dd/dd", "d/d/d"),
        ("Ávila", "Xxxxx", "Xx"),
        ("語", "x", "x"),
        ("----", "----", "-"),
        ("", "", ""),
    ],
)
def test_shapes_show_classes_of_characters(word: str, full: str, short: str) -> None:
    assert (shape(word), short_shape(word)) == (full, short)


@given(ANY_TEXT)
def test_runs_in_shapes_are_cut(word: str) -> None:
    full, short = shape(word), short_shape(word)
    assert all(character * 5 not in full for character in set(full))
    assert all(character * 2 not in short for character in set(short))


@pytest.mark.parametrize(("word", "norm"), [("T-1946", "t-0000"), ("٣x", "0x"), ("", "")])
def test_digits_become_zeros_and_capitals_small(word: str, norm: str) -> None:
    assert digits_to_zero(word) == norm


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Lee", "initial"),
        ("McX", "initial"),
        ("LEE", "all"),
        ("lee", "lower"),
        ("lEE", "lower"),
        ("I", "letter"),
        ("i", "lower"),
        ("42", "digits"),
        ("-", "other"),
        ("\n", "other"),
    ],
)
def test_capitalization_is_one_of_six(word: str, kind: str) -> None:
    assert capitalization(word) == kind


@given(ANY_TEXT)
def test_every_token_has_a_capitalization(text: str) -> None:
    kinds = {capitalization(text[start:end]) for start, end in tokenize(text)}
    assert kinds <= {"initial", "all", "lower", "letter", "digits", "other"}


def test_ngrams_mark_the_edges_of_the_word() -> None:
    assert character_ngrams("Lee", 3) == ["<l", "le", "ee", "e>", "<le", "lee", "ee>"]
    assert character_ngrams("a") == ["<a", "a>", "<a>"]


@given(st.text(st.sampled_from("abC1"), max_size=40), st.integers(2, 6))
def test_ngrams_are_all_substrings_of_their_sizes(word: str, longest: int) -> None:
    grams = character_ngrams(word, longest)
    marked = f"<{word.lower()[:24]}>"
    assert {len(gram) for gram in grams} == set(range(2, min(longest, len(marked)) + 1))
    assert len(grams) == sum(len(marked) - size + 1 for size in {len(gram) for gram in grams})
    assert all(gram in marked for gram in grams)
