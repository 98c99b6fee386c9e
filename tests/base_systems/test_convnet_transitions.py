"""The sentence-level loss and its posterior are those of all sequences, enumerated."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest

from multideid.arrays import DoubleArray, FloatArray, IntArray, LongArray
from multideid.base_systems.convnet.sentence_loss import SentenceGradient
from multideid.learners.network_scores import chain_log_odds

N_LABELS = 3
STARTS = np.array([0, 4, 5], dtype=np.int64)
TAGS = np.array([0, 1, 2, 2, 1, 0, 0, 1], dtype=np.int32)
"""Of three sequences, of four tokens, one, and three."""


@pytest.fixture
def scores() -> FloatArray:
    rng = np.random.default_rng(0)
    return 2 * rng.standard_normal((len(TAGS), N_LABELS), dtype=np.float32)


@pytest.fixture
def transitions() -> FloatArray:
    return np.random.default_rng(1).standard_normal((N_LABELS, N_LABELS), dtype=np.float32)


def sequences(length: int) -> Iterator[tuple[int, ...]]:
    return product(range(N_LABELS), repeat=length)


def score(scores: DoubleArray, transitions: DoubleArray, tags: tuple[int, ...]) -> float:
    steps = sum(transitions[a, b] for a, b in pairwise(tags))
    return float(scores[np.arange(len(tags)), list(tags)].sum() + steps)


def loss(scores: DoubleArray, transitions: DoubleArray) -> float:
    total = 0.0
    for first, stop in zip(STARTS, [*STARTS[1:], len(TAGS)], strict=True):
        rows = scores[first:stop]
        every = [score(rows, transitions, tags) for tags in sequences(stop - first)]
        gold = tuple(TAGS[first:stop].tolist())
        total += float(np.logaddexp.reduce(every)) - score(rows, transitions, gold)
    return total


def test_gradients_are_finite_differences_of_the_loss(
    scores: FloatArray, transitions: FloatArray
) -> None:
    found = SentenceGradient.of(scores, transitions, TAGS, STARTS)
    values = scores.astype(np.float64), transitions.astype(np.float64)
    for n, gradient in enumerate((found.scores, found.transitions)):
        for place in np.ndindex(gradient.shape):
            above, below = ([value.copy() for value in values] for _ in range(2))
            above[n][place] += 1e-5
            below[n][place] -= 1e-5
            slope = (loss(*above) - loss(*below)) / 2e-5
            assert gradient[place] == pytest.approx(slope, abs=1e-5)


def test_odds_are_those_of_the_posterior_of_all_sequences(
    scores: FloatArray, transitions: FloatArray
) -> None:
    first, stop = STARTS[0], STARTS[1]
    rows, steps = scores[first:stop].astype(np.float64), transitions.astype(np.float64)
    every = list(sequences(int(stop - first)))
    weights = np.exp([score(rows, steps, tags) for tags in every])
    best = every[int(np.argmax(weights))]
    found = chain_log_odds(scores, transitions, STARTS)[first:stop]
    for t, label in np.ndindex(found.shape):
        with_label = np.array([tags[t] == label for tags in every])
        odds = float(np.log(weights[with_label].sum() / weights[~with_label].sum()))
        if label == best[t]:  # May be raised, to be the greatest.
            assert found[t, label] == pytest.approx(max(odds, found[t].max()), abs=1e-3)
        else:
            assert found[t, label] == pytest.approx(odds, abs=1e-5)
    assert tuple(found.argmax(axis=1).tolist()) == best


def test_a_tag_that_may_not_follow_another_does_not() -> None:
    scores = np.array([[2, 0, 0], [0, 0, 1], [2, 0, 0]], dtype=np.float32)
    transitions = np.zeros((N_LABELS, N_LABELS), dtype=np.float32)
    transitions[0, 2] = -30
    assert decoded(scores, transitions, np.array([0])).tolist() != [0, 2, 0]
    # At the beginning of a line nothing precedes it.
    assert decoded(scores, transitions, np.array([0, 1])).tolist() == [0, 2, 0]


def decoded(scores: FloatArray, transitions: FloatArray, starts: LongArray) -> IntArray:
    return chain_log_odds(scores, transitions, starts).argmax(axis=1).astype(np.int32)
