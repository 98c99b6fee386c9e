"""Decision thresholds achieve the requested recall at the lowest cost ratio."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.stacking import MultiDeidentifier
from multideid.stacking.decode import best_tags
from multideid.stacking.phi_odds import NO_CANDIDATE
from multideid.stacking.thresholds import (
    OPERATING_POINTS,
    DecisionThresholds,
    decide,
    flipped,
)
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


@pytest.mark.parametrize("requested", [0.8, 0.95, 0.99])
def test_the_requested_recall_is_achieved(requested: float) -> None:
    margins, labels = draw((500, 400, 300))
    thresholds = DecisionThresholds.of(margins, labels)
    assert flipped(margins, thresholds.at_recall(requested))[labels.ids > 0].mean() >= requested
    assert thresholds.shortfall(requested) is None


@given(st.integers(0, 10_000), st.sampled_from([0.1, 1.0, 7.0, 300.0]))
def test_no_other_offsets_cost_less_at_the_cost_ratio(seed: int, ratio: float) -> None:
    rng = np.random.default_rng(seed)
    margins = rng.normal(0, 1, (60, 5)).round(1).astype(np.float32)
    labels = TokenLabels(rng.integers(0, 5, 60).astype(np.int32), NAMES)
    phi = labels.ids > 0

    def cost(offsets: np.ndarray) -> float:
        found = flipped(margins, offsets)
        return ratio * (phi & ~found).sum() + (found & ~phi).sum()

    best = cost(DecisionThresholds.of(margins, labels).at_cost_ratio(ratio))
    others = rng.uniform(0, 4, (50, 2)).astype(np.float32)
    assert best <= min(cost(each) for each in others)
    assert best <= cost(np.zeros(2, dtype=np.float32))


@given(st.integers(0, 10_000), st.floats(0.01, 1000))
def test_the_recall_at_a_cost_ratio_is_that_of_its_offsets(seed: int, ratio: float) -> None:
    rng = np.random.default_rng(seed)
    margins = rng.normal(0, 1, (60, 5)).round(1).astype(np.float32)
    labels = TokenLabels(rng.integers(0, 5, 60).astype(np.int32), NAMES)
    thresholds = DecisionThresholds.of(margins, labels)
    found = flipped(margins, thresholds.at_cost_ratio(ratio))[labels.ids > 0]
    assert thresholds.recall(ratio) == pytest.approx(found.mean() if len(found) else 1)


def test_a_higher_recall_lowers_no_offset() -> None:
    thresholds = DecisionThresholds.of(*draw((500, 400, 300)))
    offsets = [thresholds.at_recall(requested) for requested in (0.5, 0.9, 0.99, 0.999)]
    for lower, higher in pairwise(offsets):
        assert (lower <= higher).all()
    assert (offsets[0] < offsets[-1]).any()


def test_offsets_are_zero_if_all_phi_is_found_without_them() -> None:
    labels = TokenLabels(np.array([1] * 100 + [3] * 100, dtype=np.int32), NAMES)
    margins = np.full((200, 5), -1, dtype=np.float32)
    margins[np.arange(200), labels.ids] = 1
    assert DecisionThresholds.of(margins, labels).at_recall(0.95).tolist() == [0, 0]


def test_an_unrecognisable_class_causes_no_flood_of_false_alarms() -> None:
    margins, labels = draw((5000, 400, 20))
    margins[labels.ids == 3] = [1, -2, -2, -1, -2]
    margins[labels.ids == 0] = [1, -2, -2, -1, -2]
    margins[:100] = [1, -1, -2, -2, -2]
    margins[labels.ids == 1, 3:] = -9
    offsets = DecisionThresholds.of(margins, labels).at_recall(0.95)
    assert offsets[0] > 0
    assert offsets[1] == 0


def test_a_class_without_examples_has_offset_zero() -> None:
    margins, labels = draw((500, 400, 0))
    margins[labels.ids == 1, 3:] = -9
    assert DecisionThresholds.of(margins, labels).at_recall(0.95)[1] == 0


def test_tokens_that_are_no_candidates_are_reported_and_not_flipped() -> None:
    margins, labels = draw((500, 400, 100))
    unseen = np.flatnonzero(labels.ids == 3)[:30]
    margins[unseen] = [NO_CANDIDATE, 0, 0, 0, 0]
    thresholds = DecisionThresholds.of(margins, labels)
    problem = thresholds.shortfall(0.95)
    assert problem
    assert re.match(r"recall 0\.95 is not achievable: 0\.94\d\d of the 500 PHI tokens", problem)
    assert not flipped(margins, thresholds.at_recall(0.95))[unseen].any()


def test_a_corpus_without_labels_has_no_offsets() -> None:
    labels = TokenLabels(np.zeros(3, dtype=np.int32), ("O",))
    margins = np.zeros((3, 1), dtype=np.float32)
    offsets = DecisionThresholds.of(margins, labels).at_recall(0.9)
    assert offsets.shape == (0,)
    assert not flipped(margins, offsets).any()


def table(n_tokens: int) -> TokenTable:
    return TokenTable.from_texts([" ".join(["x"] * n_tokens)])


@given(st.integers(0, 10_000), st.floats(0, 3), st.floats(0, 3))
def test_phi_found_without_offsets_keeps_its_class_with_them(
    seed: int, one: float, two: float
) -> None:
    margins = np.random.default_rng(seed).normal(0, 1, (40, 5)).astype(np.float32)
    before = best_tags(table(40), margins)
    after = decide(table(40), margins, np.array([one, two], dtype=np.float32)).tags
    found = before > 0
    assert ((after[found] + 1) // 2 == (before[found] + 1) // 2).all()


@given(st.integers(0, 10_000), st.floats(0.01, 3), st.floats(0, 3))
def test_all_flipped_tokens_are_tagged_in_valid_sequences(
    seed: int, one: float, two: float
) -> None:
    margins = np.random.default_rng(seed).normal(0, 1, (40, 5)).astype(np.float32)
    offsets = np.array([one, two], dtype=np.float32)
    tags = decide(table(40), margins, offsets).tags
    assert (tags[flipped(margins, offsets)] > 0).all()
    # The first token of a line may be "inside".
    inside = 1 + np.flatnonzero((tags[1:] > 0) & (tags[1:] % 2 == 0))
    assert ((tags[inside - 1] + 1) // 2 == tags[inside] // 2).all()


def test_a_flipped_token_has_the_class_of_its_greatest_margin() -> None:
    margins = np.array([[1, 0.5, -2, 0.8, -2]], dtype=np.float32)
    assert decide(table(1), margins, np.array([0.6, 0.3], dtype=np.float32)).tags.tolist() == [3]
    assert decide(table(1), margins, np.array([0.6, 0], dtype=np.float32)).tags.tolist() == [0]


@pytest.mark.parametrize(("false_alarms", "is_found"), [(4, True), (5, True), (7, False)])
def test_high_recall_accepts_six_false_alarms_for_a_missed_token(
    false_alarms: int, is_found: bool
) -> None:
    # One missed token of DATE, and non-PHI tokens with greater margins for DATE.
    margins = np.full((1 + false_alarms, 5), -9, dtype=np.float32)
    margins[:, 0] = 0
    margins[:, 1] = [-1, *[-0.5] * false_alarms]
    labels = TokenLabels(np.array([1, *[0] * false_alarms], dtype=np.int32), NAMES)
    offsets = DecisionThresholds.of(margins, labels).at_cost_ratio(OPERATING_POINTS["high"])
    assert bool(flipped(margins, offsets)[0]) is is_found


def test_with_recall_does_not_change_the_model_it_is_called_on() -> None:
    model = MultiDeidentifier(["mimic"], folds=2, n_jobs=1).fit(sample_corpus(4))
    notes = sample_corpus(2, seed=5)
    offsets, found = model.offsets_.copy(), model.predict(notes)
    other = model.with_recall("maximum")
    assert other.predict(notes) != found
    assert model.offsets_.tolist() == offsets.tolist()
    assert model.predict(notes) == found
