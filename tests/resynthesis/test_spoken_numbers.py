"""Numbers and dates in words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.resynthesis.spoken_numbers import SpokenNumbers, in_words, ordinal


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (40, "forty"),
        (99, "ninety nine"),
        (100, "one hundred"),
        (512, "five hundred twelve"),
        (9999, "nine thousand nine hundred ninety nine"),
    ],
)
def test_numbers_are_said_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "first"), (12, "twelfth"), (20, "twentieth"), (23, "twenty third"), (31, "thirty first")],
)
def test_days_are_said_as_ordinals(number: int, words: str) -> None:
    assert ordinal(number) == words


def _said(text: str, label: str | None) -> set[str]:
    return {SpokenNumbers(Random(seed))(text, label) for seed in range(60)}


def test_a_date_is_said_in_several_ways() -> None:
    said = _said("3/14/2007", "DATE")
    assert "march fourteenth two thousand seven" in said
    assert "three fourteen two thousand seven" in said


def test_a_day_first_date_names_its_month() -> None:
    assert any("april" in text and "twenty second" in text for text in _said("22.4.19", "DATE"))


def test_numbers_of_things_are_said_digit_by_digit() -> None:
    said = _said("K2-1180", "ID")
    assert "k2-1180" not in {text.lower() for text in said}
    assert "K two dash one one eight zero" in said
    assert any("double one" in text for text in said)
    assert any(text.endswith("eight oh") for text in said)


def test_measurements_keep_their_sense() -> None:
    assert _said("2.05", None) <= {f"two point {zero} five" for zero in ("zero", "oh")}
    assert "one twenty over eighty" in _said("120/80", None)


@given(st.text(), st.sampled_from([None, "DATE", "ID", "LOCATION"]), st.integers(0, 20))
def test_any_text_can_be_said(text: str, label: str | None, seed: int) -> None:
    assert isinstance(SpokenNumbers(Random(seed))(text, label), str)
