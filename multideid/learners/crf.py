"""Training of linear-chain CRFs by AdaGrad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import LongArray
from multideid.learners.chain import ChainModel, ChainTrainer
from multideid.text.bio import TokenLabels

if TYPE_CHECKING:
    from scipy import sparse

_MOST_SEEDS = 2**62


@dataclass(frozen=True, slots=True)
class CrfTrainer(ChainTrainer):
    """Hyperparameters of CRF training; see `multideid.learners.adagrad`.

    Parameters
    ----------
    epochs : int
    learning_rate : float
        AdaGrad's step size.
    l1, l2 : float
        Strengths of the L1 and L2 penalties.
    feature_dropout : float
        Probability that a feature of a token is dropped in an epoch.
    negligible : float
        Smaller weights are removed from the model.
    seed : int
        Seed of the order of the sequences and of dropout.
    """

    epochs: int = 12
    learning_rate: float = 0.1
    l1: float = 0.0
    l2: float = 0.0
    feature_dropout: float = 0.5
    negligible: float = 0.01
    seed: int = 0

    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, starts: LongArray
    ) -> ChainModel:
        """Train by AdaGrad; see `ChainTrainer.train`."""
        # Without a cache, compiling takes some seconds, which prediction does not need.
        from multideid.learners import adagrad

        data = adagrad.Sequences.of(features, labels, starts)
        weights = adagrad.Weights.zeros(features.shape[1], len(labels.names))
        numbers = (self.learning_rate, self.l1, self.l2, self.feature_dropout)
        settings = adagrad.Settings(*map(np.float32, numbers))
        rng = np.random.default_rng(self.seed)
        for _ in range(self.epochs if len(starts) else 0):
            order = rng.permutation(len(starts))
            adagrad.train_epoch(data, order, weights, settings, int(rng.integers(_MOST_SEEDS)))
        return ChainModel.of_padded(weights.features, weights.transitions, labels, self.negligible)
