"""Scores of chains: finite log odds, with the maximum at the label of the best sequence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from multideid.arrays import LongArray
from multideid.learners.chain import MAX_LOG_ODDS, ChainModel
from multideid.scoring.inference import Steps, marginals, viterbi

N_FEATURES, N_LABELS = 12, 4
SEEDS = st.integers(0, 10**6)


def random_chain(seed: int, size: float, temperature: float = 1.0) -> ChainModel:
    rng = np.random.default_rng(seed)
    weights = rng.normal(0, size, (N_FEATURES, N_LABELS)) * (rng.random((N_FEATURES, 1)) < 0.8)
    transitions = rng.normal(0, size, (N_LABELS, N_LABELS))
    seen = np.ones(N_LABELS, dtype=np.bool_)
    return ChainModel(sparse.csr_matrix(weights), transitions, seen, temperature)


def random_features(seed: int, n: int) -> tuple[sparse.csr_matrix, LongArray]:
    rng = np.random.default_rng(seed)
    drawn = (rng.random((n, N_FEATURES)) < 0.3).astype(np.float32)
    starts = np.append(0, 1 + np.flatnonzero(rng.random(n - 1) < 0.3)).astype(np.int64)
    return sparse.csr_matrix(drawn), starts


@given(SEEDS, st.integers(1, 30))
def test_emissions_are_the_product_of_features_and_weights(seed: int, n: int) -> None:
    chain, (features, _) = random_chain(seed, 1.0), random_features(seed, n)
    expected = features.toarray() @ chain.weights.toarray()
    assert chain.emissions(features) == pytest.approx(expected)


@given(SEEDS, st.integers(1, 30), st.sampled_from([0.1, 1.0, 30.0]), st.sampled_from([1.0, 20.0]))
def test_the_greatest_score_is_the_best_sequences_label(
    seed: int, n: int, size: float, temperature: float
) -> None:
    chain, (features, starts) = random_chain(seed, size, temperature), random_features(seed, n)
    scores = chain.scores(features, starts)
    emissions = chain.emissions(features)
    labels = viterbi(emissions, chain.transitions.astype(np.float64), Steps.of(starts, n))
    assert scores.argmax(axis=1).tolist() == labels.tolist()
    assert scores.dtype == np.float32
    assert np.abs(scores).max() <= MAX_LOG_ODDS + 0.01


def test_scores_are_log_odds_at_the_temperature() -> None:
    chain, (features, starts) = random_chain(0, 1.0, temperature=2.0), random_features(0, 40)
    steps = Steps.of(starts, 40)
    p = marginals(chain.emissions(features) / 2, chain.transitions.astype(np.float64) / 2, steps)
    scores = chain.scores(features, starts)
    raised = np.abs(scores - np.log(p / (1 - p))).max(axis=1) > 1e-4
    assert raised.mean() < 0.5
    assert scores[~raised] == pytest.approx(np.log(p / (1 - p))[~raised], abs=1e-4)


def test_a_label_that_training_did_not_see_is_never_best() -> None:
    chain, (features, starts) = random_chain(1, 1.0), random_features(1, 50)
    favourite = int(np.bincount(chain.scores(features, starts).argmax(axis=1)).argmax())
    chain.seen[favourite] = False
    scores = chain.scores(features, starts)
    assert favourite not in scores.argmax(axis=1)
    assert (scores[:, favourite] == -MAX_LOG_ODDS).all()


def test_tokens_without_known_features_and_empty_tables_are_scored() -> None:
    chain = random_chain(0, 1.0)
    nothing = sparse.csr_matrix((3, N_FEATURES), dtype=np.float32)
    assert np.isfinite(chain.scores(nothing, np.array([0, 2]))).all()
    none = sparse.csr_matrix((0, N_FEATURES), dtype=np.float32)
    assert chain.scores(none, np.zeros(0, dtype=np.int64)).shape == (0, N_LABELS)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_loaded_chain_gives_the_same_scores(dtype: type, tmp_path: Path) -> None:
    made = random_chain(3, 1.0, temperature=5.0)
    made.seen[2] = False
    transitions = made.transitions.astype(dtype)
    chain = ChainModel(made.weights.astype(dtype), transitions, made.seen, 5.0)
    chain.save(tmp_path, "chain")
    loaded = ChainModel.load(tmp_path, "chain", *chain.weights.shape)
    features, starts = random_features(3, 200)
    assert np.array_equal(loaded.emissions(features), chain.emissions(features))
    assert np.array_equal(loaded.scores(features, starts), chain.scores(features, starts))
    assert loaded.weights.shape == chain.weights.shape
