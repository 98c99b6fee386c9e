"""Compiled inference equals inference in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.arrays import DoubleArray, LongArray
from multideid.learners.chain import MAX_LOG_ODDS
from multideid.scoring.inference import Steps, marginals
from multideid.scoring.inference import viterbi as viterbi_in_numpy
from multideid.scoring.posterior import log_odds
from multideid.scoring.pruning import uncertain_windows
from multideid.scoring.viterbi import viterbi

SEEDS = st.integers(0, 10**6)
SIZES = st.sampled_from([0.0, 0.1, 1.0, 30.0])


def draw(
    seed: int, n: int, n_labels: int, size: float
) -> tuple[DoubleArray, DoubleArray, LongArray]:
    rng = np.random.default_rng(seed)
    emissions = rng.normal(0, size + 1, (n, n_labels))
    starts = np.append(0, 1 + np.flatnonzero(rng.random(n - 1) < 0.2)).astype(np.int64)
    return emissions, rng.normal(0, size, (n_labels, n_labels)), starts


@given(SEEDS, st.integers(1, 60), st.sampled_from([1, 2, 5, 17]), SIZES)
def test_best_sequences_are_those_of_numpy(seed: int, n: int, n_labels: int, size: float) -> None:
    emissions, transitions, starts = draw(seed, n, n_labels, size)
    found = viterbi(emissions, transitions, starts)
    assert found.tolist() == viterbi_in_numpy(emissions, transitions, Steps.of(starts, n)).tolist()


@given(SEEDS, st.integers(1, 40), st.integers(1, 4))
def test_of_equally_good_labels_the_lower_is_taken(seed: int, n: int, n_labels: int) -> None:
    rng = np.random.default_rng(seed)
    emissions = rng.integers(0, 2, (n, n_labels)).astype(np.float64)
    transitions = rng.integers(0, 2, (n_labels, n_labels)).astype(np.float64)
    starts = np.array([0])
    found = viterbi(emissions, transitions, starts)
    assert found.tolist() == viterbi_in_numpy(emissions, transitions, Steps.of(starts, n)).tolist()


@given(SEEDS, st.integers(1, 60), st.sampled_from([1, 2, 5, 17]), SIZES)
def test_odds_are_those_of_numpys_marginals(seed: int, n: int, n_labels: int, size: float) -> None:
    emissions, transitions, starts = draw(seed, n, n_labels, size)
    p = marginals(emissions, transitions, Steps.of(starts, n))
    # Far beyond the limit, probabilities are indistinguishable from 0 and 1.
    odds = np.log(np.maximum(p, 1e-12)) - np.log(np.maximum(1 - p, 1e-12))
    expected = np.clip(odds, -MAX_LOG_ODDS, MAX_LOG_ODDS)
    found = log_odds(emissions, transitions, starts, MAX_LOG_ODDS)
    assert found.dtype == np.float32
    assert found == pytest.approx(expected, abs=2e-6)


@given(SEEDS, st.integers(1, 80), SIZES, st.sampled_from([2.0, 9.0, 15.0, 40.0]))
def test_odds_are_those_of_marginals_where_most_tokens_are_certain(
    seed: int, n: int, size: float, lead: float
) -> None:
    emissions, transitions, starts = draw(seed, n, 5, size)
    certain = np.random.default_rng(seed).random(n) < 0.9
    emissions[certain, 0] += lead + 4 * size
    p = marginals(emissions, transitions, Steps.of(starts, n))
    odds = np.log(np.maximum(p, 1e-12)) - np.log(np.maximum(1 - p, 1e-12))
    found = log_odds(emissions, transitions, starts, MAX_LOG_ODDS)
    assert found == pytest.approx(np.clip(odds, -MAX_LOG_ODDS, MAX_LOG_ODDS), abs=2e-6)


def test_windows_surround_only_uncertain_tokens() -> None:
    rng = np.random.default_rng(0)
    emissions, transitions = rng.normal(0, 1, (1000, 5)), rng.normal(0, 1, (5, 5))
    emissions[:, 0] += 20
    emissions[[300, 301, 700], 1] += 20
    windows, uncertain = uncertain_windows(emissions, transitions, np.array([0, 1000]), 1e-4)
    assert np.flatnonzero(uncertain).tolist() == [300, 301, 700]
    assert len(windows) == 2
    assert (windows[:, 1] - windows[:, 0]).max() < 16
    windows, _ = uncertain_windows(emissions, transitions, np.array([0, 301, 1000]), 1e-4)
    assert windows[:2, :].tolist() == [[windows[0, 0], 301], [301, windows[1, 1]]]


@pytest.mark.parametrize("n_labels", [1, 17])
def test_nothing_is_decided_where_there_is_nothing(n_labels: int) -> None:
    emissions, transitions = np.zeros((0, n_labels)), np.zeros((n_labels, n_labels))
    starts = np.zeros(0, dtype=np.int64)
    assert viterbi(emissions, transitions, starts).shape == (0,)
    assert log_odds(emissions, transitions, starts, 8.0).shape == (0, n_labels)


def test_a_line_of_thousands_of_tokens_is_decided() -> None:
    emissions, transitions, _ = draw(0, 4_000, 17, 1.0)
    starts = np.array([0])
    expected = viterbi_in_numpy(emissions, transitions, Steps.of(starts, 4_000))
    assert np.array_equal(viterbi(emissions, transitions, starts), expected)
    assert np.isfinite(log_odds(emissions, transitions, starts, 8.0)).all()


def test_labels_that_cannot_be_are_never_given() -> None:
    emissions, transitions, starts = draw(3, 200, 5, 1.0)
    emissions[:, 2] = -1e9
    assert 2 not in viterbi(emissions, transitions, starts)
    assert (log_odds(emissions, transitions, starts, 8.0)[:, 2] == -8).all()
