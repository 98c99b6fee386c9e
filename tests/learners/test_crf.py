"""CRF training follows the gradient of the likelihood, and is reproducible."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, IntArray
from multideid.learners import adagrad
from multideid.learners.crf import CrfTrainer
from multideid.scoring.inference import Steps, viterbi
from multideid.text.bio import TokenLabels, bio_names

N_FEATURES, N_TOKENS = 6, 9
NAMES = bio_names(["ID"])
STARTS = np.array([0, 1, 5], dtype=np.int64)


def corpus(seed: int = 0) -> tuple[sparse.csr_matrix, TokenLabels]:
    rng = np.random.default_rng(seed)
    features = sparse.csr_matrix((rng.random((N_TOKENS, N_FEATURES)) < 0.5).astype(np.float32))
    return features, TokenLabels(rng.integers(0, 3, N_TOKENS).astype(np.int32), NAMES)


def sequences(features: sparse.csr_matrix, labels: TokenLabels) -> adagrad.Sequences:
    return adagrad.Sequences.of(features, labels, STARTS)


def settings(rate: float, l1: float = 0, l2: float = 0, dropout: float = 0) -> adagrad.Settings:
    return adagrad.Settings(*map(np.float32, (rate, l1, l2, dropout)))


def random_weights(seed: int, squares: float = 0.0) -> adagrad.Weights:
    rng = np.random.default_rng(seed)
    weights = adagrad.Weights.zeros(N_FEATURES, 3)
    weights.features[:, :3] = rng.normal(0, 0.5, (N_FEATURES, 3))
    weights.transitions[:, :3] = rng.normal(0, 0.5, (3, 3))
    weights.feature_squares[:] = weights.transition_squares[:] = squares
    return weights


def of_labels(weights: adagrad.Weights) -> tuple[DoubleArray, DoubleArray]:
    """Return the weights of features and transitions without padding."""
    return weights.features[:, :3].astype(float), weights.transitions[:, :3].astype(float)


def loss_of(
    s: int, x: DoubleArray, gold: IntArray, features: DoubleArray, transitions: DoubleArray
) -> float:
    """Return one sequence's negative log-likelihood, by trying every sequence."""
    rows = slice(STARTS[s], np.append(STARTS, N_TOKENS)[s + 1])
    emissions = x[rows] @ features

    def score(path: tuple[int, ...]) -> float:
        inner = sum(transitions[a, b] for a, b in pairwise(path))
        return float(sum(emissions[t, label] for t, label in enumerate(path)) + inner)

    every = [score(path) for path in product(range(3), repeat=len(emissions))]
    return float(np.log(np.exp(every).sum())) - score(tuple(gold[rows].tolist()))


def slopes(
    s: int, x: DoubleArray, gold: IntArray, features: DoubleArray, steps: DoubleArray
) -> DoubleArray:
    """Return the loss's slope in every weight, by finite differences."""
    flat, split = np.concatenate([features.ravel(), steps.ravel()]), features.size

    def at(values: DoubleArray) -> float:
        parts = values[:split].reshape(features.shape), values[split:].reshape(steps.shape)
        return loss_of(s, x, gold, *parts)

    moves = 1e-4 * np.eye(len(flat))
    return np.array([(at(flat + move) - at(flat - move)) / 2e-4 for move in moves])


@pytest.mark.parametrize("s", range(len(STARTS)))
def test_the_loss_is_that_of_all_sequences(s: int) -> None:
    (features, labels), weights = corpus(), random_weights(1)
    parts = of_labels(weights)
    expected = loss_of(s, features.toarray().astype(float), labels.ids, *parts)
    order = np.array([s])
    assert adagrad.train_epoch(
        sequences(features, labels), order, weights, settings(0), 0
    ) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("s", range(len(STARTS)))
def test_a_step_goes_down_the_slope_over_the_root_of_the_squares(s: int) -> None:
    (features, labels), rate, squares = corpus(), 0.01, 2.0
    weights = random_weights(2, squares)
    before = of_labels(weights)
    slope = slopes(s, features.toarray().astype(float), labels.ids, *before)
    adagrad.train_epoch(sequences(features, labels), np.array([s]), weights, settings(rate), 0)
    after = np.concatenate([part.ravel() for part in of_labels(weights)])
    touched = _touched(s, features)
    # A feature of several tokens is updated once a token, so only a single use is this simple.
    step = -rate * slope / np.sqrt(squares + slope**2)
    moved = after - np.concatenate([part.ravel() for part in before])
    assert moved[touched] == pytest.approx(step[touched], abs=1e-5)
    assert np.abs(step[touched]).max() > 1e-4


def _touched(s: int, features: sparse.csr_matrix) -> BoolArray:
    """Mark the weights that one update alone has moved: lone features, and transitions."""
    rows = slice(STARTS[s], np.append(STARTS, N_TOKENS)[s + 1])
    lone = np.asarray(features.toarray()[rows].sum(axis=0) == 1)
    return np.concatenate([np.repeat(lone, 3), np.ones(9, dtype=np.bool_)])


