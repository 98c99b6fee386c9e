"""Documents in other typing styles, for augmentation."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.resynthesis import TYPING_STYLES, retype

LENGTH_KEPT = ("dictated", "lower", "upper")
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


@given(st.text(), st.sampled_from(LENGTH_KEPT))
def test_three_styles_keep_the_length_of_a_text(text: str, style: str) -> None:
    assert len(_retyped(Document("1", text), style).text) == len(text)


@pytest.mark.parametrize("style", LENGTH_KEPT)
@pytest.mark.parametrize("text", ["İstanbul", "ßeta", "ΑΣ"])
def test_characters_that_would_become_several_stay(text: str, style: str) -> None:
    assert len(_retyped(Document("1", text), style).text) == len(text)


@given(
    st.lists(st.tuples(st.text(max_size=8), st.text(min_size=1, max_size=8))),
    st.sampled_from(sorted(TYPING_STYLES)),
    st.integers(0, 99),
)
def test_every_span_stays_around_its_own_text(
    parts: list[tuple[str, str]], style: str, seed: int
) -> None:
    text, spans = "", []
    for outside, inside in parts:
        text += outside
        spans.append(Span(len(text), len(text) + len(inside), "ID"))
        text += inside
    retyped = _retyped(Document("1", text, tuple(spans)), style, seed)
    assert [span.label for span in retyped.spans] == ["ID"] * len(parts)
    between, at = [], 0
    for span in retyped.spans:
        between.append(retyped.text[at : span.start])
        at = span.end
    assert len(between) == len(parts)


def _retyped(document: Document, style: str, seed: int = 0) -> Document:
    return TYPING_STYLES[style](document, Random(seed))


def test_spoken_notes_have_no_digits_and_no_capitals() -> None:
    text = "Mr. Hale, MRN K2-118, 120/80 on 3/14/2007, T 98.6, 2nd dose at 9:30."
    at = [text.index(part) for part in ("Hale", "K2-118", "3/14/2007")]
    spans = (
        Span(at[0], at[0] + 4, "PATIENT"),
        Span(at[1], at[1] + 6, "ID"),
        Span(at[2], at[2] + 9, "DATE"),
    )
    for seed in range(20):
        spoken = _retyped(Document("1", text, spans), "spoken", seed)
        assert spoken.text == spoken.text.lower()
        assert not any(character.isdigit() for character in spoken.text)
        found = [spoken.span_text(span) for span in spoken.spans]
        assert found[0] == "hale"
        assert found[1].startswith("k two")
        assert found[1].endswith("eight")
        assert "seven" in found[2]


def test_scanned_notes_are_damaged_to_different_degrees() -> None:
    text = "Discharged on Monday with her own clothes and all her papers. " * 20
    changed = [
        sum(a != b for a, b in zip(text.split(), scanned.text.split(), strict=False))
        for seed in range(40)
        for scanned in [_retyped(Document("1", text), "scanned", seed)]
    ]
    assert min(changed) < 40
    assert max(changed) > 100


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
