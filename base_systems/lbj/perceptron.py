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

    from multideid.learners.adagrad import Sequences

_BLOCK = 1 << 24
"""Features whose random numbers are in memory at once."""


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
    dropout : float
        Probability that a feature of a token is dropped in an epoch. Averaged weights are
        multiplied by the probability that a feature is kept.
    seed : int
        Seed of the order of the sequences and of dropout.
    """

    epochs: int = 10
    temperature: float = 4.0
    negligible: float = 0.01
    dropout: float = 0.0
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
            order, kept = rng.permutation(len(starts)), _thinned(data, self.dropout, rng)
            kernel.train_epoch(kept, order, weights, clock)
            clock += len(starts)
        weights.average(clock)
        weights.features[:] *= np.float32(1 - self.dropout)
        return ChainModel.of_padded(
            weights.features, weights.transitions, labels, self.negligible, self.temperature
        )


def _thinned(data: Sequences, dropout: float, rng: np.random.Generator) -> Sequences:
    """Return the data without a random share of the features of all tokens."""
    if not dropout:
        return data
    n = len(data.indices)
    kept = np.empty(n, dtype=np.bool_)
    for first in range(0, n, _BLOCK):
        block = kept[first : first + _BLOCK]
        np.greater_equal(rng.random(len(block), dtype=np.float32), dropout, out=block)
    before = np.append(0, np.cumsum(kept, dtype=np.int64))
    return data._replace(indices=data.indices[kept], indptr=before[data.indptr])
