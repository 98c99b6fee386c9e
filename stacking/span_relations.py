"""How the spans of a system, or of the stacker, lie to span candidates."""

from __future__ import annotations

import numpy as np

from multideid.arrays import AnyArray, BoolArray, IntArray, LongArray
from multideid.stacking.span_candidates import SpanCandidates
from multideid.text.bio import tag_runs
from multideid.text.table import TokenTable

N_RELATIONS = 12
"""No PHI there; the same span; the same with another label; then, for spans that begin with it,
end with it or only overlap, whether all, some or none of its tokens have its label."""
_NONE, _EXACT, _OTHER_LABEL, _BEGINS, _ENDS, _OVERLAPS = range(6)


class DecidedSpans:
    """The spans that tags decide, by token: their labels, and where they begin and end.

    Parameters
    ----------
    tokens : TokenTable
    tags : int32 array, shape (n_tokens,)
    """

    def __init__(self, tokens: TokenTable, tags: IntArray) -> None:
        first, last, _ = tag_runs(tokens.document, tags)
        n = len(tags)
        # One more, so that neighbours of the first and last token exist; -1 is no PHI.
        self.label = np.append((tags.astype(np.int64) - 1) // 2, -1)
        self.document = np.append(tokens.document, -1)
        self.begins, self.ends = np.zeros((2, n + 1), dtype=np.bool_)
        self.begins[first], self.ends[last] = True, True

    def relations(self, candidates: SpanCandidates) -> LongArray:
        """Return how the decided spans lie to each candidate, from 0 up to `N_RELATIONS`."""
        found, same, begun = self._counts(candidates)
        length = candidates.lengths
        begins, ends = self.begins[candidates.first], self.ends[candidates.last]
        one = begins & ends & (begun == 1) & (found == length)
        kind = np.select([begins, ends], [_BEGINS, _ENDS], _OVERLAPS)
        partly = 3 * kind - 6 + np.select([same == length, same > 0], [0, 1], 2)
        exact, renamed = one & (same == length), one & (same == 0)
        return np.select([found == 0, exact, renamed], [_NONE, _EXACT, _OTHER_LABEL], partly)

    def goes_on(self, candidates: SpanCandidates) -> tuple[BoolArray, BoolArray]:
        """Return whether a span of the label goes on to the left, and to the right."""
        first, last = candidates.first, candidates.last
        left = self._continues(first, candidates.label)
        return left, self._continues(last + 1, candidates.label)

    def _continues(self, row: LongArray, label: LongArray) -> BoolArray:
        """Return whether a span of the label has a row and the row before it."""
        both = (self.label[row - 1] == label) & (self.label[row] == label)
        together = self.document[row - 1] == self.document[row]
        return np.asarray(both & together & ~self.begins[row])

    def _counts(self, candidates: SpanCandidates) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Return how many tokens of candidates are PHI, have their label, and begin a span."""
        rows = candidates.rows()
        label = self.label[rows]
        own = np.repeat(candidates.label, candidates.lengths)
        columns = (label >= 0, label == own, self.begins[rows])
        found, same, begun = (candidates.sums(column) for column in columns)
        return found, same, begun


def is_exact(relations: LongArray) -> BoolArray:
    """Return whether a decided span is the candidate, with its label."""
    return np.asarray(relations == _EXACT)