def test_an_epoch_of_small_steps_lowers_the_loss() -> None:
    features, labels = corpus()
    data, order, weights = sequences(features, labels), np.arange(3), random_weights(3, 1.0)
    losses = [adagrad.train_epoch(data, order, weights, settings(0.01), 0) for _ in range(5)]
    assert all(after < before for before, after in pairwise(losses))


def test_the_l1_penalty_brings_features_to_zero_but_spares_transitions() -> None:
    features, labels = corpus()
    weights = random_weights(4)
    strong = settings(rate=0.1, l1=1000)
    adagrad.train_epoch(sequences(features, labels), np.arange(3), weights, strong, 0)
    used = np.unique(features.indices)
    assert not weights.features[used].any()
    assert weights.transitions[:, :3].all()


def test_the_l2_penalty_shrinks_weights() -> None:
    features, labels = corpus()
    sizes = []
    for l2 in (0.0, 1.0):
        weights = random_weights(5, 1.0)
        chosen = settings(0.1, l2=l2)
        adagrad.train_epoch(sequences(features, labels), np.arange(3), weights, chosen, 0)
        sizes.append(np.abs(weights.features).sum() + np.abs(weights.transitions).sum())
    assert sizes[1] < sizes[0]


def test_under_dropout_the_kept_features_count_for_the_dropped() -> None:
    n, rate, squares, value = 2000, 0.1, 1.0, 1 / (1 - 0.25)
    features = sparse.csr_matrix(np.eye(n, dtype=np.float32))
    starts, gold = np.arange(n, dtype=np.int64), np.ones(n, dtype=np.int32)
    data = adagrad.Sequences(features.indptr, features.indices, gold, starts, starts + 1)
    weights = adagrad.Weights.zeros(n, 3)
    weights.features[:, :3], weights.feature_squares[:] = (0.5, -1.0, 0.2), squares
    loss = adagrad.train_epoch(data, starts, weights, settings(rate, dropout=0.25), 0)
    before = np.array([0.5, -1.0, 0.2])
    found, _ = of_labels(weights)
    kept = (found != before.astype(np.float32)).any(axis=1)
    assert 0.7 < kept.mean() < 0.8
    posterior = np.exp(value * before) / np.exp(value * before).sum()
    assert loss == pytest.approx(
        -kept.sum() * np.log(posterior[1]) + (~kept).sum() * np.log(3), rel=1e-4
    )
    slope = value * (posterior - [0, 1, 0])
    after = before - rate * slope / np.sqrt(squares + slope**2)
    assert found[kept] == pytest.approx(np.tile(after, (kept.sum(), 1)), abs=1e-5)


def test_training_learns_its_examples() -> None:
    features, labels = corpus()
    alone = sparse.hstack([features, sparse.eye_array(N_TOKENS)], dtype=np.float32).tocsr()
    chain = CrfTrainer(epochs=60, feature_dropout=0).train(sparse.csr_matrix(alone), labels, STARTS)
    steps = Steps.of(STARTS, N_TOKENS)
    found = viterbi(chain.emissions(sparse.csr_matrix(alone)), chain.transitions, steps)
    assert found.tolist() == labels.ids.tolist()


def test_training_is_the_same_for_one_seed_and_another_for_another() -> None:
    features, labels = corpus()
    trainer = CrfTrainer(epochs=3, negligible=0)
    first, again = (trainer.train(features, labels, STARTS) for _ in range(2))
    other = replace(trainer, seed=1).train(features, labels, STARTS)
    assert np.array_equal(first.weights.toarray(), again.weights.toarray())
    assert np.array_equal(first.transitions, again.transitions)
    assert not np.array_equal(first.weights.toarray(), other.weights.toarray())


def test_negligible_weights_are_dropped() -> None:
    features, labels = corpus()
    chain = CrfTrainer(epochs=3, negligible=0.05).train(features, labels, STARTS)
    assert chain.weights.nnz > 0
    assert np.abs(chain.weights.data).min() >= 0.05


def test_a_tag_without_example_is_never_given() -> None:
    features, _ = corpus()
    labels = TokenLabels(np.array([2, 2, 1] * 3, dtype=np.int32), NAMES)
    chain = CrfTrainer(epochs=2).train(features, labels, STARTS)
    nothing = sparse.csr_matrix((4, N_FEATURES), dtype=np.float32)
    scores = chain.scores(nothing, np.array([0, 1]))
    assert 0 not in scores.argmax(axis=1)
    assert np.isfinite(scores).all()


def test_without_tokens_everything_is_outside() -> None:
    nothing = sparse.csr_matrix((0, N_FEATURES), dtype=np.float32)
    labels = TokenLabels(np.zeros(0, dtype=np.int32), NAMES)
    chain = CrfTrainer().train(nothing, labels, np.zeros(0, dtype=np.int64))
    assert chain.scores(corpus()[0], STARTS).argmax(axis=1).tolist() == [0] * N_TOKENS
