"""Notes, and the patterns that are matched where they may begin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from multideid.base_systems.mimic.anchors import Anchor, Words
from multideid.text.table import TokenTable


class Rule:
    """A pattern and where it may begin.

    Parameters
    ----------
    anchor : Anchor
        Gives all places where the pattern can match, and as few others as it may.
    pattern : str
        Never matches nothing.
    """

    def __init__(self, anchor: Anchor, pattern: str) -> None:
        self.anchor = anchor
        self.pattern = re.compile(pattern)


class Note:
    """One note of a batch, for the rules to look at.

    Attributes
    ----------
    text : str
    """

    def __init__(self, batch: Batch, number: int) -> None:
        self.text = batch.table.texts[number]
        self._batch = batch
        self._number = number

    def finditer(self, rule: Rule) -> Iterator[re.Match[str]]:
        """Yield the matches of a rule's pattern, as `re.finditer` would."""
        match, text, end = rule.pattern.match, self.text, 0
        for place in self._batch.places(rule.anchor, self._number):
            if place >= end:
                found = match(text, place)
                if found:
                    yield found
                    end = found.end()


class _Places(NamedTuple):
    """Places in all notes of a batch: characters of each note, and where each's begin."""

    characters: list[int]
    bounds: list[int]


class Batch:
    """Notes whose anchors are found together.

    Parameters
    ----------
    table : TokenTable
    """

    def __init__(self, table: TokenTable) -> None:
        self.table = table
        self.words = Words(table)
        self._places: dict[Anchor, _Places] = {}

    def notes(self) -> list[Note]:
        """Return the notes in order."""
        return [Note(self, number) for number in range(len(self.table.texts))]

    def places(self, anchor: Anchor, number: int) -> list[int]:
        """Return the characters of a note where an anchor lets patterns begin, sorted."""
        found = self._places.get(anchor)
        if found is None:
            found = self._places[anchor] = self._find(anchor)
        return found.characters[found.bounds[number] : found.bounds[number + 1]]

    def _find(self, anchor: Anchor) -> _Places:
        places = anchor(self.words)
        bounds = np.searchsorted(places, self.words.base)
        local = places - np.repeat(self.words.base[:-1], np.diff(bounds))
        return _Places(local.tolist(), bounds.tolist())
