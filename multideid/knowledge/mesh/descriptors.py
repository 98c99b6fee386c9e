"""MeSH descriptors and their validation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_UI = re.compile(r"D[0-9]{6,9}")
_TREE_NUMBER = re.compile(r"[A-Z][0-9]{2}(?:\.[0-9]{3})*")


class Descriptor(NamedTuple):
    """A heading of MeSH, or a part of it from one row of a table.

    Parameters
    ----------
    ui : str
        Unique identifier, such as ``D006333``.
    terms : tuple of str
        The name, followed by entry terms.
    tree_numbers : tuple of str
        Positions in the hierarchy, such as ``C14.280.434``.
    """

    ui: str
    terms: tuple[str, ...]
    tree_numbers: tuple[str, ...]

    @classmethod
    def of(cls, ui: str, terms: Iterable[str], tree_numbers: Iterable[str]) -> Descriptor:
        """Make a descriptor from parts, which may have white space around them.

        Raises
        ------
        ValueError
            If a part is invalid; the message says which.
        """
        names = tuple(dict.fromkeys(filter(None, map(str.strip, terms))))
        trees = tuple(dict.fromkeys(filter(None, map(str.strip, tree_numbers))))
        if not _UI.fullmatch(ui.strip()):
            raise ValueError("a descriptor's identifier is missing or is not like D006333")
        if not names:
            raise ValueError(f"descriptor {ui.strip()} has no name")
        if not all(map(_TREE_NUMBER.fullmatch, trees)):
            raise ValueError(f"descriptor {ui.strip()} has a tree number that is not like C14.280")
        return cls(ui.strip(), names, trees)
