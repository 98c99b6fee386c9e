"""Typed aliases of numpy arrays, named for what numpy calls the element."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Element = TypeVar("Element", bound=np.generic)
ArrayOf = npt.NDArray[Element]
AnyArray = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]

ByteArray = npt.NDArray[np.int8]
ShortArray = npt.NDArray[np.int16]
IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
IntegerArray = npt.NDArray[np.integer]
"""Integers of any width."""

UByteArray = npt.NDArray[np.uint8]
UIntArray = npt.NDArray[np.uint32]
ULongArray = npt.NDArray[np.uint64]

FloatArray = npt.NDArray[np.float32]
DoubleArray = npt.NDArray[np.float64]
FloatingArray = npt.NDArray[np.floating]
"""Floats of any width."""
