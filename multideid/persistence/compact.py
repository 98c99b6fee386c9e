"""Compact forms of arrays: fewer bytes a value, and bytes that compress well; nothing is lost.

Whole numbers take as many bytes as the largest of them needs, rising numbers are stored
as differences, and floats that are small multiples of a power of two as whole numbers.
The bytes of equal weight stand together. The form is in the name of the member, such as
``indptr~int64+``; an array that gains nothing is stored as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from multideid.arrays import AnyArray, LongArray

_NAME = re.compile(
    r"(?P<name>[^~]+)~(?P<dtype>u?int(?:16|32|64)|float(?:32|64))"
    r"(?:(?P<rising>\+)|\*2\^(?P<exponent>-?[0-9]{1,4}))?"
)
_BYTES = 8
_DIGITS = 53  # Of a float64's significand.
_LARGEST = 2**62


class Form(NamedTuple):
    """How an array is stored.

    Parameters
    ----------
    dtype : str
        Of the array.
    rising : bool
        Whether each value is stored as the difference from the one before.
    exponent : int, optional
        Floats are stored as multiples of this power of two.
    """

    dtype: str
    rising: bool = False
    exponent: int | None = None

    def named(self, name: str) -> str:
        """Return the name of the member that holds the array `name` in this form."""
        scale = "" if self.exponent is None else f"*2^{self.exponent}"
        return f"{name}~{self.dtype}{'+' * self.rising}{scale}"


def compact(name: str, array: AnyArray) -> tuple[str, AnyArray]:
    """Return the name and the content of the member that is to store an array.

    Parameters
    ----------
    name : str
        Without ``~``.
    array : array

    Returns
    -------
    str, array
        The content is the array itself, or bytes, shape ``(n_bytes, *array.shape)``,
        from the lowest byte on: int8 if values are signed, uint8 if not.
    """
    if "~" in name:
        raise ValueError(f"array names have no '~', which {name!r} has")
    found = _as_whole_numbers(array)
    if found is None:
        return name, array
    form, numbers = found
    stored = _bytes_of(numbers)
    if len(stored) >= array.itemsize or not _same(_restored(form, stored), array):
        return name, array
    return form.named(name), stored


def restore(member: str, stored: AnyArray) -> AnyArray:
    """Return the array of a member that `compact` made.

    The array takes at most eight times the bytes of `stored`. Its values are not
    checked; they may be anything that its dtype can hold.

    Raises
    ------
    ValueError
        If the member is not of `compact`.
    """
    if "~" not in member:
        return stored
    match = _NAME.fullmatch(member)
    if not match:
        raise ValueError("unknown form")
    is_bytes = stored.dtype in {np.dtype(np.int8), np.dtype(np.uint8)}
    if not is_bytes or stored.ndim < 2 or not 1 <= len(stored) <= _BYTES:
        raise ValueError("not the bytes of an array")
    exponent = None if match["exponent"] is None else int(match["exponent"])
    form = Form(match["dtype"], bool(match["rising"]), exponent)
    if form.dtype.startswith("float") == (exponent is None):
        raise ValueError("a form of another type")
    return _restored(form, stored)


def _as_whole_numbers(array: AnyArray) -> tuple[Form, LongArray] | None:
    """Return a form of an array, and its whole numbers in that form, if it has one."""
    dtype = array.dtype
    if not array.size or not array.ndim or not dtype.isnative or dtype.itemsize == 1:
        return None
    if dtype.kind in "iu" and array.min() >= -_LARGEST and array.max() <= _LARGEST:
        numbers = np.ascontiguousarray(array, dtype=np.int64)
        if _is_rising(numbers):
            return Form(dtype.name, rising=True), np.diff(numbers, prepend=0)
        return Form(dtype.name), numbers
    if dtype in {np.dtype(np.float32), np.dtype(np.float64)}:
        return _as_multiples(array)
    return None


def _is_rising(numbers: LongArray) -> bool:
    return numbers.ndim == 1 and numbers[0] >= 0 and bool((numbers[1:] >= numbers[:-1]).all())


def _as_multiples(array: AnyArray) -> tuple[Form, LongArray] | None:
    """Return floats as multiples of the largest power of two that divides all of them."""
    values = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(values).all():
        return None
    fractions, exponents = np.frexp(values[values != 0])
    if not len(fractions):
        return Form(array.dtype.name, exponent=0), np.zeros(array.shape, dtype=np.int64)
    digits = np.ldexp(fractions, _DIGITS).astype(np.int64)
    zeros = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    exponent = int((exponents + zeros).min()) - _DIGITS
    if int(exponents.max()) - exponent > 8 * array.itemsize - 1:
        return None
    numbers = np.ldexp(values, -exponent)
    return Form(array.dtype.name, exponent=exponent), numbers.astype(np.int64)


def _bytes_of(numbers: LongArray) -> AnyArray:
    """Return the bytes that the numbers need, those of equal weight together."""
    low, high = int(numbers.min()), int(numbers.max())
    is_signed = low < 0
    bits = max(high.bit_length(), (-low - 1).bit_length() if is_signed else 0) + is_signed
    n_bytes = max(1, -(-bits // 8))
    parts = numbers.astype("<i8").view(np.uint8).reshape(*numbers.shape, _BYTES)
    planes = np.ascontiguousarray(np.moveaxis(parts, -1, 0)[:n_bytes])
    return planes.view(np.int8) if is_signed else planes


def _restored(form: Form, stored: AnyArray) -> AnyArray:
    dtype = np.dtype(form.dtype)
    # Whatever the bytes are, the result is some array of this type, to be checked by rules.
    with np.errstate(all="ignore"):
        if form.rising:
            return np.cumsum(_numbers(stored, np.dtype(np.int64))).astype(dtype)
        if form.exponent is None:
            return _numbers(stored, dtype)
        return _multiples(stored, dtype, form.exponent)


def _multiples(stored: AnyArray, dtype: npt.DTypeLike, exponent: int) -> AnyArray:
    """Return floats; those of one byte are looked up, which is fastest."""
    if len(stored) > 1:
        numbers = _numbers(stored, np.dtype(np.int64)).astype(np.float64)
        return np.asarray(np.ldexp(numbers, exponent).astype(dtype))
    every = np.arange(256, dtype=np.uint8).view(stored.dtype).astype(np.float64)
    values = np.ldexp(every, exponent).astype(dtype)
    return np.asarray(values[stored[0].view(np.uint8)])


def _numbers(stored: AnyArray, dtype: npt.DTypeLike) -> AnyArray:
    """Return the whole numbers of bytes; the highest bytes have the sign."""
    if len(stored) == 1:
        return np.asarray(stored[0].astype(dtype))
    numbers = stored[-1].astype(np.int64)
    for lower in stored[-2::-1]:
        numbers = (numbers << 8) | lower.view(np.uint8)
    return np.asarray(numbers.astype(dtype))


def _same(one: AnyArray, other: AnyArray) -> bool:
    """Return whether two arrays have the same bytes; 0 and -0 differ."""
    return one.tobytes() == np.ascontiguousarray(other).tobytes()
