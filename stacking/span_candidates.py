"""Span candidates: what the base systems and the stacker take for PHI where they disagree."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import AnyArray, IntArray, LongArray
from multideid.lazy import lazy
from multideid.text.bio import tag_runs
from multideid.text.table import TokenTable

MOST_CANDIDATES = 60
"""If borders and labels of a cluster make more candidates, only spans that were decided count."""


class _Columns(NamedTuple):
    first: LongArray
    last: LongArray
    label: LongArray
    cluster: LongArray


class SpanCandidates(_Columns):
    """Spans of tokens, in clusters of those that overlap.

    Parameters
    ----------
    first, last : int64 arrays, shape (n_candidates,)
        Rows of their first and last tokens.
    label : int64 array, shape (n_candidates,)
        Index of their PHI label.
    cluster : int64 array, shape (n_candidates,)
        Ascending numbers.
    """

    @classmethod
    def of(cls, tokens: TokenTable, decided: Sequence[IntArray]) -> Self:
        """Return the candidates of the clusters in which decisions differ.

        In a cluster, every beginning, end and label that was decided is combined with
        the others. Where the stacker decided the only span, there is nothing to choose.

        Parameters
        ----------
        tokens : TokenTable
        decided : sequence of int32 arrays, shape (n_tokens,)
            The tags by each of the systems and, as the last one, by the stacker.
        """
        _, *runs = runs_of_each(tokens, np.stack(decided))
        spans = _distinct(runs, len(tokens))
        # Those that begin after all before them have ended begin a cluster.
        furthest = np.maximum.accumulate(np.append(-1, spans[:, 1]))[:-1]
        starts = np.flatnonzero(spans[:, 0] > furthest)
        ends = np.append(starts[1:], len(spans))
        settled = (ends - starts == 1) & (decided[-1][spans[starts, 0]] > 0)
        pairs = zip(starts[~settled].tolist(), ends[~settled].tolist(), strict=True)
        rows = [(*c, n) for n, (low, high) in enumerate(pairs) for c in _combined(spans[low:high])]
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)

    @lazy
    def lengths(self) -> LongArray:
        """Numbers of tokens, shape (n_candidates,)."""
        return self.last - self.first + 1

    @lazy
    def rows(self) -> LongArray:
        """The rows of the tokens of all candidates, one candidate after the other."""
        lengths = self.lengths
        steps = np.arange(lengths.sum())
        return np.repeat(self.first - self._starts, lengths) + steps

    @lazy
    def _starts(self) -> LongArray:
        return np.cumsum(self.lengths) - self.lengths

    def sums(self, values: AnyArray) -> AnyArray:
        """Return the sum over each candidate's tokens of values in the order of `rows`.

        Parameters
        ----------
        values : array, shape (..., n_rows)

        Returns
        -------
        array, shape (..., n_candidates)
        """
        return self._reduced(np.add, values)

    def least(self, values: AnyArray) -> AnyArray:
        """Return the least of the values of each candidate's tokens, as `sums`."""
        return self._reduced(np.minimum, values)

    def _reduced(self, function: np.ufunc, values: AnyArray) -> AnyArray:
        numbers = values.astype(np.int64) if values.dtype == np.bool_ else values
        if not len(self.first):
            return numbers[..., :0]
        reduced: AnyArray = function.reduceat(numbers, self._starts, axis=-1)
        return reduced

    def take(self, numbers: LongArray) -> Self:
        """Return some of the candidates."""
        return self.__class__(*(column[numbers] for column in self))

    def bounds(self) -> LongArray:
        """Return where each cluster begins, and after the last one the number of candidates.

        Without candidates, the result is empty.
        """
        return np.flatnonzero(np.diff(self.cluster, prepend=-1, append=-1))


def runs_of_each(
    tokens: TokenTable, decided: IntArray
) -> tuple[LongArray, LongArray, LongArray, LongArray]:
    """Return the voter, first row, last row and label of every span that was decided.

    Parameters
    ----------
    tokens : TokenTable
    decided : int32 array, shape (n_voters, n_tokens)
    """
    n_voters, n_tokens = decided.shape
    # As if each voter's were other documents, so that one call does for all.
    document = tokens.document + len(tokens.ids) * np.arange(n_voters)[:, None]
    first, last, label = tag_runs(document.ravel(), decided.ravel())
    voter, row = np.divmod(first.astype(np.int64), max(n_tokens, 1))
    return voter, row, row + (last - first), label.astype(np.int64)


def _distinct(runs: Sequence[LongArray], n_tokens: int) -> LongArray:
    """Return the distinct (first, last, label) in ascending order, shape (n_spans, 3)."""
    first, last, label = runs
    n_labels = int(label.max(initial=0)) + 1
    # One number a span: sorting rows takes ten times as long.
    keys = np.unique((first * n_tokens + last) * n_labels + label)
    place, label = np.divmod(keys, n_labels)
    return np.stack([*np.divmod(place, max(n_tokens, 1)), label], axis=1)


def _combined(spans: LongArray) -> list[tuple[int, int, int]]:
    firsts, lasts, labels = (sorted(set(column)) for column in spans.T.tolist())
    # Counted before they are made: a line of names may be one cluster.
    n_pairs = sum(len(lasts) - bisect_left(lasts, first) for first in firsts)
    if n_pairs * len(labels) > MOST_CANDIDATES:
        return [(f, t, k) for f, t, k in spans.tolist()]
    return [(f, t, k) for f in firsts for t in lasts if f <= t for k in labels]
