"""What the stacker sees of a token: every system's decision and margins, nearby too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.features.views import shift
from multideid.text.table import TokenTable

FAINT = 0.05
"""A scaled score below this counts nothing."""
MOST = 2.0
"""No scaled score counts more."""
OFFSETS = (-2, -1, 0, 1, 2)
"""Tokens whose scores are evidence for a token."""


@dataclass(frozen=True, slots=True)
class ScoreNormalisation:
    """What a system's scores are brought to: 0 for no support, 1 for a usual decision.

    Margins of an SVM, log odds of a CRF and the ones of a rule system have
    scales of their own; a linear stacker needs them alike.

    Parameters
    ----------
    low, high : float
        The score of a tag out of the question, and that of a usual decision.
    """

    low: float
    high: float

    @classmethod
    def of(cls, scores: FloatArray) -> ScoreNormalisation:
        """Learn the scale from scores, shape (n_tokens, n_labels)."""
        if not scores.size:
            return cls(0.0, 1.0)
        decided = scores.max(axis=1)
        others = np.partition(scores, -2, axis=1)[:, :-1] if scores.shape[1] > 1 else scores
        low, high = float(np.median(others)), float(np.median(decided))
        return cls(low, high) if high > low else cls(low, low + 1.0)

    def apply(self, scores: FloatArray) -> FloatArray:
        """Return scaled scores; faint ones are 0, great ones are cut."""
        scaled = (scores - np.float32(self.low)) / np.float32(self.high - self.low)
        scaled[scaled < FAINT] = 0
        return np.asarray(np.minimum(scaled, np.float32(MOST)))


@dataclass(frozen=True, slots=True)
class MetaFeatures:
    """What the stacker learns of some tokens from; it knows nothing of the words.

    For each of the five tokens around: every system's decision and scaled
    scores. For the token itself: each pair of systems' decisions together.

    Each token's own part is kept once. It takes a quarter of the room of the
    `matrix` that it stands for, and so is what passes to other processes.

    Parameters
    ----------
    own : float32 CSR matrix
        Decisions and scaled scores of the tokens within reach; the last row,
        for what lies beyond a document's edge, is empty.
    near : list of int32 arrays, shape (n_rows,)
        For each of `OFFSETS`, the row of `own` of every token's neighbour.
    decided : list of int64 arrays, shape (n_rows,)
        Each system's decision for every token.
    n_labels : int
    """

    own: sparse.csr_matrix
    near: list[IntArray]
    decided: list[LongArray]
    n_labels: int

    @classmethod
    def of(
        cls,
        tokens: TokenTable,
        scores: Sequence[FloatArray],
        scales: Sequence[ScoreNormalisation],
        rows: LongArray,
    ) -> Self:
        """Gather the evidence of some tokens.

        Parameters
        ----------
        tokens : TokenTable
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One a system.
        scales : sequence of ScoreNormalisation
            One a system.
        rows : int64 array, shape (n_rows,)
            The tokens wanted.
        """
        n = len(tokens)
        places = np.arange(n, dtype=np.int32)
        near = [shift(places, tokens.document, offset, n)[rows] for offset in OFFSETS]
        reached = np.zeros(n + 1, dtype=np.bool_)
        for column in near:
            reached[column] = True
        reached[n] = False
        number = np.cumsum(reached, dtype=np.int32) - np.int32(1)
        number[n] = reached.sum()
        own = _own([s[reached[:n]] for s in scores], scales)
        decided = [_decided(s[rows]) for s in scores]
        return cls(own, [number[column] for column in near], decided, scores[0].shape[1])

    def matrix(self) -> sparse.csr_matrix:
        """Return the features of a linear model.

        Returns
        -------
        float32 CSR matrix, shape (n_rows, n_columns)
            Columns: for each offset, for each system, `n_labels` decisions and
            `n_labels` scores; then the pairs.
        """
        blocks = [self.own[column] for column in self.near]
        pairs = [
            _one_hot(first * self.n_labels + second, self.n_labels**2)
            for first, second in combinations(self.decided, 2)
        ]
        return sparse.csr_matrix(sparse.hstack([*blocks, *pairs], format="csr", dtype=np.float32))


def own_columns(system: int, n_systems: int, n_labels: int) -> slice:
    """Return the columns of one system's decision and scores for the token itself."""
    width = 2 * n_labels
    first = (OFFSETS.index(0) * n_systems + system) * width
    return slice(first, first + width)


def candidate_tokens(tokens: TokenTable, scores: Sequence[FloatArray]) -> BoolArray:
    """Tell which tokens any system gives a PHI tag, or stand near one.

    The stacker learns from these alone: on the rest, most of the text, every
    system sees no PHI, and all of them look the same to it.
    """
    marked = np.zeros(len(tokens), dtype=np.int32)
    for s in scores:
        if len(s):
            others = s[:, 1:].max(axis=1, initial=-np.inf)
            # A tag that is close behind "O" is worth learning about too.
            marked |= others > s[:, 0] - 0.5 * np.abs(s[:, 0])
    near = [shift(marked, tokens.document, offset, 0) for offset in OFFSETS]
    return np.logical_or.reduce(near) if near else marked.astype(np.bool_)


def decisions(scores: FloatArray) -> sparse.csr_matrix:
    """Return a one for the tag that each token's scores decide, shape of `scores`."""
    return _one_hot(_decided(scores), scores.shape[1])


def _decided(scores: FloatArray) -> LongArray:
    return scores.argmax(axis=1) if len(scores) else np.zeros(0, dtype=np.int64)


def _one_hot(column: LongArray, width: int) -> sparse.csr_matrix:
    n = len(column)
    ones = np.ones(n, dtype=np.float32)
    indptr = np.arange(n + 1, dtype=np.int32)
    return sparse.csr_matrix((ones, column.astype(np.int32), indptr), shape=(n, width))


def _own(scores: Sequence[FloatArray], scales: Sequence[ScoreNormalisation]) -> sparse.csr_matrix:
    """Return every system's decision and scaled scores, and an empty row behind them."""
    blocks = [
        block
        for s, scale in zip(scores, scales, strict=True)
        for block in (decisions(s), sparse.csr_matrix(scale.apply(s)))
    ]
    own = sparse.hstack(blocks, format="csr")
    own.resize(own.shape[0] + 1, own.shape[1])
    return sparse.csr_matrix(own)
