"""Values are found in a text as they are written, in one reading however many they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile

from multideid.redact.spelling import fold
from multideid.site.known_forms import SAME_WORDS

_ALPHANUMERIC = re.compile(r"[^\W_]+")
_CHUNK = re.compile(r"\S+")
_CUE = re.compile(r"\b(?:mrn?|id|no|nr|num|number|chart|file|folder|record|case)\b|#", re.I)
"""Words before a short number."""
_SEPARATOR = re.compile(r"[\s.:#]")
_MOST_SEPARATORS = 3

Places = Iterator[tuple[int, int]]


class Phrases:
    """Values as sequences of words, by their first words and numbers of words.

    Parameters
    ----------
    values : iterable of sequence of str
        As `phrase_word` returns them.
    """

    def __init__(self, values: Iterable[Sequence[str]]) -> None:
        self._by_first: dict[str, dict[int, set[tuple[str, ...]]]] = {}
        for words in map(tuple, values):
            self._by_first.setdefault(words[0], {}).setdefault(len(words), set()).add(words)

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def at(self, tokens: Sequence[re.Match[str]], n: int) -> Iterator[Sequence[re.Match[str]]]:
        """Yield the tokens of each value that begins with token `n`."""
        for length, values in self._by_first.get(phrase_word(tokens[n][0]), {}).items():
            run = tokens[n : n + length]
            if tuple(phrase_word(match[0]) for match in run) in values:
                yield run


@lru_cache(50_000)
def phrase_word(word: str) -> str:
    """Return a word as phrases compare it: without case and accents, ``street`` as ``st``."""
    folded = fold(word)
    folded = folded.removesuffix("asse") if folded.endswith("strasse") else folded
    return SAME_WORDS.get(folded, folded)


def after_cues(text: str, values: set[str]) -> Places:
    """Yield where values occur after a word such as "no.", up to three separators behind it."""
    lengths = {len(value) for value in values}
    for cue in _CUE.finditer(text) if values else ():
        start = cue.end()
        for separators in range(_MOST_SEPARATORS + 1):
            for end in (start + length for length in lengths):
                is_known = end <= len(text) and text[start:end] in values
                if is_known and not _ALPHANUMERIC.match(text, end):
                    yield start, end
            if separators == _MOST_SEPARATORS or not _SEPARATOR.match(text, start):
                break
            start += 1


def as_written(text: str, values: Iterable[str]) -> Places:
    """Yield where values occur as whole words, in their case, with any white space between them."""
    heads = _heads(values)
    chunks = list(_CHUNK.finditer(text)) if heads else []
    for n, chunk in enumerate(chunks):
        for token in _ALPHANUMERIC.finditer(text, *chunk.span()):
            for before, count in heads.get(token[0], {}):
                start = token.start() - len(before)
                if start >= chunk.start() and text.startswith(before, start):
                    lasts = heads[token[0]][before, count]
                    yield from _completed(text, start, chunks[n : n + count], lasts)


_Lasts = dict[tuple[str, ...], tuple[set[str], set[int]]]
"""The last chunks of values, and their lengths, by the chunks before."""


def _heads(values: Iterable[str]) -> dict[str, dict[tuple[str, int], _Lasts]]:
    """Return values by first word, what is before it, and number of chunks between white space."""
    heads: dict[str, dict[tuple[str, int], _Lasts]] = {}
    for value in values:
        # Marks that stand alone before the first word are not searched.
        chunks = [*dropwhile(lambda chunk: not _ALPHANUMERIC.search(chunk), value.split())]
        if not chunks:
            continue
        word = next(_ALPHANUMERIC.finditer(chunks[0]))
        shapes = heads.setdefault(word[0], {})
        lasts = shapes.setdefault((chunks[0][: word.start()], len(chunks)), {})
        known, lengths = lasts.setdefault(tuple(chunks[:-1]), (set(), set()))
        known.add(chunks[-1])
        lengths.add(len(chunks[-1]))
    return heads


def _completed(text: str, start: int, chunks: Sequence[re.Match[str]], lasts: _Lasts) -> Places:
    """Yield the values that begin at `start` and end in the last of the chunks."""
    if start and _ALPHANUMERIC.match(text, start - 1):
        return
    begins = [start, *(chunk.start() for chunk in chunks[1:])]
    head = tuple(text[b : c.end()] for b, c in zip(begins[:-1], chunks, strict=False))
    known, lengths = lasts.get(head, ((), ()))
    for length in lengths:
        end = begins[-1] + length
        is_known = end <= len(text) and text[begins[-1] : end] in known
        if is_known and not _ALPHANUMERIC.match(text, end):
            yield start, end
