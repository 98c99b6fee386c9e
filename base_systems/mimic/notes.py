"""Notes, and the patterns that are matched where they may begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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

    def finditer(self, rule: Rule) -> Iterable[re.Match[str]]:
        """Return the matches of a rule's pattern, as `re.finditer` would."""
        return self._batch.matches(rule).get(self._number, ())


class Batch:
    """Notes in which each rule's matches are found together.

    Parameters
    ----------
    table : TokenTable
    """

    def __init__(self, table: TokenTable) -> None:
        self.table = table
        self._words = Words(table)
        self._matches: dict[Rule, dict[int, list[re.Match[str]]]] = {}

    def notes(self) -> list[Note]:
        """Return the notes in order."""
        return [Note(self, number) for number in range(len(self.table.texts))]

    def matches(self, rule: Rule) -> dict[int, list[re.Match[str]]]:
        """Return the matches of a rule's pattern by the number of their note."""
        if rule not in self._matches:
            self._matches[rule] = self._match(rule)
        return self._matches[rule]

    def _match(self, rule: Rule) -> dict[int, list[re.Match[str]]]:
        found: dict[int, list[re.Match[str]]] = {}
        match, texts = rule.pattern.match, self.table.texts
        note, end = -1, 0
        for number, place in self._places_of(rule.anchor):
            if number != note:
                note, end = number, 0
            if place >= end:
                here = match(texts[number], place)
                if here:
                    found.setdefault(number, []).append(here)
                    end = here.end()
        return found

    def _places_of(self, anchor: Anchor) -> Iterator[tuple[int, int]]:
        """Yield note and character of the places where an anchor lets patterns begin."""
        places, base = anchor(self._words), self._words.base
        number = np.searchsorted(base, places, side="right") - 1
        return zip(number.tolist(), (places - base[number]).tolist(), strict=True)
