"""Two stages: what a second chain is told that a first one decided."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from multideid.arrays import IntArray, LongArray
from multideid.learners.chain import ChainModel
from multideid.learners.feature_tagger import line_starts, line_starts_within, weighted
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.scorer import line_blocks
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

Train = Callable[[sparse.csr_matrix, TokenTable, TokenLabels], ChainModel]

_BLOCK = 16_384


def decided_out_of_fold(
    train: Train,
    features: sparse.csr_matrix,
    tokens: TokenTable,
    labels: TokenLabels,
    folds: int,
) -> IntArray:
    """Return the tags that a chain gives documents which it has not learned from.

    A second stage that learns from them sees the first as right and as wrong
    as it will be on new text.

    Parameters
    ----------
    train : callable
        Makes a chain of features, tokens and gold tags.
    features : sparse matrix, shape (n_tokens, n_features)
    tokens : TokenTable
    labels : TokenLabels
        Gold tags; returned as they are where a single document leaves none to
        learn from.
    folds : int
        Parts of the documents.
    """
    fold = np.arange(len(tokens.ids)) % folds
    parts, decided = np.unique(fold), labels.ids.copy()
    for held in parts if len(parts) > 1 else ():
        part, rest = np.flatnonzero(fold == held), np.flatnonzero(fold != held)
        inside, outside = tokens.rows(part), tokens.rows(rest)
        chain = train(features[outside], tokens.select(rest), labels.rows(outside))
        emissions = chain.emissions(features[inside])
        decided[inside] = chain.best(emissions, line_starts(tokens.select(part)))
    return decided


def weighted_stages(
    first: ChainModel, second: ChainModel, n_features: int
) -> tuple[LongArray, ChainModel, ChainModel]:
    """Shorten weights, and leave out the features to which neither stage gave one.

    Parameters
    ----------
    first, second : ChainModel
        The second has the first's features, and behind them those of what was decided.
    n_features : int
        How many the first has.

    Returns
    -------
    kept : int64 array
        Those of the first's features that stay.
    first, second : ChainModel
        Of these, and of what was decided.
    """
    first, second = first.shortened(), second.shortened()
    kept = weighted(first.weights, second.weights[:n_features])
    added = np.arange(n_features, second.weights.shape[0])
    both = np.concatenate([kept, added])
    return kept, first.of_features(kept), second.of_features(both)


class CompiledStage:
    """The first stage's best tags, by compiled loops.

    Parameters
    ----------
    chain : ChainModel
    part : LinearPart
        Of the chain's weights.
    """

    def __init__(self, chain: ChainModel, part: LinearPart) -> None:
        from multideid.scoring.linear_sums import CompiledLinear

        self._chain = chain
        self._sums = CompiledLinear([part])

    def tags(self, tokens: TokenTable) -> IntArray:
        """Return the best tag of every token."""
        table = self._sums.open(tokens)
        decided = np.empty(len(tokens), dtype=np.int32)
        for first, stop in line_blocks(tokens, _BLOCK):
            starts = line_starts_within(tokens, first, stop)
            decided[first:stop] = self._chain.best(table.scores(first, stop)[0], starts)
        return decided
