"""Marginals and best sequences equal those of an exhaustive search."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.arrays import DoubleArray, LongArray
from multideid.scoring.inference import Steps, marginals, viterbi

LENGTHS = st.lists(st.integers(1, 4), max_size=5)


def random_chain(
    seed: int, n_tokens: int, n_labels: int, size: float
) -> tuple[DoubleArray, DoubleArray]:
    rng = np.random.default_rng(seed)
    return rng.normal(0, size, (n_tokens, n_labels)), rng.normal(0, size, (n_labels, n_labels))


def starts_of(lengths: list[int]) -> LongArray:
    return np.cumsum([0, *lengths], dtype=np.int64)[:-1]


def path_score(path: tuple[int, ...], emissions: DoubleArray, transitions: DoubleArray) -> float:
    steps = sum(transitions[a, b] for a, b in pairwise(path))
    return float(sum(emissions[t, label] for t, label in enumerate(path)) + steps)


def all_paths(emissions: DoubleArray, transitions: DoubleArray) -> dict[tuple[int, ...], float]:
    paths = product(range(emissions.shape[1]), repeat=len(emissions))
    return {path: path_score(path, emissions, transitions) for path in paths}


def brute_marginals(emissions: DoubleArray, transitions: DoubleArray) -> DoubleArray:
    found = np.zeros(emissions.shape)
    for path, score in all_paths(emissions, transitions).items():
        found[range(len(path)), path] += np.exp(score)
    return found / found.sum(axis=1, keepdims=True)


@given(st.integers(0, 10**6), LENGTHS, st.integers(1, 3), st.sampled_from([0.1, 1.0, 5.0]))
def test_marginals_are_those_of_all_sequences(
    seed: int, lengths: list[int], n_labels: int, size: float
) -> None:
    starts = starts_of(lengths)
    emissions, transitions = random_chain(seed, sum(lengths), n_labels, size)
    found = marginals(emissions, transitions, Steps.of(starts, len(emissions)))
    assert found.shape == emissions.shape
    for first, length in zip(starts, lengths, strict=True):
        rows = slice(first, first + length)
        assert found[rows] == pytest.approx(brute_marginals(emissions[rows], transitions))


@given(st.integers(0, 10**6), LENGTHS, st.integers(1, 3))
def test_viterbi_finds_the_best_of_all_sequences(
    seed: int, lengths: list[int], n_labels: int
) -> None:
    starts = starts_of(lengths)
    emissions, transitions = random_chain(seed, sum(lengths), n_labels, 1.0)
    found = viterbi(emissions, transitions, Steps.of(starts, len(emissions)))
    assert found.dtype == np.int32
    for first, length in zip(starts, lengths, strict=True):
        paths = all_paths(emissions[first : first + length], transitions)
        assert tuple(found[first : first + length]) == max(paths, key=paths.__getitem__)


@given(LENGTHS)
def test_steps_hold_every_row_once_and_go_on_where_the_step_before_ended(
    lengths: list[int],
) -> None:
    starts = starts_of(lengths)
    rows = Steps.of(starts, sum(lengths)).rows
    assert sorted(row for step in rows for row in step) == list(range(sum(lengths)))
    assert len(rows) == max(lengths, default=0)
    for before, after in pairwise(rows):
        assert (after == before[: len(after)] + 1).all()


def test_ties_go_to_the_lower_label() -> None:
    steps = Steps.of(np.array([0, 2]), 5)
    assert viterbi(np.zeros((5, 3)), np.zeros((3, 3)), steps).tolist() == [0] * 5


def test_no_sequences_have_no_labels() -> None:
    steps = Steps.of(np.zeros(0, dtype=np.int64), 0)
    assert viterbi(np.zeros((0, 3)), np.zeros((3, 3)), steps).shape == (0,)
    assert marginals(np.zeros((0, 3)), np.zeros((3, 3)), steps).shape == (0, 3)


def test_long_sequences_and_great_weights_stay_probabilities() -> None:
    emissions, transitions = random_chain(0, 3000, 4, 60.0)
    found = marginals(emissions, transitions, Steps.of(np.array([0]), len(emissions)))
    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(3000))
