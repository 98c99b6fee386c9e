"""Document-level context: features from other occurrences of the same word.

The "context aggregation" of Ratinov and Roth (2009), and the label consistency
of Szarvas (2007) and Finkel (2005): if a surname follows ``Dr.`` once, it is a
doctor's wherever the note repeats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.features.views import LOWER, SetColumn, SetView, View
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

MOST_OCCURRENCES = 12


@dataclass(frozen=True, slots=True)
class DocumentContext(SetView):
    """The values of a view next to the word's other occurrences in the document.

    Parameters
    ----------
    view : View
    offset : int
        Position of the value, counted from each other occurrence.
    """

    view: View = field(kw_only=True)
    offset: int = field(kw_only=True)


def document_context(name: str, view: View, offset: int) -> DocumentContext:
    """Return the values of `view` at `offset` from the word's other occurrences.

    Only words that begin with a capital or a digit and occur at most twelve
    times in the document have context.

    Parameters
    ----------
    name : str
    view : View
    offset : int
        Position of the value, counted from each other occurrence.
    """
    return DocumentContext(name, _Context(view, offset), view=view, offset=offset)


@dataclass(frozen=True, slots=True)
class _Context:
    """Computes a `DocumentContext`."""

    view: View
    offset: int

    def __call__(self, table: TokenTable) -> SetColumn:
        here, there = same_word_pairs(table)
        column = self.view.column(table)
        neighbour = there + self.offset
        inside = (neighbour >= 0) & (neighbour < len(table))
        here, neighbour = here[inside], neighbour[inside]
        same = table.document[here] == table.document[neighbour]
        return _as_sets(here[same], column.codes[neighbour[same]], len(table), column.names)


def same_word_groups(table: TokenTable) -> tuple[LongArray, LongArray]:
    """Return the rows of all words that recur in their document, grouped by word.

    Returns
    -------
    rows, group : int64 arrays, shape (n_occurrences,)
        The occurrences of one word in one document are adjacent, in order of
        the text, and share a group number.
    """
    return table.cached("same words", _groups)


def same_word_pairs(table: TokenTable) -> tuple[LongArray, LongArray]:
    """Return the rows of all pairs of occurrences of one word in one document.

    Returns
    -------
    here, there : int64 arrays, shape (n_pairs,)
        Every pair is listed in both directions.
    """
    return table.cached("same word pairs", _pairs)


def _pairs(table: TokenTable) -> tuple[LongArray, LongArray]:
    rows, group = same_word_groups(table)
    here, there = [], []
    for gap in range(1, MOST_OCCURRENCES):
        left, right = rows[:-gap], rows[gap:]
        together = group[:-gap] == group[gap:]
        here += [left[together], right[together]]
        there += [right[together], left[together]]
    empty = [np.zeros(0, dtype=np.int64)]
    return np.concatenate(here or empty), np.concatenate(there or empty)


_has_context = TypeMemo(lambda w: w[0].isdigit() or (w[0].isupper() and len(w) > 1), np.bool_)


def _groups(table: TokenTable) -> tuple[LongArray, LongArray]:
    """Return the rows of recurring words, sorted by (document, word), and their groups."""
    lower = LOWER.column(table)
    candidates = np.flatnonzero(_has_context(table.vocabulary)[table.type])
    key = table.document[candidates] * np.int64(len(lower.names)) + lower.codes[candidates]
    order = np.argsort(key, kind="stable")
    begins = np.diff(key[order], prepend=-1) > 0
    group = np.cumsum(begins) - 1
    size = np.diff(np.append(np.flatnonzero(begins), len(order)))[group]
    few = (size > 1) & (size <= MOST_OCCURRENCES)
    return candidates[order][few], group[few]


def _as_sets(here: LongArray, codes: IntArray, n_tokens: int, names: Sequence[str]) -> SetColumn:
    width = int(codes.max(initial=0)) + 1
    distinct = np.unique(here * width + codes)
    rows, values = distinct // width, distinct % width
    indptr = np.searchsorted(rows, np.arange(n_tokens + 1))
    return SetColumn(
        np.arange(n_tokens, dtype=np.int32),
        indptr.astype(np.int64),
        values.astype(np.int32),
        names,
    )
