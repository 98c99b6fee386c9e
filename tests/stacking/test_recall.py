"""The recall dial reaches the wanted share, and moves no further than it must."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.stacking.decode import best_tags
from multideid.stacking.recall import dialled_tags, recall_offsets, unreached
from multideid.stacking.stacker import UNCONTESTED
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

NAMES = bio_names(["DATE", "ID"])


def draw(sizes: tuple[int, int, int]) -> tuple[np.ndarray, TokenLabels]:
    """Draw margins in which many PHI tokens are narrowly missed."""
    rng = np.random.default_rng(3)
    ids = np.repeat([0, 1, 3], sizes).astype(np.int32)
    margins = rng.normal(-1, 0.3, (len(ids), 5)).astype(np.float32)
    margins[np.arange(len(ids)), ids] += rng.normal(1.2, 0.6, len(ids)).astype(np.float32)
    return margins, TokenLabels(ids, NAMES)


@pytest.mark.parametrize("wanted", [0.8, 0.95, 0.99])
def test_the_wanted_share_of_each_class_is_found(wanted: float) -> None:
    margins, labels = draw((500, 400, 300))
    offsets = recall_offsets(margins, labels, wanted)
    margins[:, 1:] += np.repeat(offsets, 2)
    for tag in (1, 3):
        found = margins[labels.ids == tag].argmax(axis=1) > 0
        assert found.mean() >= wanted


@given(st.integers(0, 10_000), st.sampled_from([0.5, 0.8, 0.9, 0.97]))
def test_the_share_is_found_where_classes_are_mistaken_for_one_another(
    seed: int, wanted: float
) -> None:
    rng = np.random.default_rng(seed)
    labels = TokenLabels(rng.integers(0, 5, 300).astype(np.int32), NAMES)
    margins = rng.normal(0, 1, (300, 5)).astype(np.float32)
    # A tag of the other class comes nearer than one of the token's own.
    margins[labels.ids == 1, 3] += 1
    margins[:, 0] += 1
    offsets = recall_offsets(margins, labels, wanted)
    margins[:, 1:] += np.repeat(offsets, 2)
    for tags in ((1, 2), (3, 4)):
        assert (margins[np.isin(labels.ids, tags)].argmax(axis=1) > 0).mean() >= wanted


def test_a_class_moves_no_further_than_it_must() -> None:
    margins, labels = draw((500, 400, 0))
    offsets = recall_offsets(margins, labels, 0.99)
    assert offsets[0] > 0
    margins[:, 1:] += np.repeat(offsets - np.float32(0.001), 2)
    assert (margins[labels.ids == 1].argmax(axis=1) > 0).mean() < 0.99


def test_a_class_that_is_found_as_it_is_is_not_moved() -> None:
    labels = TokenLabels(np.array([1] * 100 + [3] * 100, dtype=np.int32), NAMES)
    margins = np.full((200, 5), -1, dtype=np.float32)
    margins[np.arange(200), labels.ids] = 1
    assert recall_offsets(margins, labels, 0.95).tolist() == [0, 0]


def test_a_class_of_few_tokens_is_treated_as_all_phi_together() -> None:
    margins, labels = draw((500, 400, 2))
    margins[-1] = [90, -1, -1, -1, -1]
    offsets = recall_offsets(margins, labels, 0.95)
    assert offsets[1] < 5
    told = unreached(margins, labels, offsets, 0.95)
    assert [sentence.partition(":")[0] for sentence in told] == [
        "recall 0.95 of ID cannot be promised"
    ]


def test_a_class_without_example_is_not_moved() -> None:
    margins, labels = draw((500, 400, 0))
    assert recall_offsets(margins, labels, 0.95)[1] == 0


def test_the_worst_token_of_a_class_just_large_enough_is_given_up() -> None:
    margins, labels = draw((500, 400, 100))
    margins[-1] = [90, -1, -1, -1, -1]
    assert recall_offsets(margins, labels, 0.99)[1] < 5


def test_tokens_that_no_system_contests_are_told_of_and_move_nothing() -> None:
    margins, labels = draw((500, 400, 100))
    unseen = np.flatnonzero(labels.ids == 3)[:30]
    margins[unseen] = [UNCONTESTED, 0, 0, 0, 0]
    offsets = recall_offsets(margins, labels, 0.95)
    assert offsets[1] < 5
    (told,) = unreached(margins, labels, offsets, 0.95)
    assert re.match(r"recall 0\.95 of ID .* 0\.700 of its 100 tokens", told)
    margins[:, 1:] += np.repeat(offsets, 2)
    assert (margins[unseen].argmax(axis=1) == 0).all()


def table(n_tokens: int) -> TokenTable:
    return TokenTable.from_texts([" ".join(["x"] * n_tokens)])


@given(st.integers(0, 10_000), st.floats(0, 3), st.floats(0, 3))
def test_what_is_found_anyway_keeps_its_class_at_any_dial(
    seed: int, one: float, two: float
) -> None:
    margins = np.random.default_rng(seed).normal(0, 1, (40, 5)).astype(np.float32)
    before = best_tags(table(40), margins)
    after = dialled_tags(table(40), margins, np.array([one, two], dtype=np.float32))
    found = before > 0
    assert ((after[found] + 1) // 2 == (before[found] + 1) // 2).all()


@given(st.integers(0, 10_000), st.floats(0.01, 3), st.floats(0, 3))
def test_all_that_the_dial_lifts_is_tagged_in_possible_sequences(
    seed: int, one: float, two: float
) -> None:
    margins = np.random.default_rng(seed).normal(0, 1, (40, 5)).astype(np.float32)
    offsets = np.array([one, two], dtype=np.float32)
    tags = dialled_tags(table(40), margins, offsets)
    lifted = margins[:, 1:3].max(axis=1) + offsets[0] > margins[:, 0]
    assert (tags[lifted] > 0).all()
    # What begins a line may go on from the line before.
    inside = 1 + np.flatnonzero((tags[1:] > 0) & (tags[1:] % 2 == 0))
    assert ((tags[inside - 1] + 1) // 2 == tags[inside] // 2).all()


def test_a_rescued_token_has_the_class_that_its_margins_favour() -> None:
    margins = np.array([[1, 0.5, -2, 0.8, -2]], dtype=np.float32)
    assert dialled_tags(table(1), margins, np.array([0.6, 0], dtype=np.float32)).tolist() == [3]
    assert dialled_tags(table(1), margins, np.array([0.4, 0], dtype=np.float32)).tolist() == [0]
