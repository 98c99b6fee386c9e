"""Storage of the values of an extractor's views: each string once, sorted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from multideid.errors import ModelError
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import load_arrays, save_arrays
from multideid.persistence.strings import load_strings, save_strings

Vocabulary = dict[str, int]
"""The index of each value of a view, from 1."""


def save_values(folder: Path, name: str, vocabularies: Mapping[str, Vocabulary]) -> None:
    """Write the strings of all views into ``<name>-strings``, and their use into ``<name>-values``.

    Parameters
    ----------
    folder : Path
    name : str
    vocabularies : mapping of str to dict
        By view; each sorted.
    """
    strings = sorted(set().union(*vocabularies.values()))
    place = {string: n for n, string in enumerate(strings)}
    save_strings(folder, f"{name}-strings", strings)
    arrays = {
        f"values_{n}": np.array([place[value] for value in vocabularies[view]], dtype=np.int64)
        for n, view in enumerate(sorted(vocabularies))
    }
    save_arrays(folder, f"{name}-values", **arrays)


def load_values(folder: Path, name: str, views: Iterable[str]) -> dict[str, Vocabulary]:
    """Read what `save_values` wrote for the same views.

    Raises
    ------
    ModelError
        If a file is missing or damaged, or a string is there twice.
    """
    strings = load_strings(folder, f"{name}-strings")
    if len(set(strings)) < len(strings):
        raise ModelError(
            folder / f"{name}-strings.npz", "holds a string twice; train the model again"
        )
    names = sorted(views)
    rules = {f"values_{n}": _rule(n) for n in range(len(names))}
    used = load_arrays(folder, f"{name}-values", rules, n_strings=len(strings)).values()
    return {
        view: dict(
            zip(map(strings.__getitem__, rows.tolist()), range(1, len(rows) + 1), strict=True)
        )
        for view, rows in zip(names, used, strict=True)
    }


def _rule(number: int) -> ArrayRule:
    shape = (f"n_values_{number}",)
    return ArrayRule("int64", shape, low=0, below="n_strings", ascending=True)
