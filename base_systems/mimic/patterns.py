"""Rules, the notes that they search, and regular expressions that several rules share.

Every pattern takes linear time: repetitions are bounded, and a pattern that begins
with a repeated class is anchored where the class begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator

import numpy as np

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import Anchor, Words
from multideid.base_systems.mimic.plain_text import joined_places, plain_text
from multideid.document import Span
from multideid.lazy import lazy
from multideid.text.table import TokenTable

NOTE_END = "\x1f"
"""Separates the notes of a batch; it is not part of a word, nor of any match."""

_LATIN = (*range(0x250), *range(0x1E00, 0x1F00))
UPPER = "".join(letter for letter in map(chr, _LATIN) if letter.isupper())
"""The capitals of Latin script, with and without accents."""
LETTER = r"[^\W\d_]"
APOSTROPHE = "['\u2019]"

# O'Brien, D'Angelo, McDonald, Garcia-Lopez, SMITH; a possessive 's is excluded.
NAME_WORD = (
    rf"(?:(?:[DLO]|Mc|Mac){APOSTROPHE})?[{UPPER}]{LETTER}{{1,24}}"
    rf"(?:-(?:[DLO]{APOSTROPHE})?[{UPPER}]{LETTER}{{1,24}}){{0,3}}(?!{LETTER})"
)
INITIAL = rf"[{UPPER}](?:\.(?!\w)|(?=[ \t]))"
MONTH = (
    r"(?i:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)"
)
DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
LIKELY_YEAR = "(?:1[89]|2[01])[0-9]{2}"
GAP = r"[ \t]{1,3}"
WRAP = r"(?:[ \t]{0,3}(?:\r\n|\n|\r)[ \t]{0,3}|[ \t]{1,3})"
LINE_START = rf"(?<![^\n\r{NOTE_END}])"
# "1200 mL" and "100 units" are quantities, whatever precedes them.
NOT_QUANTITY = r"(?![ \t]?(?i:mg|mcg|ml|cc|cm|mm|g|kg|units?|cells?|calories|kcal|ng|ug|iu|hz)\b)"
END = rf"(?![^{NOTE_END}])"


class Rule:
    """A pattern and where it may begin.

    Parameters
    ----------
    anchor : Anchor
        Returns all places where the pattern can match, and few others.
    pattern : str
        Never matches an empty string, nor one that contains `NOTE_END`.
    """

    def __init__(self, anchor: Anchor, pattern: str) -> None:
        self.anchor = anchor
        self._source = pattern

    @lazy
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled on first use, as a note has places for few of them."""
        return re.compile(self._source)


class Notes:
    """The notes of a batch, joined to one text for the rules.

    Parameters
    ----------
    table : TokenTable

    Attributes
    ----------
    text : str
        The notes as `plain_text` gives them, separated by `NOTE_END`. Matches are offsets in it.
    words : Words
    base : int64 array, shape (n_documents + 1,)
        Offset of each note in the notes as they were given, joined in the same way.
    """

    def __init__(self, table: TokenTable) -> None:
        self.base = np.cumsum([0, *(len(text) + 1 for text in table.texts)])
        plain = list(map(plain_text, table.texts))
        self._places = joined_places(plain)
        texts = tuple(note.text for note in plain)
        if texts != table.texts:
            table = TokenTable.from_texts(texts)
        self.text = NOTE_END.join(texts)
        self.words = Words(table, self.text)

    def finditer(self, rule: Rule) -> Iterator[re.Match[str]]:
        """Find the matches of a rule's pattern, as `re.finditer` would."""
        places = rule.anchor(self.words)
        return self.matches(rule.pattern, places) if len(places) else iter(())

    def matches(self, pattern: re.Pattern[str], places: IntegerArray) -> Iterator[re.Match[str]]:
        """Find the matches of a pattern that begin at some sorted places."""
        match, text, end = pattern.match, self.text, 0
        for place in places.tolist():
            if place >= end:
                found = match(text, place)
                if found:
                    end = found.end()
                    yield found

    def as_given(self, spans: list[Span]) -> list[Span]:
        """Return spans of `text` with their offsets in the notes as they were given, joined."""
        if self._places is None or not spans:
            return spans
        starts, ends, labels = zip(*spans, strict=True)
        bounds = (self._places[list(places)].tolist() for places in (starts, ends))
        return list(map(Span, *bounds, labels))

    def split(self, spans: list[Span]) -> list[list[Span]]:
        """Group sorted spans, as given, by note, with offsets in that note."""
        bounds = np.searchsorted(self.base, [span.start for span in spans], side="right") - 1
        parts: list[list[Span]] = [[] for _ in self.base[1:]]
        base = self.base.tolist()
        for n, (start, end, label) in zip(bounds.tolist(), spans, strict=True):
            parts[n].append(Span(start - base[n], end - base[n], label))
        return parts


Finder = Callable[[Notes], Iterable[Span]]


def labelled(rule: Rule, label: str, notes: Notes, group: int | str = 0) -> Iterator[Span]:
    """Yield a group of every match as a span."""
    for match in notes.finditer(rule):
        if match.start(group) < match.end(group):
            yield Span(*match.span(group), label)


def capitals_before_end(text: str, small: Container[str]) -> int:
    """Return the start of the words at the end of a text that are capitalised or in `small`.

    The word before them is included, since a name may begin inside it.
    """
    text, end = text.replace("\t", " "), len(text)
    while end >= 0:
        start = text.rfind(" ", 0, end) + 1
        word = text[start:end]
        if word and not word[0].isupper() and word not in small:
            return start
        end = start - 1
    return 0


def resolve(candidates: Iterable[Span], taken: bytearray) -> Iterator[Span]:
    """Keep the candidates that overlap no earlier one.

    Parameters
    ----------
    candidates : iterable of Span
        In order of priority.
    taken : bytearray
        One byte per character, 1 inside spans; updated in place.

    Yields
    ------
    Span
        In the order given.
    """
    for span in candidates:
        start, end, _ = span
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            yield span
