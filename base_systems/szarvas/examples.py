"""The training data: features, gold tags, and the sampling of tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import sparse
from scipy.ndimage import binary_dilation

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.base_systems.szarvas.classes import to_iob1
from multideid.features.views import shift
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_REACH = 4


@dataclass(frozen=True, slots=True)
class Examples:
    """The tokens of the training corpus.

    Parameters
    ----------
    features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
    tokens : TokenTable
    tags : int32 array, shape (n_tokens,)
        Gold BIO tags.
    classes : int32 array, shape (n_tokens,)
        Gold classes of the trees (IOB1).
    n_classes : int
    """

    features: sparse.csr_matrix
    tokens: TokenTable
    tags: IntArray
    classes: IntArray
    n_classes: int

    @classmethod
    def of(cls, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Combine features, tokens and gold tags."""
        classes = to_iob1(labels.ids, tokens.document)
        return cls(features, tokens, labels.ids, classes, len(labels.names))

    @property
    def outside(self) -> BoolArray:
        """Mask of the tokens that are not PHI, shape (n_tokens,)."""
        return np.asarray(self.classes == 0)

    def of_features(self, kept: LongArray) -> Examples:
        """Return the examples with a subset of the features, in that order."""
        return replace(self, features=sparse.csr_matrix(self.features[:, kept]))

    def counts(self, rows: BoolArray) -> DoubleArray:
        """Count the tokens of each class that have each feature.

        Parameters
        ----------
        rows : bool array, shape (n_tokens,)
            Mask of the tokens to count.

        Returns
        -------
        float64 array, shape (n_features + 1, n_classes)
            The last row is the number of tokens of each class.
        """
        at = np.flatnonzero(rows)
        cells = (np.ones(len(at)), (at, self.classes[at]))
        present = self.features.T @ sparse.csr_matrix(cells, (len(rows), self.n_classes))
        totals = np.bincount(self.classes[at], minlength=self.n_classes)
        return np.vstack([np.asarray(present.todense()), totals])

    def before(self, reach: int) -> FloatArray:
        """Return 1 + the gold classes of the previous tokens, nearest first.

        Returns
        -------
        float32 array, shape (n_tokens, reach)
            0 where there is no such token.
        """
        document = self.tokens.document
        moved = [shift(self.classes + 1, document, -n, 0) for n in range(1, reach + 1)]
        return np.stack(moved, axis=1, dtype=np.float32)

    def draw(self, share: float, seed: int) -> tuple[LongArray, FloatArray]:
        """Sample all tokens in and near PHI, and a random share of the others.

        Returns
        -------
        rows : int64 array, shape (n_rows,)
        weights : float32 array, shape (n_rows,)
            Inverse sampling probability of each token.
        """
        near = binary_dilation(~self.outside, iterations=_REACH)
        drawn = np.random.default_rng(seed).random(len(near)) < share
        rows = np.flatnonzero(near | drawn)
        return rows, np.where(near[rows], 1, 1 / max(share, 1e-9)).astype(np.float32)
