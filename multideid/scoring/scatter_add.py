"""The inner loops of scoring that add rows of scores to the cells around a cell.

A *row* holds the scores that one value adds at several offsets; it consists of
*segments*, one for each target cell. Scores are one flat array: those of cell
``c`` of a block begin at ``(c - base) * width``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.features.document_context import same_word_groups
from multideid.scoring.jit import kernel
from multideid.text.table import TokenTable


class Block(NamedTuple):
    """A range of cells, and the position of their scores.

    Parameters
    ----------
    start, stop : int
        The cells.
    base : int
        The cell of the first scores.
    width : int
        Scores per cell.
    """

    start: int
    stop: int
    base: int
    width: int


class RowTable(NamedTuple):
    """Rows of scores with a common layout.

    Parameters
    ----------
    scores : float array
        The rows, identified by their offsets.
    target : int64 array
        Target of each segment, relative to the cell's scores.
    length : int64 array
        Length of each segment.
    """

    scores: FloatingArray
    target: LongArray
    length: LongArray


class WordGroups(NamedTuple):
    """Words that recur in their document.

    Parameters
    ----------
    group : int32 array, shape (n_tokens,)
        The group of tokens of the same word, -1 for none.
    begins : int64 array, shape (n_groups + 1,)
        Group ``g`` is ``members[begins[g]:begins[g + 1]]``.
    members : int64 array
        Tokens.
    """

    group: IntArray
    begins: LongArray
    members: LongArray


def word_groups(table: TokenTable) -> WordGroups:
    """Return the words of a table that recur."""
    return table.cached("word groups", _word_groups)


def _word_groups(table: TokenTable) -> WordGroups:
    members, number = same_word_groups(table)
    begins = np.flatnonzero(np.diff(number, prepend=-1))
    group = np.full(len(table), -1, dtype=np.int32)
    group[members] = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(members))))
    return WordGroups(group, np.append(begins, len(members)), members)


class WindowTable(NamedTuple):
    """Rows for the values at any offset of a window.

    Parameters
    ----------
    offsets : int64 array
    rows : float array, shape (n_values, n_labels)
        Ignored for values of 0 (padding) and below (unknown).
    begin : int
        The first score of the window's part among the scores of a cell.
    """

    offsets: LongArray
    rows: FloatingArray
    begin: int


@kernel
def scatter_rows(
    row_offsets: IntArray, table: RowTable, block: Block, scores: FloatingArray
) -> None:
    """Add to the scores around each cell of a block the row at its offset."""
    for cell in range(block.start, block.stop):
        row = row_offsets[cell - block.start]
        scatter_row(row, table, (cell - block.base) * block.width, scores)


@kernel
def scatter_row(row: int, table: RowTable, at: int, scores: FloatingArray) -> None:
    """Add the segments of a row to the scores around the cell with scores at `at`."""
    # Unsigned indices let the compiler vectorize.
    source = np.uint64(row)
    for s in range(len(table.target)):
        length, target = np.uint64(table.length[s]), np.uint64(at + table.target[s])
        for k in range(length):
            scores[target + k] += table.scores[source + k]
        source += length


@kernel
def _subtract(values: FloatingArray, sums: FloatingArray) -> None:
    for k in range(len(sums)):
        sums[k] -= values[k]


@kernel
def scatter_context(  # noqa: PLR0913, PLR0917
    tokens: IntArray,
    words: WordGroups,
    member_rows: IntArray,
    table: RowTable,
    block: Block,
    scores: FloatingArray,
) -> None:
    """Add the rows of the other members of each token's group, each distinct row once.

    Parameters
    ----------
    tokens : int32 array
        The token of each cell of the block, -1 for none.
    words : WordGroups
    member_rows : int32 array, shape (n_members,)
        Row offset of each member, -1 for none.
    table : RowTable
    block : Block
    scores : float array
    """
    for cell in range(block.start, block.stop):
        token = tokens[cell - block.start]
        if token >= 0 and words.group[token] >= 0:
            at = (cell - block.base) * block.width
            group = words.group[token]
            for k in range(words.begins[group], words.begins[group + 1]):
                if _is_new(words, member_rows, token, k):
                    scatter_row(member_rows[k], table, at, scores)


@kernel
def _is_new(words: WordGroups, member_rows: IntArray, token: int, k: int) -> bool:
    """Return whether a member has a row that no earlier other member of its group has."""
    if words.members[k] == token or member_rows[k] < 0:
        return False
    for earlier in range(words.begins[words.group[token]], k):
        if member_rows[earlier] == member_rows[k] and words.members[earlier] != token:
            return False
    return True


@kernel
def subtract_repeats(
    codes: IntArray, window: WindowTable, block: Block, scores: FloatingArray
) -> None:
    """Subtract the rows of values of a window that occur at an earlier offset of it.

    Parameters
    ----------
    codes : int32 array
        Values of the cells, from the block's base on.
    window : WindowTable
    block : Block
        The cells to correct.
    scores : float array
    """
    offsets, rows = window.offsets, window.rows
    for cell in range(block.start - block.base, block.stop - block.base):
        at = cell * block.width + window.begin
        for n in range(1, len(offsets)):
            code = codes[cell + offsets[n]]
            if code > 0 and _occurs_earlier(codes, cell, offsets, n):
                _subtract(rows[code], scores[at : at + rows.shape[1]])


@kernel
def _occurs_earlier(codes: IntArray, cell: int, offsets: LongArray, n: int) -> bool:
    """Return whether the value at the n-th offset also occurs at an earlier one."""
    found = False
    for earlier in range(n):
        found |= codes[cell + offsets[earlier]] == codes[cell + offsets[n]]
    return found


@kernel
def collect(scores: FloatingArray, starts: LongArray, found: FloatingArray) -> None:
    """Copy the scores that begin at each start into a row of `found`."""
    # Unsigned indices let the compiler vectorize.
    length, at = np.uint64(found.shape[1]), np.uint64(0)
    flat = found.reshape(-1)
    for n in range(len(starts)):
        here = np.uint64(starts[n])
        for k in range(length):
            flat[at + k] = scores[here + k]
        at += length
