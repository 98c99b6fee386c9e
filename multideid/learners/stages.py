"""Two-stage chains: the second one uses the decisions of the first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.learners.chain import ChainModel
from multideid.learners.feature_tagger import nonzero_features
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.sparse_weights import quantize
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_blocks, line_starts
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

Train = Callable[["sparse.csr_matrix", TokenTable, TokenLabels], ChainModel]

_BLOCK = 16_384


def with_small_ones(features: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return a binary matrix whose ones take a byte each, with the same indices.

    Chains learn from the indices alone, and the ones are half of the memory.
    """
    from scipy import sparse

    ones = np.ones(len(features.indices), dtype=np.int8)
    return sparse.csr_matrix((ones, features.indices, features.indptr), shape=features.shape)


def side_by_side(features: sparse.csr_matrix, added: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the features of the second stage: those of the first, and what it decided.

    Both are binary. They are joined in blocks of rows: ``hstack`` takes three times the
    memory of its result, and these are the largest matrices of a training.
    """
    from scipy import sparse

    indptr = features.indptr + added.indptr
    indices = np.empty(int(indptr[-1]), dtype=features.indices.dtype)
    for first in range(0, features.shape[0], _BLOCK):
        rows = slice(first, first + _BLOCK)
        block = sparse.hstack([features[rows], added[rows]], format="csr").indices
        indices[indptr[first] : indptr[first] + len(block)] = block
    data = np.ones(len(indices), dtype=features.dtype)
    shape = (features.shape[0], features.shape[1] + added.shape[1])
    return sparse.csr_matrix((data, indices, indptr), shape=shape)


def out_of_fold_tags(  # noqa: PLR0913 (what a fit takes, and the folds)
    train: Train,
    features: sparse.csr_matrix,
    tokens: TokenTable,
    labels: TokenLabels,
    folds: int,
    *,
    copies: int = 0,
) -> IntArray:
    """Return the out-of-fold tags of a chain, cross-validated over documents.

    A second stage trained on them sees the errors that the first stage makes
    on new text.

    Parameters
    ----------
    train : callable
        Trains a chain on features, tokens and gold tags.
    features : sparse matrix, shape (n_tokens, n_features)
    tokens : TokenTable
    labels : TokenLabels
        Gold tags; returned unchanged for a single document.
    folds : int
        Number of folds.
    copies : int
        How often all documents are repeated; a document and its copies share a fold.
        Copies of other documents may have mentions of its, so that the tags have
        fewer errors than those on new text.
    """
    number = np.arange(len(tokens.ids))
    fold = number % (len(number) // (1 + copies) or 1) % folds
    parts, decided = np.unique(fold), labels.ids.copy()
    for held in parts if len(parts) > 1 else ():
        part, rest = np.flatnonzero(fold == held), np.flatnonzero(fold != held)
        inside, outside = tokens.rows(part), tokens.rows(rest)
        chain = train(features[outside], tokens.select(rest), labels.rows(outside))
        emissions = chain.emissions(features[inside])
        decided[inside] = chain.decode(emissions, line_starts(tokens.select(part)))
    return decided


def quantize_stages(
    first: ChainModel,
    second: ChainModel,
    n_features: int,
    step: float = 0.0,
    *,
    quantizes: bool = True,
) -> tuple[LongArray, ChainModel, ChainModel]:
    """Quantize the weights of both stages and drop the features without any.

    Parameters
    ----------
    first, second : ChainModel
        The features of the second are those of the first, followed by the
        decisions of the first.
    n_features : int
        Number of features of the first.
    step : float
        As `quantize`. The second's weights of the first's decisions, which are few, stay finer.
    quantizes : bool
        False to keep the weights as they are.

    Returns
    -------
    kept : int64 array
        The remaining features of the first stage.
    first, second : ChainModel
        The reduced models.
    """
    if quantizes:
        from scipy import sparse

        words, decisions = second.weights[:n_features], second.weights[n_features:]
        both = [quantize(words, step=step), quantize(decisions)]
        first = first.quantized(step)
        second = replace(second, weights=sparse.vstack(both, format="csr"))
    kept = nonzero_features(first.weights, second.weights[:n_features])
    added = np.arange(n_features, second.weights.shape[0])
    return kept, first.of_features(kept), second.of_features(np.concatenate([kept, added]))


class CompiledStage:
    """The first stage as a compiled model, which predicts tags.

    Parameters
    ----------
    chain : ChainModel
    part : LinearPart
        The chain's feature weights.
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
            starts = line_starts(tokens, first, stop)
            decided[first:stop] = self._chain.decode(table.scores(first, stop)[0], starts)
        return decided
