"""Features of span candidates: who decided what there, how they look, what the document repeats.

None of them depends on which words they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray, LongArray
from multideid.stacking.meta_features import ScoreNormalisation
from multideid.stacking.span_candidates import SpanCandidates
from multideid.stacking.span_forms import N_FORM_COLUMNS, Column, form_columns
from multideid.stacking.span_relations import N_RELATIONS, DecidedSpans, is_exact
from multideid.stacking.span_repeats import N_REPEAT_COLUMNS, repeat_columns
from multideid.text.table import TokenTable

_N_SCORES = 4


def n_columns(n_systems: int) -> tuple[int, int]:
    """Return the numbers of one-hot columns and of scores."""
    n_voters = n_systems + 1
    of_decisions = n_voters * (N_RELATIONS + 5)
    return of_decisions + N_FORM_COLUMNS + N_REPEAT_COLUMNS, _N_SCORES * n_systems


class SpanFeatures(NamedTuple):
    """The features of span candidates.

    Parameters
    ----------
    active : int64 array, shape (n_candidates, n_groups)
        The column of the only 1 in each group of one-hot columns.
    scores : float64 array, shape (n_candidates, 4 * n_systems)
    label : int64 array, shape (n_candidates,)
        Weights of one-hot columns are shared by all labels or belong to one.
    width : int
        The number of one-hot columns.
    """

    active: LongArray
    scores: DoubleArray
    label: LongArray
    width: int

    @classmethod
    def of(
        cls,
        tokens: TokenTable,
        candidates: SpanCandidates,
        decided: Sequence[IntArray],
        scores: Sequence[FloatArray],
        normalisations: Sequence[ScoreNormalisation],
    ) -> Self:
        """Compute the features.

        Parameters
        ----------
        tokens : TokenTable
        candidates : SpanCandidates
        decided : sequence of int32 arrays, shape (n_tokens,)
            The tags by each of the systems and, as the last one, by the stacker.
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One per system.
        normalisations : sequence of ScoreNormalisation
            One per system.
        """
        columns = [
            *_decision_columns(tokens, candidates, decided),
            *form_columns(tokens, candidates),
            *repeat_columns(tokens, candidates, decided[-1]),
        ]
        bounds = np.cumsum([0, *(width for _, width in columns)])
        shifted = [values + bound for (values, _), bound in zip(columns, bounds[:-1], strict=True)]
        active = np.stack(shifted, axis=1)
        score_columns = _scores(tokens, candidates, scores, normalisations)
        return cls(active, score_columns, candidates.label, int(bounds[-1]))


def _decision_columns(
    tokens: TokenTable, candidates: SpanCandidates, decided: Sequence[IntArray]
) -> list[Column]:
    spans = DecidedSpans(tokens, decided)
    relations = spans.relations(candidates)
    exact = is_exact(relations[:-1]).sum(axis=0, dtype=np.int64)
    sides = np.stack(spans.goes_on(candidates), axis=1).astype(np.int64)
    columns = [(each, N_RELATIONS) for each in relations]
    longer = [(side, 2) for both in sides for side in both]
    return [*columns, (exact, len(decided)), *longer]


def _scores(
    tokens: TokenTable,
    candidates: SpanCandidates,
    scores: Sequence[FloatArray],
    normalisations: Sequence[ScoreNormalisation],
) -> DoubleArray:
    """Return, of each system, the mean and least score of a candidate's tags, and two of "inside".

    The last two are those of its first token, and of the one after it.
    """
    first, last, label, _ = candidates
    tag = 2 * label + 2
    begins = candidates.rows == np.repeat(first, candidates.lengths)
    after = np.minimum(last + 1, len(tokens) - 1)
    goes_on = (after > last) & (tokens.document[after] == tokens.document[last])
    # All that is looked up in a system's scores at once, as it is little in one note.
    rows = np.concatenate([candidates.rows, first, after])
    tags = np.concatenate([np.repeat(tag, candidates.lengths) - begins, tag, tag])
    pairs = zip(scores, normalisations, strict=True)
    found = np.stack([normalisation.apply(values[rows, tags]) for values, normalisation in pairs])
    own, at_first, at_after = np.split(found, np.cumsum([len(begins), len(first)]), axis=1)
    means = candidates.sums(own) / candidates.lengths
    columns = [means, candidates.least(own), at_first, at_after * goes_on]
    by_system = np.stack(columns, axis=1).astype(np.float64)
    return np.ascontiguousarray(by_system.reshape(len(scores) * _N_SCORES, len(first)).T)
