"""Plain text tables with aligned columns."""

from __future__ import annotations

from collections.abc import Sequence

_GAP = "  "
_WIDTH = 100


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Lay out a table: the first columns to the left, the others to the right.

    A table of more than 100 characters in width goes on below, in parts of much
    the same width, with the first columns again.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequence of str
        Each as long as `header`.
    left : int
        Number of first columns.

    Examples
    --------
    >>> print(text_table(["label", "F1"], [["DATE", "0.99"], ["AGE", "1.00"]]))
    label    F1
    DATE   0.99
    AGE    1.00
    """
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    parts = []
    for columns in _columns_by_part(widths, left):
        chosen = [*range(left), *columns]
        parts.append("\n".join(_line(cells, widths, chosen, left) for cells in lines))
    return "\n\n".join(parts)


def _columns_by_part(widths: Sequence[int], left: int) -> list[list[int]]:
    """Share out the columns after the first ones: in few parts, as even as can be."""
    fewest = len(_filled(widths, left, _WIDTH))
    tries = (_filled(widths, left, most) for most in range(_WIDTH))
    return next((parts for parts in tries if len(parts) == fewest), _filled(widths, left, _WIDTH))


def _filled(widths: Sequence[int], left: int, most: int) -> list[list[int]]:
    taken = first = sum(widths[:left]) + len(_GAP) * (left - 1)
    parts: list[list[int]] = [[]]
    for column in range(left, len(widths)):
        wanted = len(_GAP) + widths[column]
        if parts[-1] and taken + wanted > most:
            parts.append([])
            taken = first
        parts[-1].append(column)
        taken += wanted
    return parts


def _line(cells: Sequence[str], widths: Sequence[int], chosen: Sequence[int], left: int) -> str:
    padded = [cells[n].ljust(widths[n]) if n < left else cells[n].rjust(widths[n]) for n in chosen]
    return _GAP.join(padded).rstrip()
