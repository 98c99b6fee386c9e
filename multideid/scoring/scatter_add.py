"""The inner loops of scoring: what stands in a cell is added to the cells around it.

A *row* of a table holds what one thing adds to the label scores at several
offsets; *segments* tell where its pieces go. Positions in the scores are counted
in single numbers: those of cell ``c`` of a block begin at ``(c - base) * width``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.scoring.jit import kernel


class Block(NamedTuple):
    """Cells ``start:stop`` push; the scores begin with those of cell `base`.

    Parameters
    ----------
    start, stop, base : int
    width : int
        Scores a cell.
    """

    start: int
    stop: int
    base: int
    width: int


class RowTable(NamedTuple):
    """Rows of scores, and where their pieces go.

    Parameters
    ----------
    scores : float array
        The rows; each is known by its place, where it begins.
    target : int64 array
        Where each piece goes, counted from the beginning of the cell's own scores.
    length : int64 array
        Length of each piece; together they are a row.
    """

    scores: FloatingArray
    target: LongArray
    length: LongArray


class EntryTable(NamedTuple):
    """Rows of few scores, each of which tells where it goes.

    Parameters
    ----------
    begins : int64 array, shape (n_rows + 1,)
        Row ``r`` is ``begins[r]:begins[r + 1]``.
    target : int32 array
        Where each score goes, counted from the beginning of the cell's own scores.
    weight : float array
    """

    begins: LongArray
    target: IntArray
    weight: FloatingArray


class Recurring(NamedTuple):
    """Words that recur in their document, and what stands beside them.

    Parameters
    ----------
    group : int32 array, shape (n_tokens,)
        The group of tokens of the same word, -1 for none.
    begins : int64 array, shape (n_groups + 1,)
        Group ``g`` is ``members[begins[g]:begins[g + 1]]``.
    members : int64 array
        Tokens.
    beside : int32 array, shape (n_members,)
        The place of the row of what stands beside a member, -1 for none.
    """

    group: IntArray
    begins: LongArray
    members: LongArray
    beside: IntArray


class Around(NamedTuple):
    """A window: rows for the values at any of several offsets.

    Parameters
    ----------
    offsets : int64 array
    rows : float array, shape (n_values, n_labels)
        Values of 0 and less, the blank and the unknown ones, have none.
    begin : int
        Where in its cell's scores the window's part begins.
    """

    offsets: LongArray
    rows: FloatingArray
    begin: int


@kernel
def push_rows(places: IntArray, table: RowTable, block: Block, scores: FloatingArray) -> None:
    """Add to the scores around each cell of a block the row at its place."""
    for cell in range(block.start, block.stop):
        place = places[cell - block.start]
        push(place, table, (cell - block.base) * block.width, scores)


@kernel
def push(place: int, table: RowTable, at: int, scores: FloatingArray) -> None:
    """Add a row's pieces to the scores of the cell that begin at `at`."""
    # Indices that cannot be negative let the compiler use vectors.
    source = np.uint64(place)
    for s in range(len(table.target)):
        length, target = np.uint64(table.length[s]), np.uint64(at + table.target[s])
        for k in range(length):
            scores[target + k] += table.scores[source + k]
        source += length


@kernel
def subtract(values: FloatingArray, sums: FloatingArray) -> None:
    """Subtract numbers from as many others."""
    for k in range(len(sums)):
        sums[k] -= values[k]


@kernel
def push_entries(rows: IntArray, table: EntryTable, block: Block, scores: FloatingArray) -> None:
    """Add the entries of each cell's row of the table; a negative row has none."""
    begins, target, weight = table
    for cell in range(block.start, block.stop):
        row = rows[cell - block.start]
        if row >= 0:
            at = (cell - block.base) * block.width
            for k in range(np.uint64(begins[row]), np.uint64(begins[row + 1])):
                scores[np.uint64(at + target[k])] += weight[k]


@kernel
def push_elsewhere(
    tokens: IntArray,
    recurring: Recurring,
    table: RowTable,
    block: Block,
    scores: FloatingArray,
) -> None:
    """Add the rows of what stands beside the other tokens of each one's group, each row once.

    Parameters
    ----------
    tokens : int32 array
        The token of each cell of the block, -1 for none.
    recurring : Recurring
    table : RowTable
    block : Block
    scores : float array
    """
    for cell in range(block.start, block.stop):
        token = tokens[cell - block.start]
        if token >= 0 and recurring.group[token] >= 0:
            at = (cell - block.base) * block.width
            group = recurring.group[token]
            for k in range(recurring.begins[group], recurring.begins[group + 1]):
                if _is_new(recurring, token, k):
                    push(recurring.beside[k], table, at, scores)


@kernel
def _is_new(recurring: Recurring, token: int, k: int) -> bool:
    """Tell whether a member has a row that no earlier other member of its group has."""
    members, beside = recurring.members, recurring.beside
    if members[k] == token or beside[k] < 0:
        return False
    for earlier in range(recurring.begins[recurring.group[token]], k):
        if beside[earlier] == beside[k] and members[earlier] != token:
            return False
    return True


@kernel
def take_back_repeats(codes: IntArray, around: Around, block: Block, scores: FloatingArray) -> None:
    """Subtract from each cell the rows of the values around it, but for each value's first.

    Parameters
    ----------
    codes : int32 array
        Values of the cells from the block's base on.
    around : Around
    block : Block
        Its cells change.
    scores : float array
    """
    offsets, rows = around.offsets, around.rows
    for cell in range(block.start - block.base, block.stop - block.base):
        at = cell * block.width + around.begin
        for n in range(1, len(offsets)):
            code = codes[cell + offsets[n]]
            if code > 0 and _stands_before(codes, cell, offsets, n):
                subtract(rows[code], scores[at : at + rows.shape[1]])


@kernel
def _stands_before(codes: IntArray, cell: int, offsets: LongArray, n: int) -> bool:
    """Tell whether the value at the n-th offset also stands at an earlier one."""
    found = False
    for earlier in range(n):
        found |= codes[cell + offsets[earlier]] == codes[cell + offsets[n]]
    return found


@kernel
def collect(scores: FloatingArray, places: LongArray, found: FloatingArray) -> None:
    """Copy the scores that begin at each place into a row of `found`."""
    # Indices that cannot be negative let the compiler use vectors.
    length, at = np.uint64(found.shape[1]), np.uint64(0)
    flat = found.reshape(-1)
    for n in range(len(places)):
        here = np.uint64(places[n])
        for k in range(length):
            flat[at + k] = scores[here + k]
        at += length
