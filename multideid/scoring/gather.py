"""The inner loop that sums, for each cell, the rows of what stands around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.scoring.jit import kernel
from multideid.scoring.row_arena import Piece
from multideid.scoring.scatter_add import Block

_AT_ONCE = 4
_LANES = 8


class Plan(NamedTuple):
    """Which pieces of which rows each cell gains, four at once.

    What takes time is to find a piece and to fetch and store the scores it is
    added to, more than adding, so that four are added to the same scores.

    Parameters
    ----------
    begin, length : int64 arrays, shape (n_fours,)
        Which scores of a cell gain.
    source, offset, position : int64 arrays, shape (4 * n_fours,)
        Whose row it is, how far to the right, and where in the row the piece begins.
    """

    begin: LongArray
    length: LongArray
    source: LongArray
    offset: LongArray
    position: LongArray

    @classmethod
    def of(cls, rows: Sequence[Sequence[Piece]]) -> Self:
        """Plan for sources with rows of such pieces; the source after them has none."""
        groups: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for source, row in enumerate(rows):
            for piece in row:
                found = groups.setdefault((piece.begin, piece.length), [])
                found.append((source, piece.offset, piece.position))
        gains, pieces = [], []
        for gain, found in sorted(groups.items()):
            nothing = [(len(rows), 0, 0)] * (-len(found) % _AT_ONCE)
            pieces += found + nothing
            gains += [gain] * (len(found + nothing) // _AT_ONCE)
        return cls(*_columns(gains, 2), *_columns(pieces, 3))


def _columns(rows: Sequence[tuple[int, ...]], n_columns: int) -> list[LongArray]:
    table = np.array(rows, dtype=np.int64).reshape(-1, n_columns)
    return [np.ascontiguousarray(column) for column in table.T]


def _type_add_lanes(  # noqa: PLR0913, PLR0917
    context: Any, scores: Any, to: Any, pool: Any, a: Any, b: Any, c: Any, d: Any
) -> tuple[Any, Callable[..., Any]]:
    if not scores.dtype == pool.dtype or {scores.layout, pool.layout} != {"C"}:
        raise TypeError("scores and pool must be of one type, and one number behind the other")
    return types.void(scores, to, pool, a, b, c, d), _generate_add_lanes


def _generate_add_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    scores, to, pool, *rows = arguments
    lanes = ir.VectorType(context.get_value_type(signature.args[0].dtype), _LANES)

    def at(array: Any, kind: Any, index: Any) -> Any:
        data = context.make_array(kind)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [index]), lanes.as_pointer())

    def loaded(place: Any) -> Any:
        # They begin anywhere.
        return builder.load(place, align=1)

    there = at(scores, signature.args[0], to)
    a, b, c, d = (loaded(at(pool, signature.args[2], row)) for row in rows)
    gained = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
    builder.store(builder.fadd(loaded(there), gained), there, align=1)
    return context.get_dummy_value()


# Adds eight scores of each of four places in the pool to eight others: of loops as short
# as a piece the compiler makes no vectors by itself.
_add_lanes: Any = intrinsic(_type_add_lanes)


@kernel
def gather(  # noqa: PLR0913, PLR0917
    places: IntArray,
    reach: int,
    plan: Plan,
    pool: FloatingArray,
    block: Block,
    scores: FloatingArray,
) -> None:
    """Add to the scores of a block's cells the pieces of the rows around them.

    Parameters
    ----------
    places : int32 array, shape (n_sources + 1, n_cells or more)
        Where in the pool the row of each cell begins, from so many cells
        before the block's first on; of the last source, that of nothing.
    reach : int
        How many.
    plan : Plan
    pool : float array
    block : Block
    scores : float array
    """
    # Indices that cannot be negative let the compiler use vectors.
    position, flat = plan.position, places.reshape(-1)
    beside = plan.source * places.shape[1] + plan.offset + reach - block.start
    for cell in range(block.start, block.stop):
        at = (cell - block.base) * block.width
        for n in range(len(plan.begin)):
            i = 4 * n
            a = np.uint64(flat[np.uint64(cell + beside[i])] + position[i])
            b = np.uint64(flat[np.uint64(cell + beside[i + 1])] + position[i + 1])
            c = np.uint64(flat[np.uint64(cell + beside[i + 2])] + position[i + 2])
            d = np.uint64(flat[np.uint64(cell + beside[i + 3])] + position[i + 3])
            to, k, length = np.uint64(at + plan.begin[n]), np.uint64(0), np.uint64(plan.length[n])
            while k + np.uint64(_LANES) <= length:
                _add_lanes(scores, to + k, pool, a + k, b + k, c + k, d + k)
                k += np.uint64(_LANES)
            while k < length:
                scores[to + k] += pool[a + k] + pool[b + k] + pool[c + k] + pool[d + k]
                k += np.uint64(1)


@kernel
def to_places(rows: IntArray, first: int, length: int) -> None:
    """Replace the numbers of rows that stand one after another by their places.

    Parameters
    ----------
    rows : int32 array
        A negative one becomes the place of nothing, 0.
    first, length : int
        Place of the first row, and length of each.
    """
    for n in range(len(rows)):
        rows[n] = first + length * rows[n] if rows[n] >= 0 else 0
