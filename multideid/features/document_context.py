"""Evidence from the rest of the document: where else the same word stands, and how.

The "context aggregation" of Ratinov and Roth (2009) and the label consistency
that Szarvas (2007) and Finkel (2005) use: a surname that follows ``Dr.`` once
is a doctor's wherever the note repeats it.
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
class Elsewhere(SetView):
    """The values of a view beside the word's other occurrences in the document.

    Parameters
    ----------
    what : View
    beside : int
        Where the value stands that is evidence, from each other occurrence.
    """

    what: View = field(kw_only=True)
    beside: int = field(kw_only=True)


def elsewhere(name: str, what: View, offset: int) -> SetView:
    """Return the values of `what` at `offset` from the word's other occurrences.

    Only words that begin with a capital or a digit and occur up to twelve
    times in the document have evidence; pairs are counted within a document.

    Parameters
    ----------
    name : str
    what : View
    offset : int
        Where the neighbour stands whose value is evidence.
    """

    def compute(table: TokenTable) -> SetColumn:
        here, there = same_word_pairs(table)
        column = what.column(table)
        neighbour = there + offset
        inside = (neighbour >= 0) & (neighbour < len(table))
        here, neighbour = here[inside], neighbour[inside]
        same = table.document[here] == table.document[neighbour]
        return _as_sets(here[same], column.codes[neighbour[same]], len(table), column.names)

    return Elsewhere(name, compute, what=what, beside=offset)


def same_word_groups(
    table: TokenTable,
) -> tuple[LongArray, LongArray]:
    """Return the rows of the words that recur in their document, occurrence by occurrence.

    Returns
    -------
    rows, group : int64 arrays, shape (n_occurrences,)
        Rows of one word and document stand together, in order, under one number.
    """
    if "same words" not in table.memo:
        table.memo["same words"] = _groups(table)
    return table.memo["same words"]  # type: ignore[no-any-return]


def same_word_pairs(table: TokenTable) -> tuple[LongArray, LongArray]:
    """Return the rows of all pairs of occurrences of one word in one document.

    Returns
    -------
    here, there : int64 arrays, shape (n_pairs,)
        Every pair stands in both directions.
    """
    if "pairs" not in table.memo:
        table.memo["pairs"] = _pairs(table)
    return table.memo["pairs"]  # type: ignore[no-any-return]


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


_tells = TypeMemo(lambda w: w[0].isdigit() or (w[0].isupper() and len(w) > 1), np.bool_)


def _groups(table: TokenTable) -> tuple[LongArray, LongArray]:
    """Return the rows of recurring words, sorted by (document, word), and each one's group."""
    lower = LOWER.column(table)
    candidates = np.flatnonzero(_tells(table.vocabulary)[table.type])
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
