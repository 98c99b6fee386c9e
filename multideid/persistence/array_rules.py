"""Rules for the arrays of a model file, checked before any code indexes with their values.

A model may come from anywhere, and compiled loops do not check bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from multideid.arrays import AnyArray
from multideid.errors import ModelError

LARGEST = 1e9
"""No trained weight comes near it, and no sum of smaller ones overflows a float32."""

Size = int | str
"""A size, or the name of one."""


@dataclass(frozen=True, slots=True)
class ArrayRule:
    """Requirements on an array of a model file.

    Floats must be finite, and not above `LARGEST` in absolute value.

    Parameters
    ----------
    dtype : str
        Name of the dtype, or several separated by spaces; ``"str"`` for texts.
    shape : tuple of int or str
        Sizes, or names of sizes. A name without a size gets that of the first array
        that uses it; all others must agree.
    low : float, optional
        The least value.
    below : int or str, optional
        A size, or the name of one, that all values are below.
    ascending : bool
        Whether each value of the only dimension must be above the one before.

    Examples
    --------
    >>> RULES = {
    ...     "label": ArrayRule("int32", ("n_leaves",), low=0, below="n_labels"),
    ...     "value": ArrayRule("float64", ("n_leaves",)),
    ... }
    >>> arrays = load_arrays(folder, "leaves", RULES, n_labels=9)  # doctest: +SKIP
    """

    dtype: str
    shape: tuple[Size, ...]
    low: float | None = None
    below: Size | None = None
    ascending: bool = False


CSR_RULES: Mapping[str, ArrayRule] = {
    "data": ArrayRule("float32 float64", ("n_stored",)),
    "indices": ArrayRule("int32", ("n_stored",), low=0, below="n_columns"),
    "indptr": ArrayRule("int64", ("n_bounds",), low=0),
}
"""The arrays of a CSR matrix; `n_bounds` is one more than the number of rows."""


def check_arrays(
    path: Path,
    arrays: Mapping[str, AnyArray],
    rules: Mapping[str, ArrayRule],
    sizes: Mapping[str, int],
) -> None:
    """Check arrays against their rules.

    Parameters
    ----------
    path : Path
        The file, for errors.
    arrays : mapping of str to array
    rules : mapping of str to ArrayRule
        Of the arrays that there must be.
    sizes : mapping of str to int
        Sizes known from elsewhere.

    Raises
    ------
    ModelError
        If an array breaks a rule; the message names both.
    """
    missing = [name for name in rules if name not in arrays]
    if missing:
        raise ModelError(path, f"lacks the array {missing[0]!r}; it is another kind of file")
    known = dict(sizes)
    # All shapes come first, since they give the sizes that values must be below.
    for check in (_problem_of_form, _problem_of_values):
        for name, rule in rules.items():
            problem = check(arrays[name], rule, known)
            if problem:
                raise ModelError(path, f"array {name!r} {problem}; train the model again")


def _problem_of_form(array: AnyArray, rule: ArrayRule, sizes: dict[str, int]) -> str | None:
    if not _has_dtype(array, rule):
        return f"has the type {array.dtype} instead of {rule.dtype.replace(' ', ' or ')}"
    expected = _expected_shape(array, rule, sizes)
    if array.shape != expected:
        return f"has the shape {array.shape} instead of {expected}"
    return None


def _has_dtype(array: AnyArray, rule: ArrayRule) -> bool:
    if rule.dtype == "str":
        return array.dtype.kind == "U"
    # Kernels are compiled for the machine's own byte order.
    return any(array.dtype == np.dtype(name) for name in rule.dtype.split())


def _expected_shape(
    array: AnyArray, rule: ArrayRule, sizes: dict[str, int]
) -> tuple[int | str, ...]:
    """Return the shape of a rule, with the sizes that this array is the first to give."""
    if array.ndim != len(rule.shape):
        return rule.shape
    for name, length in zip(rule.shape, array.shape, strict=True):
        if isinstance(name, str):
            sizes.setdefault(name, length)
    return tuple(sizes[name] if isinstance(name, str) else name for name in rule.shape)


def _problem_of_values(array: AnyArray, rule: ArrayRule, sizes: dict[str, int]) -> str | None:
    if not array.size:
        return None
    return _not_of_its_type(array) or _out_of_range(array, rule, sizes)


def _not_of_its_type(array: AnyArray) -> str | None:
    # A comparison with an array of float16 would round the bound to infinity, with a warning.
    if array.dtype.kind == "f" and not float(np.abs(array).max()) <= LARGEST:
        return "has values that are not finite, or too large"
    if array.dtype == np.bool_ and array.view(np.uint8).max() > 1:
        return "has values that are neither true nor false"
    return None


def _out_of_range(array: AnyArray, rule: ArrayRule, sizes: Mapping[str, int]) -> str | None:
    if rule.low is not None and array.min() < rule.low:
        return f"has values below {rule.low:g}"
    below = sizes[rule.below] if isinstance(rule.below, str) else rule.below
    if below is not None and array.max() >= below:
        return f"has values that are not below {below}"
    if rule.ascending and not (array[1:] > array[:-1]).all():
        return "is not sorted, or has equal values"
    return None


def check_order(path: Path, name: str, holds: Any) -> None:
    """Raise ModelError unless a condition that no rule can express holds for an array.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        The array.
    holds : bool or bool array
    """
    if not np.all(holds):
        raise ModelError(path, f"array {name!r} has values that disagree with the others")
