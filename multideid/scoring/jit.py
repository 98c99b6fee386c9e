"""Compilation of inner loops by numba.

Kernels only call kernels of their own file: numba invalidates its cache when that file
changes, but not when another one does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_ANY_ORDER = {"reassoc", "contract", "nsz", "arcp"}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an inner loop, and cache it on disk if possible."""
    return _compiled(function, _SETTINGS)


def smooth_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an inner loop in which sums and products may be reordered."""
    return _compiled(function, {**_SETTINGS, "fastmath": _ANY_ORDER})


def _compiled(function: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Any]:
    try:
        compiled = njit(cache=True, **settings)(function)
    except RuntimeError:
        # Neither the package folder nor the user's cache is writable.
        compiled = njit(**settings)(function)
    result: Callable[..., Any] = compiled
    return result
