"""Search for the entries of lists, and for patterns, in the documents of a token table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from multideid.site.entries import is_regex, regex_of
from multideid.site.phrases import PhraseIndex
from multideid.site.regexes import spans_of
from multideid.site.words import Words, folded_word, is_ordinary
from multideid.text.table import TokenTable

CONTEXT_WORDS = 5
"""Words on each side of a pattern's match that may be its context words."""


class Match(NamedTuple):
    """An occurrence of an entry.

    Parameters
    ----------
    start, end : int
        Half-open offsets into the document's text.
    value : str
        What the entry was listed with.
    """

    start: int
    end: int
    value: str


class ListSearch:
    """Finds the entries of lists.

    Parameters
    ----------
    entries : iterable of (str, str)
        Phrases and regular expressions, each with a value.
    careful : bool
        Whether an entry of one word that is an ordinary one, such as "will", matches
        only where the text has a capital.
    """

    def __init__(self, entries: Iterable[tuple[str, str]], *, careful: bool) -> None:
        listed = list(entries)
        self._regexes = [(regex_of(entry), value) for entry, value in listed if is_regex(entry)]
        self._phrases = PhraseIndex(pair for pair in listed if not is_regex(pair[0]))
        self._careful = careful

    def find(self, tokens: TokenTable) -> list[list[Match]]:
        """Return the matches in each document, sorted by start; they may overlap."""
        found: list[list[Match]] = [[] for _ in tokens.ids]
        if self._phrases:
            self._find_phrases(Words.of(tokens), found)
        for expression, value in self._regexes:
            for matches, text in zip(found, tokens.texts, strict=True):
                matches += [Match(start, end, value) for start, end in spans_of(expression, text)]
        for matches in found:
            matches.sort()
        return found

    def _find_phrases(self, words: Words, found: list[list[Match]]) -> None:
        for first, last, value in self._phrases.matches(words):
            if not (self._careful and first == last and _is_ordinary_use(words, first)):
                start, end = int(words.start[first]), int(words.end[last])
                found[words.document[first]].append(Match(start, end, value))


def _is_ordinary_use(words: Words, row: int) -> bool:
    """Return whether a word is an ordinary one in lower case."""
    text = words.texts[words.kind[row]]
    return text == text.lower() and is_ordinary(text)


class Pattern(NamedTuple):
    """A regular expression for PHI of a site, such as its ward names.

    Parameters
    ----------
    name : str
        Names the pattern in reports.
    label : str
    regex : str
        In the syntax of RE2.
    context : tuple of str
        Words of which at least one must be among the five before or after the match, in
        any case. Default: no context is required.
    score : float
        The score of its spans.

    Examples
    --------
    >>> Pattern("ward", "LOCATION", r"\\bWard [0-9]{1,2}[A-D]?\\b").score
    1.0
    """

    name: str
    label: str
    regex: str
    context: tuple[str, ...] = ()
    score: float = 1.0

    def find(self, tokens: TokenTable) -> Iterator[tuple[int, int, int]]:
        """Yield document, start and end of each match in its context."""
        context = frozenset(map(folded_word, self.context))
        for d, text in enumerate(tokens.texts):
            for start, end in spans_of(self.regex, text):
                if not context or context & _words_around(Words.of(tokens), d, start, end):
                    yield d, start, end


def pattern_of(values: Mapping[str, Any]) -> Pattern:
    """Return the pattern of a table of a file, in which the context is a list."""
    return Pattern(**{**values, "context": tuple(values.get("context", ()))})


def _words_around(words: Words, d: int, start: int, end: int) -> set[str]:
    """Return the folded words near a match; marks do not count."""
    low, high = int(words.first[d]), int(words.first[d + 1])
    before = low + int(np.searchsorted(words.end[low:high], start, side="right"))
    after = low + int(np.searchsorted(words.start[low:high], end, side="left"))
    left = [words.folded[k] for k in words.kind[max(low, before - _REACH) : before].tolist()]
    right = [words.folded[k] for k in words.kind[after : min(high, after + _REACH)].tolist()]
    kept = [[word for word in side if word[0].isalnum()] for side in (left[::-1], right)]
    return {word for side in kept for word in side[:CONTEXT_WORDS]}


_REACH = 4 * CONTEXT_WORDS  # Words and marks.
