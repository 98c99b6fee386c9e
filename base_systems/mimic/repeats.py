"""Names found once, found wherever else they stand in the same document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
from multideid.base_systems.mimic.notes import Notes
from multideid.base_systems.mimic.patterns import GAP, INITIAL, NAME_WORD, PARTICLE
from multideid.base_systems.mimic.persons import name_words
from multideid.document import Span
from multideid.text.phrases import normalise
from multideid.text.tokenizer import split_pieces

_SHORTEST = 3
_WORD = re.compile(rf"(?<![\w'\u2019-]){NAME_WORD}(?!['\u2019-]\w\w)")
_SEQUENCE = re.compile(
    rf"(?<![\w'\u2019.-])(?:{INITIAL}[ \t]{{0,2}}|{NAME_WORD}{GAP}"
    rf"|{PARTICLE}{GAP}){{0,4}}{NAME_WORD}"
)


def find_repeats(notes: Notes, found: Sequence[Span], taken: bytearray) -> Iterator[Span]:
    """Find other mentions of the people in `found`, each in its own note.

    A name that is also an English word or a medical term is left alone, for
    "Foley" may be the patient and the catheter in one note.

    Parameters
    ----------
    notes : Notes
    found : sequence of Span
    taken : bytearray
        One byte a character, not 0 where a span stands.
    """
    known = _known_words(notes, found)
    places = _near_known(known, taken)(notes.words)
    for match in notes.matches(_SEQUENCE, places):
        yield from _mention(match, known[notes.words.note_of([match.start()])[0]])


def _near_known(known: Sequence[dict[str, str]], taken: bytearray) -> Anchor:
    """Anchor a pattern at the beginnings of names that hold a word known in their note.

    A mention is lost if any known word of it is taken.
    """

    def anchor(notes: Words) -> Places:
        seeds = np.union1d(_rows_of_known(known, notes), notes.rows(PARTED))
        seeds = seeds[np.frombuffer(taken, dtype=np.uint8)[notes.start[seeds]] == 0]
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
    types, place = np.unique(notes.columns.kind[capital], return_inverse=True)
    vocabulary = notes.columns.vocabulary
    numbers = [number.get(normalise(vocabulary[t]), len(number)) for t in types.tolist()]
    width = len(number) + 1
    keys = notes.columns.document[capital] * np.int64(width) + np.array(numbers, np.int64)[place]
    return capital[np.isin(keys, [document * width + n for document, n in pairs])]


def _known_words(notes: Notes, found: Sequence[Span]) -> list[dict[str, str]]:
    """Return the label of each word of the names in each note."""
    known: list[dict[str, str]] = [{} for _ in notes.words.base[1:]]
    people = [span for span in found if span.label in ("PATIENT", "DOCTOR")]
    numbers = notes.words.note_of([span.start for span in people]).tolist()
    for number, (start, end, label) in zip(numbers, people, strict=True):
        for word in name_words(notes.text[start:end]):
            if len(word) >= _SHORTEST and not is_common(word):
                plain = normalise(word)
                if plain not in NOT_NAMES:
                    known[number].setdefault(plain, label)
    return known


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
