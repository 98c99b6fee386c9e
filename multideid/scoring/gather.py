"""The inner loop that sums, for each cell, the rows of the cells around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.scoring.jit import kernel
from multideid.scoring.row_arena import Segment
from multideid.scoring.scatter_add import Block

_UNROLLED = 4


class GatherPlan(NamedTuple):
    """The segments that each cell sums, in groups of four with the same target.

    Loading and storing the target takes longer than adding, so four segments
    are added at once.

    Parameters
    ----------
    begin, length : int64 arrays, shape (n_groups,)
        The targets among the scores of a cell.
    source, offset, start : int64 arrays, shape (4 * n_groups,)
        Source of each segment's row, offset of the row's cell, and start of the
        segment in the row.
    """

    begin: LongArray
    length: LongArray
    source: LongArray
    offset: LongArray
    start: LongArray

    @classmethod
    def of(cls, rows: Sequence[Sequence[Segment]]) -> Self:
        """Make the plan for sources with such rows; the source after them has rows of zeros."""
        groups: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for source, row in enumerate(rows):
            for segment in row:
                found = groups.setdefault((segment.begin, segment.length), [])
                found.append((source, segment.offset, segment.start))
        targets, segments = [], []
        for target, found in sorted(groups.items()):
            zeros = [(len(rows), 0, 0)] * (-len(found) % _UNROLLED)
            segments += found + zeros
            targets += [target] * (len(found + zeros) // _UNROLLED)
        return cls(*_columns(targets, 2), *_columns(segments, 3))


def _columns(rows: Sequence[tuple[int, ...]], n_columns: int) -> list[LongArray]:
    table = np.array(rows, dtype=np.int64).reshape(-1, n_columns)
    return [np.ascontiguousarray(column) for column in table.T]


@kernel
def gather(  # noqa: PLR0913, PLR0917
    row_offsets: IntArray,
    reach: int,
    plan: GatherPlan,
    rows: FloatingArray,
    block: Block,
    scores: FloatingArray,
) -> None:
    """Add to the scores of a block's cells the segments of the rows around them.

    Parameters
    ----------
    row_offsets : int32 array, shape (n_sources + 1, n_cells or more)
        Offset of each cell's row, beginning `reach` cells before the block. The
        last source has rows of zeros.
    reach : int
    plan : GatherPlan
    rows : float array
    block : Block
    scores : float array
    """
    # Unsigned indices let the compiler vectorize.
    start, flat = plan.start, row_offsets.reshape(-1)
    near = plan.source * row_offsets.shape[1] + plan.offset + reach - block.start
    for cell in range(block.start, block.stop):
        at = (cell - block.base) * block.width
        for n in range(len(plan.begin)):
            i = 4 * n
            a = np.uint64(flat[np.uint64(cell + near[i])] + start[i])
            b = np.uint64(flat[np.uint64(cell + near[i + 1])] + start[i + 1])
            c = np.uint64(flat[np.uint64(cell + near[i + 2])] + start[i + 2])
            d = np.uint64(flat[np.uint64(cell + near[i + 3])] + start[i + 3])
            to, length = np.uint64(at + plan.begin[n]), np.uint64(plan.length[n])
            for k in range(length):
                scores[to + k] += (rows[a + k] + rows[b + k]) + (rows[c + k] + rows[d + k])
