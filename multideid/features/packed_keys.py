"""Packing of the indices of several views' values into one integer, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import LongArray

if TYPE_CHECKING:
    from multideid.features.templates import Template

_WRAPS = 2**63


def factor_of(vocabulary: Sized) -> int:
    """Return the factor by which a key is multiplied before a view's index is added.

    Products wrap if many values are joined; odd factors keep them a good hash.
    """
    return (len(vocabulary) + 1) | 1


def used_values(
    templates: Sequence[Template], keys: Sequence[LongArray], vocabularies: Mapping[str, Sized]
) -> dict[str, LongArray]:
    """Return the indices of each view that keys are made of, and 0, sorted.

    Parameters
    ----------
    templates : sequence of Template
    keys : sequence of int64 arrays
        The packed values of each template.
    vocabularies : mapping of str to collection
        The values of each view.

    Returns
    -------
    dict of str to int64 array
        All indices of a view whose values are in products that wrap.
    """
    used = {name: [np.zeros(1, dtype=np.int64)] for name in vocabularies}
    for template, packed in zip(templates, keys, strict=True):
        parts = _unpacked(template, packed, vocabularies)
        for n, view in enumerate(template.views):
            everything = np.arange(len(vocabularies[view.name]) + 1)
            used[view.name].append(everything if parts is None else np.unique(parts[n]))
    return {name: np.unique(np.concatenate(values)) for name, values in used.items()}


def repacked(
    template: Template,
    keys: LongArray,
    vocabularies: Mapping[str, Sized],
    used: Mapping[str, LongArray],
) -> LongArray:
    """Return keys for vocabularies that are reduced to their used values.

    Parameters
    ----------
    template : Template
    keys : int64 array
        Packed values, sorted; the result is in the same order, and sorted too.
    vocabularies : mapping of str to collection
        The values of each view, not reduced.
    used : mapping of str to int64 array
        As `used_values` returns it.
    """
    parts = _unpacked(template, keys, vocabularies)
    if parts is None:
        return keys
    packed = np.zeros(len(keys), dtype=np.int64)
    for view, values in zip(template.views, parts, strict=True):
        kept = used[view.name]
        packed = packed * factor_of(kept[1:]) + np.searchsorted(kept, values)
    return packed


def _unpacked(
    template: Template, keys: LongArray, vocabularies: Mapping[str, Sized]
) -> list[LongArray] | None:
    """Return the indices of each part of packed values, None if the product wraps."""
    factors = [factor_of(vocabularies[view.name]) for view in template.views]
    if math.prod(factors) >= _WRAPS:
        return None
    parts = []
    for factor in factors[:0:-1]:
        keys, values = np.divmod(keys, factor)
        parts.append(values)
    return [keys, *reversed(parts)]
