"""Read arrays in NumPy's file format; its own reader takes longest over their headers."""

from __future__ import annotations

import re
from math import prod

import numpy as np

from multideid.arrays import AnyArray

_START = b"\x93NUMPY\x01\x00"
_BEGIN = len(_START) + 2
# What numpy writes for numbers, booleans and texts: no objects, and no records.
_HEADER = re.compile(
    rb"\{'descr': '([<>|][biufcU][1-9][0-9]{0,8})', 'fortran_order': (False|True), "
    rb"'shape': \(((?:[0-9]{1,18}, )*(?:[0-9]{1,18},?)?)\), \} *\n"
)


def parse_array(content: bytes) -> AnyArray:
    """Return the array of a ``.npy`` file of format 1.0, which holds nothing else.

    Parameters
    ----------
    content : bytes
        The whole file.

    Returns
    -------
    array
        A view of the bytes, which cannot be written to.

    Raises
    ------
    ValueError
        If it is no such file, or has more or fewer bytes than its header says.
    """
    begin = _BEGIN + int.from_bytes(content[len(_START) : _BEGIN], "little")
    header = _HEADER.fullmatch(content, _BEGIN, begin)
    if not header or not content.startswith(_START):
        raise ValueError("no array in NumPy's format")
    dtype = np.dtype(header[1].decode("ascii"))
    shape = tuple(int(size) for size in header[3].split(b",") if size.strip())
    if len(content) - begin != prod(shape) * dtype.itemsize:
        raise ValueError("the header and the bytes disagree")
    by_columns = header[2] == b"True"
    return np.ndarray(shape, dtype, content, begin, order="F" if by_columns else "C")
