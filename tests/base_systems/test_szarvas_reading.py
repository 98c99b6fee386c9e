"""Szarvas's classes, votes and standardised phrases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.arrays import IntArray
from multideid.base_systems.szarvas.classes import bio_scores, phrase_edges, to_bio, to_iob1
from multideid.base_systems.szarvas.model import vote
from multideid.base_systems.szarvas.phrases import Phrases, repetitions, standardised
from multideid.text.table import TokenTable

OUT, B_X, I_X, B_Y, I_Y = range(5)


def ints(*values: int) -> IntArray:
    return np.array(values, dtype=np.int32)


@st.composite
def tagged(draw: st.DrawFn) -> tuple[IntArray, IntArray]:
    """Valid BIO tags of two labels, and the tokens' documents."""
    pairs = draw(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.booleans()), max_size=12))
    document = np.cumsum([new for _, _, new in pairs], dtype=np.int32)
    tags: list[int] = []
    for n, (label, begins, _) in enumerate(pairs):
        goes_on = n and document[n] == document[n - 1] and (tags[-1] + 1) // 2 == label
        tags.append(0 if label == 0 else 2 * label - (begins or not goes_on))
    return ints(*tags), document


@given(tagged())
@settings(deadline=None, max_examples=40)
def test_no_phrase_is_lost_in_the_trees_classes(case: tuple[IntArray, IntArray]) -> None:
    tags, document = case
    assert to_bio(to_iob1(tags, document), document).tolist() == tags.tolist()


def test_only_where_phrases_touch_is_a_beginning_a_class() -> None:
    tags = ints(B_X, I_X, B_X, OUT, B_X, B_Y)
    assert to_iob1(tags, np.zeros(6, dtype=np.int32)).tolist() == [I_X, I_X, B_X, OUT, I_X, I_Y]
    assert to_iob1(ints(B_X, B_X), ints(0, 1)).tolist() == [I_X, I_X]


def test_edges_are_the_first_and_last_tokens() -> None:
    first, last = phrase_edges(ints(B_X, I_X, B_X, OUT, B_Y, B_Y), ints(0, 0, 0, 0, 0, 1))
    assert first.tolist() == [True, False, True, False, True, True]
    assert last.tolist() == [False, True, True, False, True, True]


def test_scores_separate_beginnings_from_insides_and_the_decision_is_the_maximum() -> None:
    probabilities = np.array([[0.2, 0, 0.7, 0, 0.1], [0.2, 0.1, 0.7, 0, 0], [0.6, 0, 0.1, 0, 0.3]])
    tags = ints(B_X, I_X, B_Y)
    scores = bio_scores(probabilities.astype(np.float32), tags, np.zeros(3, dtype=np.int32))
    assert scores.argmax(axis=1).tolist() == tags.tolist()
    np.testing.assert_allclose(scores[:2], [[0.2, 0.7, 0, 0.1, 0], [0.2, 0.1, 0.7, 0, 0]])


@pytest.mark.parametrize(
    ("decided", "cautious", "recall"),
    [
        ((I_X, I_X, OUT), I_X, I_X),
        ((OUT, I_Y, OUT), OUT, OUT),
        ((B_X, OUT, I_X), B_X, B_X),
        ((OUT, I_X, I_Y), OUT, I_Y),
        ((I_Y,), I_Y, I_Y),
    ],
)
def test_two_of_three_decide(decided: tuple[int, ...], cautious: int, recall: int) -> None:
    learners = np.array(decided, dtype=np.int32)[:, None]
    probabilities = np.array([[0.4, 0, 0.25, 0, 0.35]], dtype=np.float32)
    assert vote(learners, probabilities, recall=False).tolist() == [cautious]
    assert vote(learners, probabilities, recall=True).tolist() == [recall]


@given(tagged(), st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_repetitions_are_those_found_by_comparing_all_spans(
    case: tuple[IntArray, IntArray], drawn: list[int]
) -> None:
    tags, document = case
    words = ints(*drawn[: len(tags)])
    phrases = Phrases.of_tags(tags, document)
    texts = [
        (int(document[first]), words[first : first + length].tolist())
        for first, length in zip(phrases.first.tolist(), phrases.length.tolist(), strict=True)
    ]
    expected = {
        (row, len(text))
        for where, text in texts
        for row in range(len(words) - len(text) + 1)
        if words[row : row + len(text)].tolist() == text
        and (document[row : row + len(text)] == where).all()
    }
    found = [
        (row, length)
        for places in repetitions(phrases, words, document)
        for row, length in zip(places.first.tolist(), places.length.tolist(), strict=True)
    ]
    assert sorted(found) == sorted(expected)


def standard(text: str, *tags: int) -> list[int]:
    return standardised(ints(*tags), TokenTable.from_texts(text.split("|"))).tolist()


def test_all_occurrences_of_a_phrase_of_two_words_get_the_same_tags() -> None:
    assert standard("Ann Lee and Ann Lee", B_X, I_X, OUT, OUT, OUT) == [B_X, I_X, OUT, B_X, I_X]
    assert standard("Ann Lee Ann Lee Ann Lee", *[B_X, I_X] * 2, B_Y, OUT) == [B_X, I_X] * 3


def test_of_overlapping_phrases_the_longest_prevails() -> None:
    tags = (B_X, I_X, OUT, B_Y, I_Y, I_Y, OUT, OUT, OUT, OUT)
    found = standard("Ann Lee . Ann Lee Home , Ann Lee Home", *tags)
    assert found == [B_X, I_X, OUT, B_Y, I_Y, I_Y, OUT, B_Y, I_Y, I_Y]


def test_single_words_and_other_documents_are_left_alone() -> None:
    assert standard("Lee and Lee", B_X, OUT, OUT) == [B_X, OUT, OUT]
    assert standard("3/14 or 3/14", B_X, I_X, I_X, OUT, OUT, OUT, OUT) == [
        B_X,
        I_X,
        I_X,
        OUT,
        OUT,
        OUT,
        OUT,
    ]
    assert standard("Ann Lee|Ann Lee", B_X, I_X, OUT, OUT) == [B_X, I_X, OUT, OUT]
