"""At the maximum of recall, marks and ordinary words are flipped with evidence only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document
from multideid.stacking.flip_evidence import with_evidence
from multideid.stacking.thresholds import Decisions
from multideid.text.table import TokenTable

TEXT = "Warfarin pain ! martinez , kathmandu ( tablet 12"
WORDS = TEXT.split()


def _kept(
    flipped: list[str],
    plain: tuple[str, ...] = (),
    found: tuple[str, ...] = (),
    *,
    words: bool = True,
) -> list[str]:
    """Return what stays PHI of words that are flipped, or PHI anyway; systems found some."""
    tokens = TokenTable.from_documents([Document("n", TEXT)])
    assert [tokens.vocabulary[t] for t in tokens.type] == WORDS
    tags = np.array([int(w in flipped or w in plain) for w in WORDS], dtype=np.int32)
    decisions = Decisions(tags, np.array([w in flipped for w in WORDS]))
    scores = np.array([[0.0, 1.0 if w in found else -1.0] for w in WORDS], dtype=np.float32)
    kept = with_evidence(tokens, decisions, [scores], words=words)
    return [word for word, tag in zip(WORDS, kept, strict=True) if tag]


def test_a_lone_mark_and_a_lone_word_of_medicine_are_not_flipped() -> None:
    assert _kept(["Warfarin", "!", "tablet"]) == []


def test_words_can_be_flipped_without_evidence_but_marks_cannot() -> None:
    assert _kept(["Warfarin", "!", "tablet"], words=False) == ["Warfarin", "tablet"]


def test_names_places_and_numbers_are_flipped() -> None:
    assert _kept(["martinez", "kathmandu", "12"]) == ["martinez", "kathmandu", "12"]


def test_a_word_that_a_system_found_is_flipped() -> None:
    assert _kept(["Warfarin", "tablet"], found=("Warfarin",)) == ["Warfarin"]


def test_a_mark_is_flipped_between_phi_and_a_word_next_to_phi() -> None:
    assert _kept([","], plain=("martinez", "kathmandu")) == ["martinez", ",", "kathmandu"]
    assert _kept([","], plain=("martinez",)) == ["martinez"]
    assert _kept(["tablet"], plain=("12",)) == ["tablet", "12"]


def test_what_depends_on_a_dropped_token_is_dropped_too() -> None:
    assert _kept(["pain", "!"]) == []
    assert _kept(["!", "martinez", ",", "(", "tablet"]) == ["martinez"]


def test_what_was_found_without_offsets_stays() -> None:
    assert _kept([], plain=("Warfarin", "!", "(")) == ["Warfarin", "!", "("]


@given(st.lists(st.integers(0, 4), min_size=9, max_size=9), st.sets(st.integers(0, 8)))
def test_tags_stay_valid_and_only_flips_are_dropped(drawn: list[int], flips: set[int]) -> None:
    tags = np.array(drawn, dtype=np.int32)
    for n in range(len(tags)):  # "I" follows only its own class
        before = tags[n - 1] if n else 0
        if tags[n] and tags[n] % 2 == 0 and (before + 1) // 2 != tags[n] // 2:
            tags[n] -= 1
    flipped = np.array([n in flips for n in range(9)]) & (tags > 0)
    tokens = TokenTable.from_documents([Document("n", TEXT)])
    scores = np.zeros((9, 5), dtype=np.float32)
    kept = with_evidence(tokens, Decisions(tags, flipped), [scores], words=True)
    assert ((kept > 0) | flipped | (tags == 0)).all()
    assert (((kept + 1) // 2 == (tags + 1) // 2) | (kept == 0)).all()
    inside = np.flatnonzero((kept > 0) & (kept % 2 == 0))
    assert all(n > 0 and (kept[n - 1] + 1) // 2 == kept[n] // 2 for n in inside)


@pytest.mark.parametrize("word", ["Warfarin", "tablet"])
def test_words_in_the_lists_are_what_the_tests_take_them_for(word: str) -> None:
    assert _kept([word]) == []
