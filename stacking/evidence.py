"""What the stacker sees of a token: every system's decision and margins, nearby too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from multideid.features.views import shift
from multideid.text.table import TokenTable

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]

_FAINT = 0.05
_MOST = 2.0
OFFSETS = (-2, -1, 0, 1, 2)
"""Tokens whose scores are evidence for a token."""


@dataclass(frozen=True, slots=True)
class Scale:
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
    def of(cls, scores: FloatArray) -> Scale:
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
        scaled[scaled < _FAINT] = 0
        return np.asarray(np.minimum(scaled, np.float32(_MOST)))


def evidence(
    tokens: TokenTable, scores: Sequence[FloatArray], scales: Sequence[Scale]
) -> sparse.csr_matrix:
    """Return what the stacker learns from; it knows nothing of the words.

    For each of the five tokens around: every system's decision and scaled
    scores. For the token itself: each pair of systems' decisions together.

    Parameters
    ----------
    tokens : TokenTable
    scores : sequence of float32 arrays, shape (n_tokens, n_labels)
        One a system.
    scales : sequence of Scale
        One a system.

    Returns
    -------
    float32 CSR matrix
        Columns: for each offset, for each system, `n_labels` decisions and
        `n_labels` scores; then the pairs.
    """
    own = sparse.hstack(
        [
            block
            for s, scale in zip(scores, scales, strict=True)
            for block in (decisions(s), sparse.csr_matrix(scale.apply(s)))
        ],
        format="csr",
    )
    blocks = [_neighbour(own, tokens, offset) for offset in OFFSETS]
    blocks.append(_pairs(scores))
    return sparse.csr_matrix(sparse.hstack(blocks, format="csr", dtype=np.float32))


def own_columns(system: int, n_systems: int, n_labels: int) -> slice:
    """Return the columns of one system's decision and scores for the token itself."""
    width = 2 * n_labels
    first = (OFFSETS.index(0) * n_systems + system) * width
    return slice(first, first + width)


def contested(tokens: TokenTable, scores: Sequence[FloatArray]) -> BoolArray:
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
    n = len(scores)
    decided = scores.argmax(axis=1) if n else np.zeros(0, dtype=np.int64)
    return _one_hot(decided, scores.shape[1])


def _one_hot(column: npt.NDArray[np.int64], width: int) -> sparse.csr_matrix:
    n = len(column)
    ones = np.ones(n, dtype=np.float32)
    indptr = np.arange(n + 1, dtype=np.int32)
    return sparse.csr_matrix((ones, column.astype(np.int32), indptr), shape=(n, width))


def _neighbour(own: sparse.csr_matrix, tokens: TokenTable, offset: int) -> sparse.csr_matrix:
    n = len(tokens)
    if offset == 0 or not n:
        return own
    # Beyond a document's edge stands an empty row, put behind all others.
    empty = sparse.csr_matrix(np.zeros((1, own.shape[1]), dtype=np.float32))
    rows = shift(np.arange(n, dtype=np.int32), tokens.document, offset, n)
    return sparse.csr_matrix(sparse.vstack([own, empty], format="csr")[rows])


def _pairs(scores: Sequence[FloatArray]) -> sparse.csr_matrix:
    n, width = scores[0].shape
    decided = [s.argmax(axis=1) if n else np.zeros(0, dtype=np.int64) for s in scores]
    blocks = [
        _one_hot(first * width + second, width * width)
        for k, first in enumerate(decided)
        for second in decided[k + 1 :]
    ]
    return sparse.hstack(blocks, format="csr") if blocks else sparse.csr_matrix((n, 0))
