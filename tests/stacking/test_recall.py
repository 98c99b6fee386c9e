"""The recall dial reaches the wanted share, and moves no further than it must."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.stacking.recall import RecallWarning, recall_offsets
from multideid.stacking.stacker import UNCONTESTED
from multideid.text.bio import TokenLabels, bio_names

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
    with pytest.warns(RecallWarning, match="of ID cannot be promised"):
        offsets = recall_offsets(margins, labels, 0.95)
    assert offsets[1] < 5


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
    with pytest.warns(RecallWarning, match=r"0\.95 of ID .* 0\.700 of its 100 tokens"):
        offsets = recall_offsets(margins, labels, 0.95)
    assert offsets[1] < 5
    margins[:, 1:] += np.repeat(offsets, 2)
    assert (margins[unseen].argmax(axis=1) == 0).all()
