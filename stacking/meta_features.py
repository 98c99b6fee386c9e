"""Meta-features: the decisions and scores of all systems for a token and its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.csr import Csr
from multideid.features.occurrences import Occurrences
from multideid.features.views import shift
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

MIN_SCORE = 0.05
"""Smaller normalised scores are set to 0."""
MAX_SCORE = 2.0
"""Greater normalised scores are set to this."""
SLACK = 0.5
"""A token may be PHI if a PHI tag is behind "O" by less than this share of the score of "O"."""
OFFSETS = (-2, -1, 0, 1, 2)
"""Offsets of the neighbours whose scores are meta-features of a token."""


@dataclass(frozen=True, slots=True)
class ScoreNormalisation:
    """Linear normalisation of a system's scores: 0 for no support, 1 for a usual decision.

    Margins of an SVM, log odds of a CRF and ones and zeros of rules differ in
    scale, and a linear stacker needs comparable ones::

        normalised = min(2, (score - low) / (high - low)), or 0 if below 0.05

    Parameters
    ----------
    low, high : float
        The medians of the scores of rejected tags, and of decided ones.
    """

    low: float
    high: float

    @classmethod
    def of(cls, scores: FloatArray) -> ScoreNormalisation:
        """Learn the normalisation from scores, shape (n_tokens, n_labels)."""
        if not scores.size:
            return cls(0.0, 1.0)
        decided = scores.max(axis=1)
        others = np.partition(scores, -2, axis=1)[:, :-1] if scores.shape[1] > 1 else scores
        low, high = float(np.median(others)), float(np.median(decided))
        return cls(low, high) if high > low else cls(low, low + 1.0)

    def apply(self, scores: FloatArray) -> FloatArray:
        """Return the normalised scores, shape of `scores`."""
        normalised = (scores - np.float32(self.low)) / np.float32(self.high - self.low)
        normalised[normalised < MIN_SCORE] = 0
        return np.asarray(np.minimum(normalised, np.float32(MAX_SCORE)))


@dataclass(frozen=True, slots=True)
class MetaFeatures:
    """The stacker's features of some tokens; none of them depends on which words they are.

    For the token and two neighbours on each side: every system's decision
    (one-hot) and normalised scores. The context of the document counts as one more
    system (`with_context`). For the token itself: the decisions of each
    pair of systems (one-hot).

    The features of each neighbour are kept only once, which takes a quarter of
    the memory of `matrix`; so these objects are sent to other processes.

    Parameters
    ----------
    blocks : float32 Csr
        Decisions and normalised scores of the tokens and their neighbours. The last
        row is empty and is used for neighbours outside the document.
    neighbours : list of int32 arrays, shape (n_rows,)
        For each of `OFFSETS`, the row of `blocks` of each token's neighbour.
    decided : list of int64 arrays, shape (n_rows,)
        Each system's decision for every token.
    n_labels : int
    """

    blocks: Csr
    neighbours: list[IntArray]
    decided: list[LongArray]
    n_labels: int

    @classmethod
    def of(
        cls,
        tokens: TokenTable,
        scores: Sequence[FloatArray],
        normalisations: Sequence[ScoreNormalisation],
        rows: LongArray,
    ) -> Self:
        """Compute the meta-features of some tokens.

        Parameters
        ----------
        tokens : TokenTable
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One array per system.
        normalisations : sequence of ScoreNormalisation
            One per system.
        rows : int64 array, shape (n_rows,)
            Indices of these tokens.
        """
        n = len(tokens)
        index = np.arange(n, dtype=np.int32)
        neighbours = [shift(index, tokens.document, offset, n)[rows] for offset in OFFSETS]
        used = np.zeros(n + 1, dtype=np.bool_)
        for column in neighbours:
            used[column] = True
        used[n] = False
        block_of = np.cumsum(used, dtype=np.int32) - np.int32(1)
        block_of[n] = used.sum()
        blocks = _blocks([s[used[:n]] for s in scores], normalisations)
        decided = [_decided(s[rows]) for s in scores]
        return cls(blocks, [block_of[c] for c in neighbours], decided, scores[0].shape[1])

    def matrix(self) -> sparse.csr_matrix:
        """Return the feature matrix.

        Returns
        -------
        float32 CSR matrix, shape (n_rows, n_columns)
            Columns: for each offset and each system, `n_labels` decisions and
            `n_labels` scores; then, for each pair, `n_labels` squared decisions.
        """
        return self.rows().matrix()

    def rows(self) -> Csr:
        """Return what `matrix` does, without scipy."""
        blocks = [self.blocks[column] for column in self.neighbours]
        pairs = [
            Csr.one_hot(first * self.n_labels + second, self.n_labels**2)
            for first, second in combinations(self.decided, 2)
        ]
        return Csr.side_by_side([*blocks, *pairs])


def with_context(
    tokens: TokenTable,
    scores: Sequence[FloatArray],
    normalisations: Sequence[ScoreNormalisation],
) -> list[FloatArray]:
    """Return the systems' scores, and those of the words' other occurrences.

    The added scores are the mean of all systems' normalised scores over the other
    occurrences of the word in the document, whatever its letter case; 0 if there are
    none. A name that is found after "Dr." is thereby known wherever the note repeats it.

    Parameters
    ----------
    tokens : TokenTable
        Whole documents.
    scores : sequence of float32 arrays, shape (n_tokens, n_labels)
        One array per system.
    normalisations : sequence of ScoreNormalisation
        One per system.
    """
    total = np.zeros_like(scores[0])
    for s, normalisation in zip(scores, normalisations, strict=True):
        total += normalisation.apply(s)
    mean = total / np.float32(len(scores))
    return [*scores, Occurrences.in_documents(tokens).mean_of_others(mean)]


def n_meta_features(n_scores: int, n_labels: int) -> int:
    """Return the number of columns of `MetaFeatures.matrix` for some arrays of scores."""
    n_pairs = n_scores * (n_scores - 1) // 2
    return len(OFFSETS) * n_scores * 2 * n_labels + n_pairs * n_labels**2


def system_columns(system: int, n_systems: int, n_labels: int) -> slice:
    """Return the columns of a system's decision and scores for the token itself."""
    width = 2 * n_labels
    first = (OFFSETS.index(0) * n_systems + system) * width
    return slice(first, first + width)


