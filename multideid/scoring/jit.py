"""How inner loops are compiled.

A kernel calls only kernels of its own file: what is compiled is kept until that file changes,
whatever else does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_ANY_ORDER = {"reassoc", "contract", "nsz", "arcp"}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an inner loop, once for all runs where there is a place to keep it."""
    return _compiled(function, _SETTINGS)


def smooth_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an inner loop whose sums and products may be taken in any order."""
    return _compiled(function, {**_SETTINGS, "fastmath": _ANY_ORDER})


def _compiled(function: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Any]:
    try:
        compiled = njit(cache=True, **settings)(function)
    except RuntimeError:
        # Neither the package's folder nor the user's can be written to.
        compiled = njit(**settings)(function)
    result: Callable[..., Any] = compiled
    return result
