"""Other mentions of names that were found once in a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat

import numpy as np

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import (
    CAPITAL,
    INSIDE_NAMES,
    PARTICLES,
    SPLIT,
    Anchor,
    Words,
    merged,
)
from multideid.base_systems.mimic.lexicons import MOST_KEPT, NOT_NAMES, is_common
from multideid.base_systems.mimic.patterns import GAP, INITIAL, NAME_WORD, Notes
from multideid.base_systems.mimic.persons import name_words
from multideid.base_systems.mimic.vocabulary import members
from multideid.document import Span
from multideid.text.phrases import normalise
from multideid.text.tokenizer import split_pieces

_SHORTEST = 3
_WORD = re.compile(rf"(?<![\w'\u2019-]){NAME_WORD}(?!['\u2019-]\w\w)")
_SEQUENCE = re.compile(
    rf"(?<![\w'\u2019.-])(?:{INITIAL}[ \t]{{0,2}}|{NAME_WORD}{GAP}"
    rf"|{PARTICLES}{GAP}){{0,4}}{NAME_WORD}"
)


def find_repeats(notes: Notes, found: Sequence[Span], taken: bytearray) -> Iterator[Span]:
    """Find other mentions of the people in `found`, each in its own note.

    Names that are also English words or medical terms are skipped, since "Foley" may be
    both the patient and the catheter of a note.

    Parameters
    ----------
    notes : Notes
    found : sequence of Span
    taken : bytearray
        One byte per character, 1 inside spans.
    """
    known = _known_words(notes, found)
    places = _near_known(known, taken)(notes.words)
    for match in notes.matches(_SEQUENCE, places):
        yield from _mention(match, known[notes.words.note_of([match.start()])[0]])


def _near_known(known: Sequence[dict[str, str]], taken: bytearray) -> Anchor:
    """Anchor a pattern at the beginnings of names that contain a known word of their note.

    A mention with a known word that is taken is skipped.
    """

    def anchor(notes: Words) -> IntegerArray:
        seeds = merged(_rows_of_known(known, notes), notes.rows(SPLIT))
        seeds = seeds[np.frombuffer(taken, dtype=np.uint8)[notes.start[seeds]] == 0]
        inside = notes.together(INSIDE_NAMES, seeds)
        return notes.starts(inside[(notes.has(CAPITAL) | notes.has(PARTICLES))[inside]])

    return anchor


def _rows_of_known(known: Sequence[dict[str, str]], notes: Words) -> IntegerArray:
    """Return the rows of the last pieces of the known words of each note."""
    number: dict[str, int] = {}
    pairs = [
        (document, number.setdefault(_last_piece(word), len(number)))
        for document, names in enumerate(known)
        for word in names
    ]
    columns, unknown = notes.columns, len(number)
    of_kind = np.full(len(columns.vocabulary), unknown)
    kinds = np.flatnonzero(members(CAPITAL)[columns.combination])
    plain = map(_plain, map(columns.vocabulary.__getitem__, kinds.tolist()))
    of_kind[kinds] = list(map(number.get, plain, repeat(unknown)))
    rows = np.flatnonzero((of_kind < unknown)[columns.kind])
    keys = notes.note_of(notes.start[rows]) * unknown + of_kind[columns.kind[rows]]
    return rows[np.isin(keys, [document * unknown + n for document, n in pairs])]


_plain = lru_cache(MOST_KEPT)(normalise)


def _last_piece(word: str) -> str:
    return word if word.isalpha() else split_pieces(word)[-1]


def _known_words(notes: Notes, found: Sequence[Span]) -> list[dict[str, str]]:
    """Return the label of each word of the names in each note."""
    known: list[dict[str, str]] = [{} for _ in notes.words.base[1:]]
    people = [span for span in found if span.label in ("PATIENT", "DOCTOR")]
    numbers = notes.words.note_of([span.start for span in people]).tolist()
    for number, (start, end, label) in zip(numbers, people, strict=True):
        for word in _telling_words(notes.text[start:end]):
            known[number].setdefault(word, label)
    return known


@lru_cache(MOST_KEPT)
def _telling_words(name: str) -> tuple[str, ...]:
    """Return the unambiguous words of a name."""
    words = [word for word in name_words(name) if len(word) >= _SHORTEST and not is_common(word)]
    return tuple([word for word in map(normalise, words) if word not in NOT_NAMES])


def _mention(sequence: re.Match[str], known: dict[str, str]) -> Iterator[Span]:
    """Yield the span from the first to the last known word, with the initials before it."""
    words = list(_WORD.finditer(sequence.group()))
    hits = [word for word in words if normalise(word.group()) in known]
    if not hits:
        return
    base, first = sequence.start(), hits[0]
    before = re.search(rf"(?:{INITIAL}[ \t]{{0,2}}){{1,2}}\Z", sequence.group()[: first.start()])
    start = before.start() if before else first.start()
    yield Span(base + start, base + hits[-1].end(), known[normalise(hits[-1].group())])
