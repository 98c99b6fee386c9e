"""Documents in other typing styles, for augmentation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.resynthesis import TYPING_STYLES, retype

NOTE = Document("1", "Dr. Lee, RN: 3.5 mg.\n", (Span(4, 7, "DOCTOR"),))


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("lower", "dr. lee, rn: 3.5 mg.\n"),
        ("upper", "DR. LEE, RN: 3.5 MG.\n"),
        ("dictated", "dr  lee  rn  3.5 mg \n"),
    ],
)
def test_a_style_changes_the_whole_text_and_no_span(style: str, text: str) -> None:
    (retyped,) = retype([NOTE], {style: 1.0})
    assert retyped.text == text
    assert retyped.spans == NOTE.spans


@given(st.text(), st.sampled_from(sorted(TYPING_STYLES)))
def test_texts_keep_their_length(text: str, style: str) -> None:
    assert len(TYPING_STYLES[style](text)) == len(text)


@pytest.mark.parametrize("text", ["İstanbul", "ßeta", "ΑΣ"])
def test_characters_that_would_become_several_stay(text: str) -> None:
    assert all(len(change(text)) == len(text) for change in TYPING_STYLES.values())


def test_shares_are_those_of_documents() -> None:
    notes = [NOTE] * 2000
    texts = [note.text for note in retype(notes, {"lower": 0.25, "upper": 0.1})]
    assert 440 < sum(text.islower() for text in texts) < 560
    assert 150 < sum(text.isupper() for text in texts) < 250
    assert sum(text == NOTE.text for text in texts) > 1200


def test_the_same_seed_gives_the_same_documents() -> None:
    notes, shares = [NOTE] * 50, {"lower": 0.5}
    assert retype(notes, shares, seed=3) == retype(notes, shares, seed=3)
    assert retype(notes, shares, seed=3) != retype(notes, shares, seed=4)


@pytest.mark.parametrize(
    ("shares", "problem"),
    [
        ({"shouted": 0.5}, "no typing style 'shouted'"),
        ({"lower": -0.1}, "negative"),
        ({"lower": 0.6, "upper": 0.6}, "more than 1"),
        ({"lower": float("nan")}, "negative"),
    ],
)
def test_impossible_shares_are_refused(shares: dict[str, float], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        retype([NOTE], shares)
