"""The inner loops that sum the weights of new strings and store the sums."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import DoubleArray, FloatingArray, IntArray, LongArray
from multideid.scoring.csr_weights import CsrWeights
from multideid.scoring.jit import kernel

UNKNOWN = -1


class Values(NamedTuple):
    """The values of some strings, one column after the other.

    Parameters
    ----------
    begins : int64 array, shape (n_columns + 1,)
        Column ``c`` is ``begins[c]:begins[c + 1]``.
    codes : int32 array
        Indices into the column's vocabulary, `UNKNOWN` for others.
    owner : int64 array
        The string of each value.
    """

    begins: LongArray
    codes: IntArray
    owner: LongArray


class Additions(NamedTuple):
    """What the templates of one part add to the rows of strings.

    Parameters
    ----------
    column_begins : int64 array, shape (n_templates + 1,)
        Template ``t`` packs the columns ``column_begins[t]:column_begins[t + 1]``.
    columns, factors : int64 arrays
        ``packed = packed * factor + code`` for each column.
    key_begins : int64 array, shape (n_templates + 1,)
    keys : int64 array
        The packed values that are features, sorted for each template.
    first : int64 array, shape (n_templates,)
        The feature of the first key.
    start_begins : int64 array, shape (n_templates + 1,)
    starts : int64 array
        Where the scores begin in a row: one start a template, or one for each offset of a window.
    """

    column_begins: LongArray
    columns: LongArray
    factors: LongArray
    key_begins: LongArray
    keys: LongArray
    first: LongArray
    start_begins: LongArray
    starts: LongArray


@kernel
def add_known(values: Values, additions: Additions, weights: CsrWeights, sums: DoubleArray) -> None:
    """Add the weights of each value's feature, if it is one, to the row of its string.

    Parameters
    ----------
    values : Values
    additions : Additions
    weights : CsrWeights
        Of the part.
    sums : float64 array, shape (n_strings, length of a row)
    """
    for t in range(len(additions.first)):
        keys = additions.keys[additions.key_begins[t] : additions.key_begins[t + 1]]
        starts = additions.starts[additions.start_begins[t] : additions.start_begins[t + 1]]
        begin = values.begins[additions.columns[additions.column_begins[t]]]
        stop = values.begins[additions.columns[additions.column_begins[t]] + 1]
        for n in range(stop - begin):
            packed = _packed(values, additions, t, n)
            place = _place(keys, packed)
            if place != UNKNOWN:
                feature = additions.first[t] + place
                row = values.owner[begin + n]
                for k in range(weights.begins[feature], weights.begins[feature + 1]):
                    for start in starts:
                        sums[row, start + weights.label[k]] += weights.weight[k]


@kernel
def _place(keys: LongArray, packed: int) -> int:
    """Return the place of a packed value in the sorted keys, `UNKNOWN` if it is not there."""
    if packed == UNKNOWN or not len(keys):
        return UNKNOWN
    # Often each value of a vocabulary is a key; before the n-th key there are n others.
    place = packed - keys[0]
    if not 0 <= place < len(keys) or keys[place] != packed:
        place = np.searchsorted(keys, packed)
    return place if place < len(keys) and keys[place] == packed else UNKNOWN


@kernel
def _packed(values: Values, additions: Additions, template: int, n: int) -> int:
    """Return the n-th packed value of a template, `UNKNOWN` if a part of it is unknown."""
    packed = 0
    for c in range(additions.column_begins[template], additions.column_begins[template + 1]):
        code = values.codes[values.begins[additions.columns[c]] + n]
        if code == UNKNOWN:
            return UNKNOWN
        packed = int(packed * additions.factors[c] + code)
    return packed


@kernel
def store_rows(sums: DoubleArray, start: int, scores: FloatingArray, largest: DoubleArray) -> None:
    """Store sums as consecutive rows, and note the greatest absolute value of each column.

    Parameters
    ----------
    sums : float64 array, shape (n_rows, length of a row)
    start : int
        The place of the first row among the scores.
    scores : float array
    largest : float64 array, shape (length of a row,)
        Updated in place.
    """
    # Unsigned indices let the compiler vectorize.
    flat, length = sums.reshape(-1), np.uint64(len(largest))
    at, to = np.uint64(0), np.uint64(start)
    for _ in range(len(sums)):
        for k in range(length):
            value = abs(flat[at + k])
            if value > largest[k]:  # noqa: PLR1730 (several times as fast)
                largest[k] = value
        for k in range(length):
            scores[to + k] = flat[at + k]
        at += length
        to += length
