"""The averaged perceptron follows its definition, sequence by sequence."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.lbj import perceptron_kernel as kernel
from multideid.base_systems.lbj.perceptron import PerceptronTrainer
from multideid.learners.adagrad import Sequences
from multideid.scoring.inference import Steps, viterbi
from multideid.text.bio import TokenLabels, bio_names

N_FEATURES, N_TOKENS, N_LABELS = 6, 12, 3
NAMES = bio_names(["ID"])
STARTS = np.array([0, 1, 5, 9], dtype=np.int64)
ENDS = np.append(STARTS[1:], N_TOKENS)


def corpus(seed: int = 0) -> tuple[sparse.csr_matrix, TokenLabels]:
    rng = np.random.default_rng(seed)
    features = sparse.csr_matrix((rng.random((N_TOKENS, N_FEATURES)) < 0.5).astype(np.float32))
    return features, TokenLabels(rng.integers(0, N_LABELS, N_TOKENS).astype(np.int32), NAMES)


class Naive:
    """The perceptron as a textbook has it: every step's weights are kept and averaged."""

    def __init__(self) -> None:
        self.features = np.zeros((N_FEATURES, N_LABELS))
        self.transitions = np.zeros((N_LABELS, N_LABELS))
        self.sums = np.zeros_like(self.features), np.zeros_like(self.transitions)
        # The weights before the first step are one of those averaged.
        self.steps = 1

    def learn(self, x: FloatArray, gold: tuple[int, ...]) -> None:
        emissions = x @ self.features

        def score(path: tuple[int, ...]) -> float:
            inner = sum(self.transitions[pair] for pair in pairwise(path))
            return float(inner + sum(emissions[t, tag] for t, tag in enumerate(path)))

        # Of equal paths Viterbi takes the one with the lowest last tags.
        paths = product(range(N_LABELS), repeat=len(gold))
        found = max(sorted(paths, key=lambda path: path[::-1]), key=score)
        for path, sign in ((gold, 1), (found, -1)):
            for row, tag in zip(x, path, strict=True):
                self.features[:, tag] += sign * row
            for pair in pairwise(path):
                self.transitions[pair] += sign
        self.sums[0][:] += self.features
        self.sums[1][:] += self.transitions
        self.steps += 1


def naive(features: sparse.csr_matrix, labels: TokenLabels, epochs: int, seed: int) -> Naive:
    model, rng, dense = Naive(), np.random.default_rng(seed), features.toarray()
    for _ in range(epochs):
        for s in rng.permutation(len(STARTS)):
            rows = slice(STARTS[s], ENDS[s])
            model.learn(dense[rows], tuple(labels.ids[rows].tolist()))
    return model


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_the_average_over_all_steps(seed: int) -> None:
    features, labels = corpus(seed)
    chain = PerceptronTrainer(epochs=4, negligible=0, seed=seed).train(features, labels, STARTS)
    model = naive(features, labels, 4, seed)
    wanted, wanted_steps = (total / model.steps for total in model.sums)
    assert np.abs(wanted).max() > 0
    assert chain.weights.toarray() == pytest.approx(wanted, abs=1e-4)
    assert chain.transitions == pytest.approx(wanted_steps, abs=1e-4)


def test_an_epoch_counts_the_tokens_that_were_wrong() -> None:
    features, labels = corpus()
    data = Sequences.of(features, labels, STARTS)
    weights = kernel.Weights.zeros(N_FEATURES, N_LABELS)
    # Weights that know nothing take every token for the first tag.
    first = np.array([0])
    assert kernel.train_epoch(data, first, weights, 1.0) == (labels.ids[0] != 0)
    nothing = kernel.Weights.zeros(N_FEATURES, N_LABELS)
    wrong = kernel.train_epoch(data, np.array([1]), nothing, 1.0)
    assert wrong == np.count_nonzero(labels.ids[1:5])


def test_training_learns_its_examples() -> None:
    features, labels = corpus()
    alone = sparse.csr_matrix(sparse.hstack([features, sparse.eye_array(N_TOKENS)]))
    chain = PerceptronTrainer(epochs=30).train(alone.astype(np.float32), labels, STARTS)
    steps = Steps.of(STARTS, N_TOKENS)
    found = viterbi(chain.emissions(alone), chain.transitions, steps)
    assert found.tolist() == labels.ids.tolist()


def test_training_is_the_same_for_one_seed_and_another_for_another() -> None:
    features, labels = corpus()
    trainer = PerceptronTrainer(epochs=3, negligible=0)
    first, again = (trainer.train(features, labels, STARTS) for _ in range(2))
    other = replace(trainer, seed=1).train(features, labels, STARTS)
    assert np.array_equal(first.weights.toarray(), again.weights.toarray())
    assert np.array_equal(first.transitions, again.transitions)
    assert not np.array_equal(first.weights.toarray(), other.weights.toarray())


def test_negligible_weights_are_dropped() -> None:
    features, labels = corpus()
    chain = PerceptronTrainer(epochs=3, negligible=0.5).train(features, labels, STARTS)
    assert chain.weights.nnz > 0
    assert np.abs(chain.weights.data).min() >= 0.5


def test_without_tokens_everything_is_outside() -> None:
    nothing = sparse.csr_matrix(np.zeros((0, N_FEATURES), dtype=np.float32))
    labels = TokenLabels(np.zeros(0, dtype=np.int32), NAMES)
    chain = PerceptronTrainer().train(nothing, labels, np.zeros(0, dtype=np.int64))
    assert chain.scores(corpus()[0], STARTS).argmax(axis=1).tolist() == [0] * N_TOKENS
