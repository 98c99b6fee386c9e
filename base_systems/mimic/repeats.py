"""Names found once, found wherever else they stand in the same document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from multideid.base_systems.mimic.anchors import (
    CAPITAL,
    PARTED,
    PARTICLES,
    Anchor,
    Places,
    Rows,
    Words,
    inside_names,
)
from multideid.base_systems.mimic.lexicons import NOT_NAMES, is_common
from multideid.base_systems.mimic.notes import Batch, Rule
from multideid.base_systems.mimic.patterns import GAP, INITIAL, NAME_WORD, PARTICLE
from multideid.base_systems.mimic.persons import name_words
from multideid.document import Span
from multideid.text.phrases import normalise
from multideid.text.tokenizer import split_pieces

_SHORTEST = 3
_WORD = re.compile(rf"(?<![\w'\u2019-]){NAME_WORD}(?!['\u2019-]\w\w)")
_SEQUENCE = (
    rf"(?<![\w'\u2019.-])(?:{INITIAL}[ \t]{{0,2}}|{NAME_WORD}{GAP}"
    rf"|{PARTICLE}{GAP}){{0,4}}{NAME_WORD}"
)


def find_repeats(batch: Batch, found: Sequence[Iterable[Span]]) -> Iterator[Iterator[Span]]:
    """Find other mentions of the people in `found`, note by note.

    A name that is also an English word or a medical term is left alone, for
    "Foley" may be the patient and the catheter in one note.

    Parameters
    ----------
    batch : Batch
    found : sequence of iterables of Span
        What was found in each note.
    """
    notes = batch.notes()
    known = [_known_words(note.text, spans) for note, spans in zip(notes, found, strict=True)]
    rule = Rule(_near_known(known), _SEQUENCE)
    for note, words in zip(notes, known, strict=True):
        yield (span for match in note.finditer(rule) for span in _mention(match, words))


def _near_known(known: Sequence[dict[str, str]]) -> Anchor:
    """Anchor a pattern at the beginnings of names that hold a word known in their note."""

    def anchor(notes: Words) -> Places:
        seeds = np.union1d(_rows_of_known(known, notes), notes.rows(PARTED))
        inside = notes.together(inside_names(notes), seeds)
        return notes.starts(np.flatnonzero(inside & (notes.has(CAPITAL) | notes.has(PARTICLES))))

    return anchor


def _rows_of_known(known: Sequence[dict[str, str]], notes: Words) -> Rows:
    """Return the rows of the last pieces of words known in their own note."""
    number: dict[str, int] = {}
    pairs = [
        (document, number.setdefault(split_pieces(word)[-1], len(number)))
        for document, names in enumerate(known)
        for word in names
    ]
    capital = notes.rows(CAPITAL)
    types, place = np.unique(notes.table.written[capital], return_inverse=True)
    vocabulary = notes.table.vocabulary
    numbers = [number.get(normalise(vocabulary[t]), len(number)) for t in types.tolist()]
    width = len(number) + 1
    keys = notes.table.document[capital] * np.int64(width) + np.array(numbers, np.int64)[place]
    return capital[np.isin(keys, [document * width + n for document, n in pairs])]


def _known_words(text: str, found: Iterable[Span]) -> dict[str, str]:
    known: dict[str, str] = {}
    for span in found:
        if span.label in ("PATIENT", "DOCTOR"):
            for word in name_words(text[span.start : span.end]):
                if len(word) >= _SHORTEST and not is_common(word):
                    known.setdefault(normalise(word), span.label)
    return {word: label for word, label in known.items() if word not in NOT_NAMES}


def _mention(sequence: re.Match[str], known: dict[str, str]) -> Iterator[Span]:
    """Give the stretch from the first to the last known word, initials before it included."""
    words = list(_WORD.finditer(sequence.group()))
    hits = [word for word in words if normalise(word.group()) in known]
    if not hits:
        return
    base, first = sequence.start(), hits[0]
    before = re.search(rf"(?:{INITIAL}[ \t]{{0,2}}){{1,2}}\Z", sequence.group()[: first.start()])
    start = before.start() if before else first.start()
    yield Span(base + start, base + hits[-1].end(), known[normalise(hits[-1].group())])
