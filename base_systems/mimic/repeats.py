"""Names found once, found wherever else they stand in the same document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from multideid.base_systems.mimic.lexicons import NOT_NAMES, is_common
from multideid.base_systems.mimic.patterns import GAP, INITIAL, NAME_WORD, PARTICLE
from multideid.base_systems.mimic.persons import name_words
from multideid.document import Span
from multideid.text.phrases import normalise

_SHORTEST = 3
_WORD = re.compile(rf"(?<![\w'\u2019-]){NAME_WORD}(?!['\u2019-]\w\w)")
_SEQUENCE = re.compile(
    rf"(?<![\w'\u2019.-])(?:{INITIAL}[ \t]{{0,2}}|{NAME_WORD}{GAP}"
    rf"|{PARTICLE}{GAP}){{0,4}}{NAME_WORD}"
)


def find_repeats(text: str, found: Iterable[Span]) -> Iterator[Span]:
    """Find other mentions of the people in `found`.

    A name that is also an English word or a medical term is left alone, for
    "Foley" may be the patient and the catheter in one note.
    """
    known = _known_words(text, found)
    if not known:
        return
    for match in _SEQUENCE.finditer(text):
        yield from _mention(match, known)


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
