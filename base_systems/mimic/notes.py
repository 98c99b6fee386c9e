"""Notes, and the patterns that are matched where they may begin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import Anchor, Words
from multideid.document import Span
from multideid.text.table import TokenTable

NOTE_END = "\x1f"
"""Parts the notes of a batch: neither word nor blank, and no pattern reads over it."""


class Rule:
    """A pattern and where it may begin.

    Parameters
    ----------
    anchor : Anchor
        Gives all places where the pattern can match, and as few others as it may.
    pattern : str
        Never matches nothing, and nothing that holds a `NOTE_END`.
    """

    def __init__(self, anchor: Anchor, pattern: str) -> None:
        self.anchor = anchor
        self.pattern = re.compile(pattern)


class Notes:
    """The notes of a batch, for the rules to look at as if they were one text.

    Parameters
    ----------
    table : TokenTable

    Attributes
    ----------
    text : str
        The notes with a `NOTE_END` between each two. The places of all
        matches and spans count its characters.
    words : Words
    """

    def __init__(self, table: TokenTable) -> None:
        self.text = NOTE_END.join(table.texts)
        self.words = Words(table, self.text)

    def finditer(self, rule: Rule) -> Iterator[re.Match[str]]:
        """Find the matches of a rule's pattern, as `re.finditer` would."""
        return self.matches(rule.pattern, rule.anchor(self.words))

    def matches(self, pattern: re.Pattern[str], places: IntegerArray) -> Iterator[re.Match[str]]:
        """Find the matches of a pattern that begin at some places, which are sorted."""
        match, text, end = pattern.match, self.text, 0
        for place in places.tolist():
            if place >= end:
                found = match(text, place)
                if found:
                    end = found.end()
                    yield found

    def split(self, spans: list[Span]) -> list[list[Span]]:
        """Part sorted spans by their notes, and count the characters of each note from 0."""
        bounds = self.words.note_of([span.start for span in spans])
        parts: list[list[Span]] = [[] for _ in self.words.base[1:]]
        base = self.words.base.tolist()
        for n, (start, end, label) in zip(bounds.tolist(), spans, strict=True):
            parts[n].append(Span(start - base[n], end - base[n], label))
        return parts
