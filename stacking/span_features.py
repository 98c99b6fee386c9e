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
        pairs = zip(scores, normalisations, strict=True)
        score_columns = [_scores(tokens, candidates, *pair) for pair in pairs]
        active = np.stack(shifted, axis=1)
        return cls(active, np.concatenate(score_columns, axis=1), candidates.label, int(bounds[-1]))


def _decision_columns(
    tokens: TokenTable, candidates: SpanCandidates, decided: Sequence[IntArray]
) -> list[Column]:
    spans = [DecidedSpans(tokens, tags) for tags in decided]
    relations = [each.relations(candidates) for each in spans]
    exact = np.stack([is_exact(each) for each in relations[:-1]]).sum(axis=0, dtype=np.int64)
    longer = [side.astype(np.int64) for each in spans for side in each.goes_on(candidates)]
    columns = [(each, N_RELATIONS) for each in relations]
    return [*columns, (exact, len(decided)), *((side, 2) for side in longer)]


def _scores(
    tokens: TokenTable,
    candidates: SpanCandidates,
    values: FloatArray,
    normalisation: ScoreNormalisation,
) -> DoubleArray:
    """Return the mean and least score of a candidate's tags, and two scores of "inside".

    The last two are those of its first token, and of the one after it.
    """
    first, last, label, _ = candidates
    rows = candidates.rows()
    begins = rows == np.repeat(first, candidates.lengths)
    own = normalisation.apply(values[rows, np.repeat(2 * label + 2, candidates.lengths) - begins])
    after = np.minimum(last + 1, len(values) - 1)
    goes_on = (after > last) & (tokens.document[after] == tokens.document[last])
    columns = [candidates.sums(own) / candidates.lengths, candidates.least(own)]
    inside = [normalisation.apply(values[row, 2 * label + 2]) for row in (first, after)]
    columns += [inside[0], inside[1] * goes_on]
    return np.stack(columns, axis=1).astype(np.float64)
