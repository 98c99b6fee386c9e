"""Write discharge summaries with gold PHI out of the project's own sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from string import Formatter
from typing import NamedTuple

from multideid.document import Document
from multideid.errors import UsageError
from template_notes.clinical import PHRASES
from template_notes.hipaa import HIPAA_FILLERS, HIPAA_LAYOUTS, HIPAA_SENTENCES
from template_notes.layouts import (
    HEADING_STYLES,
    LAYOUTS,
    LIST_STYLES,
    SECTIONS,
    SENTENCES_OF,
)
from template_notes.phi import FILLERS, Stay
from template_notes.pieces import Piece, assemble, wrap
from template_notes.templates import SENTENCES

_WRAPPED = 0.3
_WIDTHS = (68, 72, 78, 84)
_NUMBERS: Mapping[str, Callable[[Random, str, str], str]] = {
    "int": lambda random, low, high: str(random.randint(int(low), int(high))),
    "dec": lambda random, low, high: f"{random.uniform(float(low), float(high)):.1f}",
}


class _Kit(NamedTuple):
    """What documents are made of."""

    layouts: tuple[str, ...]
    sentences: Mapping[str, tuple[str, ...]]
    fillers: Mapping[str, Callable[[Stay], list[Piece]]]


_THESIS = _Kit(LAYOUTS, SENTENCES, FILLERS)
_HIPAA = _Kit(
    LAYOUTS + HIPAA_LAYOUTS,
    {name: texts + HIPAA_SENTENCES.get(name, ()) for name, texts in SENTENCES.items()},
    {**FILLERS, **HIPAA_FILLERS},
)


def sample_corpus(n_documents: int = 60, seed: int = 0, *, hipaa: bool = False) -> list[Document]:
    """Write invented English discharge summaries, letters and notes.

    Every person, hospital, number and date is made up; streets and some
    cities are too. The gold spans carry the eight PHI classes of the thesis:
    PATIENT, DOCTOR, HOSPITAL, LOCATION, DATE, ID, PHONE, AGE (90 and over).

    Parameters
    ----------
    n_documents : int
    seed : int
        The same seed gives the same documents, whatever their number.
    hipaa : bool, default False
        Whether to write the other identifiers of HIPAA too: EMAIL and URL
        (IP addresses too), and under ID the numbers of people, licences,
        health plans, vehicles and devices.

    Returns
    -------
    list of Document

    Raises
    ------
    UsageError
        If `n_documents` is negative.

    Examples
    --------
    >>> [document.id for document in sample_corpus(2)]
    ['sample-0001', 'sample-0002']
    """
    if n_documents < 0:
        raise UsageError(f"n_documents must not be negative, and is {n_documents}")
    kit = _HIPAA if hipaa else _THESIS
    return [_document(number, seed, kit) for number in range(1, n_documents + 1)]


def _document(number: int, seed: int, kit: _Kit) -> Document:
    random = Random(f"{seed}/{number}")
    writer = _Writer(Stay(random), kit)
    text, spans = assemble(_single_stops(writer.expand(random.choice(kit.layouts))))
    if random.random() < _WRAPPED:
        text = wrap(text, random.choice(_WIDTHS))
    return Document(f"sample-{number:04}", text, spans)


class _Writer:
    """Expands templates for one stay, in one style of headings and lists."""

    def __init__(self, stay: Stay, kit: _Kit = _THESIS) -> None:
        self.stay = stay
        self.kit = kit
        self.random = stay.random
        self.heading = self.random.choice(HEADING_STYLES)
        self.bullet = self.random.choice(LIST_STYLES)
        self.used: set[str] = set()

    def expand(self, template: str) -> Iterator[Piece]:
        """Give the pieces of a template, those of its braces expanded in turn."""
        for literal, name, spec, _ in Formatter().parse(template):
            if literal:
                yield Piece(literal)
            if name == "section":
                yield from self._section(spec or "", headed=True)
            elif name == "plain":
                yield from self._section(spec or "", headed=False)
            elif name is not None:
                pieces = self._fill(name, spec or "")
                yield from _capitalised(pieces) if spec == "cap" else pieces

    def _fill(self, name: str, spec: str) -> Iterator[Piece]:
        if name in _NUMBERS:
            low, high = spec.split("-")
            yield Piece(_NUMBERS[name](self.random, low, high))
        elif name in self.kit.fillers:
            yield from self.kit.fillers[name](self.stay)
        else:
            yield from self.expand(self.random.choice(PHRASES[name]))

    def _section(self, name: str, headed: bool) -> Iterator[Piece]:
        section = SECTIONS[name]
        heading = self.random.choice(section.headings)
        if headed and heading:
            yield Piece(self.heading(heading))
        chosen = self._choose(SENTENCES_OF.get(name, name), section.fewest, section.most)
        for number, template in enumerate(chosen, 1):
            if number > 1:
                yield Piece("\n" if section.listed else " ")
            if section.listed:
                yield Piece(self.bullet(number))
            yield from _capitalised(self.expand(template))

    def _choose(self, name: str, fewest: int, most: int) -> list[str]:
        """Choose sentences, fresh ones while a document has any left."""
        fresh = [s for s in self.kit.sentences[name] if s not in self.used]
        fresh = fresh or list(self.kit.sentences[name])
        count = min(self.random.randint(fewest, most), len(fresh))
        chosen = self.random.sample(fresh, count)
        self.used.update(chosen)
        return chosen


def _capitalised(pieces: Iterator[Piece]) -> Iterator[Piece]:
    for piece in pieces:
        yield Piece(piece.text[:1].upper() + piece.text[1:], piece.label)
        break
    yield from pieces


def _single_stops(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Drop the full stop of a sentence that ends in an abbreviation."""
    last = ""
    for text, label in pieces:
        kept = text[1:] if last == "." and text.startswith(".") else text
        if kept:
            yield Piece(kept, label)
            last = kept[-1]
