"""How the spans of a system, or of the stacker, lie to span candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multideid.arrays import AnyArray, BoolArray, IntArray, LongArray
from multideid.stacking.span_candidates import SpanCandidates, runs_of_each
from multideid.text.table import TokenTable

N_RELATIONS = 12
"""No PHI there; the same span; the same with another label; then, for spans that begin with it,
end with it or only overlap, whether all, some or none of its tokens have its label."""
_NONE, _EXACT, _OTHER_LABEL, _BEGINS, _ENDS, _OVERLAPS = range(6)


class DecidedSpans:
    """The spans that voters decide, by token: their labels, and where they begin and end.

    Parameters
    ----------
    tokens : TokenTable
    decided : sequence of int32 arrays, shape (n_tokens,)
        The tags of each voter.
    """

    def __init__(self, tokens: TokenTable, decided: Sequence[IntArray]) -> None:
        tags = np.stack(decided)
        voter, first, last, _ = runs_of_each(tokens, tags)
        # One more, so that neighbours of the first and last token exist; -1 is no PHI.
        n_voters, n = tags.shape[0], tags.shape[1] + 1
        self.label = np.full((n_voters, n), -1, dtype=np.int64)
        self.label[:, :-1] = (tags.astype(np.int64) - 1) // 2
        self.document = np.append(tokens.document, -1)
        self.begins, self.ends = np.zeros((2, n_voters, n), dtype=np.bool_)
        self.begins[voter, first], self.ends[voter, last] = True, True

    def relations(self, candidates: SpanCandidates) -> LongArray:
        """Return how each voter's spans lie to each candidate, from 0 up to `N_RELATIONS`.

        Returns
        -------
        int64 array, shape (n_voters, n_candidates)
        """
        found, same, begun = self._counts(candidates)
        length = candidates.lengths
        begins, ends = self.begins[:, candidates.first], self.ends[:, candidates.last]
        one = begins & ends & (begun == 1) & (found == length)
        kind = np.where(begins, _BEGINS, np.where(ends, _ENDS, _OVERLAPS))
        partly = 3 * kind - 6 + np.where(same == length, 0, np.where(same > 0, 1, 2))
        alone = np.where(same == length, _EXACT, np.where(same == 0, _OTHER_LABEL, partly))
        return np.where(found == 0, _NONE, np.where(one, alone, partly))

    def goes_on(self, candidates: SpanCandidates) -> tuple[BoolArray, BoolArray]:
        """Return whether a span of the label goes on to the left, and to the right.

        Returns
        -------
        pair of bool arrays, shape (n_voters, n_candidates)
        """
        first, last = candidates.first, candidates.last
        left = self._continues(first, candidates.label)
        return left, self._continues(last + 1, candidates.label)

    def _continues(self, row: LongArray, label: LongArray) -> BoolArray:
        """Return whether a span of the label has a row and the row before it."""
        both = (self.label[:, row - 1] == label) & (self.label[:, row] == label)
        together = self.document[row - 1] == self.document[row]
        return np.asarray(both & together & ~self.begins[:, row])

    def _counts(self, candidates: SpanCandidates) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Return how many tokens of candidates are PHI, have their label, and begin a span."""
        rows = candidates.rows
        label = self.label[:, rows]
        own = np.repeat(candidates.label, candidates.lengths)
        columns = (label >= 0, label == own, self.begins[:, rows])
        found, same, begun = (candidates.sums(column) for column in columns)
        return found, same, begun


def is_exact(relations: LongArray) -> BoolArray:
    """Return whether a decided span is the candidate, with its label."""
    return np.asarray(relations == _EXACT)