def candidate_tokens(tokens: TokenTable, scores: Sequence[FloatArray]) -> BoolArray:
    """Mark the tokens that may be PHI, and their neighbours.

    A token may be PHI if, for some system and PHI tag,
    ``score(tag) > score("O") - SLACK * abs(score("O"))``. All systems reject the other
    tokens, which are most of the text, so the stacker has nothing to learn from them.
    """
    marked = np.zeros(len(tokens), dtype=np.int32)
    for s in scores:
        if len(s):
            others = s[:, 1:].max(axis=1, initial=-np.inf)
            marked |= others > s[:, 0] - SLACK * np.abs(s[:, 0])
    return near(tokens.document, marked > 0)


def near(document: IntArray, marked: BoolArray) -> BoolArray:
    """Mark the tokens that are marked or have a marked neighbour at one of `OFFSETS`."""
    found = marked.copy()
    for offset in OFFSETS:
        found |= shift(marked, document, offset, False)
    return found


def decisions(scores: FloatArray) -> Csr:
    """Return the decisions of some scores, one-hot, shape of `scores`."""
    return Csr.one_hot(_decided(scores), scores.shape[1])


def _decided(scores: FloatArray) -> LongArray:
    return scores.argmax(axis=1) if len(scores) else np.zeros(0, dtype=np.int64)


def _blocks(scores: Sequence[FloatArray], normalisations: Sequence[ScoreNormalisation]) -> Csr:
    """Return every system's decisions and normalised scores, with an empty last row."""
    parts = [
        part
        for s, normalisation in zip(scores, normalisations, strict=True)
        for part in (decisions(s), Csr.of_dense(normalisation.apply(s)))
    ]
    stacked = Csr.side_by_side(parts)
    return replace(stacked, indptr=np.append(stacked.indptr, stacked.indptr[-1]))
