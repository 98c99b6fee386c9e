"""Training of linear chains by the averaged structured perceptron."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from multideid.arrays import LongArray
from multideid.learners.chain import ChainModel
from multideid.text.bio import TokenLabels


@dataclass(frozen=True, slots=True)
class PerceptronTrainer:
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
        """Train on tokens and their gold tags.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
            Binary, with int32 indices.
        labels : TokenLabels
        starts : int64 array
            First rows of the sequences.
        """
        # Without a cache, compiling takes some seconds, which prediction does not need.
        from multideid.base_systems.lbj import perceptron_kernel as kernel
        from multideid.learners.adagrad import Sequences
        from multideid.learners.recursions import sparse_rows

        n_labels = len(labels.names)
        data = Sequences.of(features, labels, starts)
        weights = kernel.Weights.zeros(features.shape[1], n_labels)
        rng = np.random.default_rng(self.seed)
        clock = 1.0
        for _ in range(self.epochs if len(starts) else 0):
            kernel.train_epoch(data, rng.permutation(len(starts)), weights, clock)
            clock += len(starts)
        weights.average(clock)
        seen = np.bincount(labels.ids, minlength=n_labels) > 0
        learned = sparse_rows(weights.features, n_labels, self.negligible)
        transitions = weights.transitions[:, :n_labels].copy()
        return ChainModel(learned, transitions, seen, self.temperature)
