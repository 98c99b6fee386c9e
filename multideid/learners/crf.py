"""Train a linear-chain CRF by AdaGrad over integer features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from multideid.learners.chain import ChainModel
from multideid.text.bio import TokenLabels

RowArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CrfTrainer:
    """Parameters of CRF training; what they do is in `learners.adagrad`.

    Parameters
    ----------
    epochs : int
    rate : float
        AdaGrad's step size.
    l1, l2 : float
        Strengths of the L1 and L2 penalties.
    dropout : float
        Chance that a feature of a token is passed over in an epoch.
    negligible : float
        Weights smaller than this are dropped from the model.
    seed : int
        Seeds the order of the sequences and the dropout.
    """

    epochs: int = 12
    rate: float = 0.1
    l1: float = 0.0
    l2: float = 0.0
    dropout: float = 0.5
    negligible: float = 0.01
    seed: int = 0

    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, starts: RowArray
    ) -> ChainModel:
        """Return the chain learned from tokens and their gold tags.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
            Binary, with int32 indices.
        labels : TokenLabels
        starts : int64 array
            First rows of the sequences.
        """
        # Compiles for some seconds where there is no cache; prediction never needs it.
        from multideid.learners import adagrad  # noqa: PLC0415

        n_labels = len(labels.names)
        model = tuple(
            np.zeros((rows, n_labels), dtype=np.float32)
            for rows in (features.shape[1], features.shape[1], n_labels, n_labels)
        )
        ends = np.append(starts[1:], len(labels))
        rng = np.random.default_rng(self.seed)
        adagrad.seed(self.seed)
        for _ in range(self.epochs if len(starts) else 0):
            adagrad.train_epoch(
                features.indptr,
                features.indices,
                labels.ids,
                starts,
                ends,
                rng.permutation(len(starts)),
                model,
                np.float32(self.rate),
                np.float32(self.l1),
                np.float32(self.l2),
                np.float32(self.dropout),
            )
        weights, _, transitions, _ = model
        return ChainModel(self._pruned(weights), transitions)

    def _pruned(self, weights: npt.NDArray[np.float32]) -> sparse.csr_matrix:
        weights[np.abs(weights) < self.negligible] = 0
        return sparse.csr_matrix(weights)
