"""Plain text tables with aligned columns."""

from __future__ import annotations

from collections.abc import Sequence

_GAP = "  "


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a table: the first column to the left, the others to the right.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequence of str
        Each as long as `header`.

    Examples
    --------
    >>> print(text_table(["label", "F1"], [["DATE", "0.99"], ["AGE", "1.00"]]))
    label    F1
    DATE   0.99
    AGE    1.00
    """
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(cells, widths) for cells in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    others = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return _GAP.join([first, *others]).rstrip()
