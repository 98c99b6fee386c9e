"""Words without accents."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.accents import without_accents


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Peña", "Pena"), ("Pen\u0303a", "Pena"), ("ÅNGSTRÖM", "ANGSTROM"), ("Bø", "Bø"), ("ﬁ", "fi")],
)
def test_letters_lose_their_marks_and_keep_their_case(text: str, plain: str) -> None:
    assert without_accents(text) == plain


@given(st.text())
def test_nothing_is_left_to_be_removed(text: str) -> None:
    plain = without_accents(text)
    assert without_accents(plain) == plain
    assert not any(map(unicodedata.combining, plain))


@given(st.text(st.characters(max_codepoint=127)))
def test_a_text_without_accents_stays(text: str) -> None:
    assert without_accents(text) == text
