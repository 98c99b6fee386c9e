"""Training of linear chains by the averaged structured perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import LongArray
from multideid.learners.chain import ChainModel, ChainTrainer
from multideid.text.bio import TokenLabels

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, slots=True)
class PerceptronTrainer(ChainTrainer):
    """Hyperparameters of the averaged structured perceptron (Collins 2002).

    Parameters
    ----------
    epochs : int
        Passes over the training data.
    temperature : float
        Scales the scores to the size of log odds; see `ChainModel`.
    negligible : float
        Smaller averaged weights are removed from the model.
    seed : int
        Seed of the order of the sequences.
    """

    epochs: int = 10
    temperature: float = 4.0
    negligible: float = 0.01
    seed: int = 0

    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, starts: LongArray
    ) -> ChainModel:
        """Train by the perceptron's updates; see `ChainTrainer.train`."""
        # Without a cache, compiling takes some seconds, which prediction does not need.
        from multideid.base_systems.lbj import perceptron_kernel as kernel
        from multideid.learners.adagrad import Sequences

        data = Sequences.of(features, labels, starts)
        weights = kernel.Weights.zeros(features.shape[1], len(labels.names))
        rng = np.random.default_rng(self.seed)
        clock = 1.0
        for _ in range(self.epochs if len(starts) else 0):
            kernel.train_epoch(data, rng.permutation(len(starts)), weights, clock)
            clock += len(starts)
        weights.average(clock)
        return ChainModel.of_padded(
            weights.features, weights.transitions, labels, self.negligible, self.temperature
        )
