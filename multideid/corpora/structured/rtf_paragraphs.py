"""Paragraphs of RTF: the values that the body, headers, notes and properties give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from multideid.corpora.identifier_names import value_label
from multideid.corpora.structure import Value, is_title, may_repeat
from multideid.corpora.structured.rtf_words import PROPERTIES, WRITTEN
from multideid.corpora.structured.slots import Slot
from multideid.document import Span

MEANING = re.compile(r"[^\W_]")
"""A letter or digit; a paragraph without one holds nothing to be read."""

_DATA = re.compile(r"[0-9a-fA-F\s]{8,}|[0-9.\-]+")
_ADDRESS = re.compile('["@]')


@dataclass
class _Paragraph:
    """A paragraph of a destination, as far as it was read."""

    destination: str
    pieces: list[Slot | str] = field(default_factory=list, repr=False)


class Paragraphs:
    """The paragraph that is read, with those of the destinations around it."""

    def __init__(self) -> None:
        self._open = [_Paragraph("")]
        self._property = self._variable = ""  # The names that were read last.

    @property
    def destination(self) -> str:
        """What the paragraph belongs to; empty for the body."""
        return self._open[-1].destination

    def add(self, piece: Slot | str) -> None:
        """Add a slot, or white space, to the paragraph."""
        self._open[-1].pieces.append(piece)

    def begin(self, destination: str) -> None:
        """Begin a destination with paragraphs of its own."""
        self._open.append(_Paragraph(destination))

    def leave(self) -> Iterator[Value]:
        """End a destination, and yield the values of its last paragraph."""
        yield from self.end()
        self._open.pop()
        self._variable = ""

    def end(self) -> Iterator[Value]:
        """End the paragraph, and yield its values."""
        paragraph = self._open[-1]
        pieces, paragraph.pieces = tuple(paragraph.pieces), []
        kind = paragraph.destination
        text = "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)
        value = Value(pieces, place=kind, title=bool(kind) and is_title(text))
        is_code = kind == "fldinst" and not _ADDRESS.search(text)
        is_data = kind and kind not in WRITTEN and _DATA.fullmatch(text)
        if is_code and may_repeat(text):
            yield replace(value, free=False, title=False)
        if is_code or is_data or not MEANING.search(text):
            return
        if label := self._label_by_name(kind, text) or PROPERTIES.get(kind):
            yield Value(pieces, tuple(_names(pieces, label)), free=False, place=kind)
        else:
            yield value

    def _label_by_name(self, kind: str, text: str) -> str | None:
        """Return the PHI class of the value of a property or variable by its name."""
        if kind == "propname":
            self._property = text
        elif kind == "staticval":
            return value_label(self._property, text)
        elif kind == "docvar":
            name, self._variable = self._variable, text
            return value_label(name, text) if name else None
        return None


def _names(pieces: Iterable[Slot | str], label: str) -> Iterator[Span]:
    """Yield the names in a property; those in a list end with a semicolon."""
    place = 0
    for piece in pieces:
        text = piece if isinstance(piece, str) else piece.text
        if isinstance(piece, Slot) and MEANING.search(text):
            yield Span(place, place + len(text.rstrip("; ")), label)
        place += len(text)
