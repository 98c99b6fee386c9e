"""The contract of formats that are read by structure.

Such a format finds the values in a file that may hold PHI, and writes the file
again with some of their characters changed and everything else as it was.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Protocol

from multideid.corpora.structured.slots import Change, Slot
from multideid.document import Span
from multideid.errors import CorpusError
from multideid.lazy import lazy

HEAD = 1 << 16
"""Bytes by which a format is recognised."""

_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Value:
    """A text in a file.

    Parameters
    ----------
    pieces : tuple of Slot and str
        Parts of the file, and characters that only mean something there, such as a
        line break that is an element. The text of the value is their concatenation.
    known : tuple of Span
        PHI that is known from the type of the field, in offsets of the value.
    free : bool
        Whether it is free text, which the model reads. What is neither free nor
        known stays, unless it repeats PHI that is found elsewhere in the record.
    place : str
        Such as ``"PID-5.1"``.
    title : bool
        Whether it is free text of a few words without context, such as the name of
        a sheet, in which PHI that is found elsewhere in the record is searched too.
    withheld : bool
        Whether it is replaced as a whole because nobody can read it, so that its words
        say nothing of others.
    fit : callable, optional
        ``fit(changes)`` returns the changes of its text that the file can hold in place of
        these, one for one, if not all texts are possible.
    """

    pieces: tuple[Slot | str, ...] = field(repr=False)
    known: tuple[Span, ...] = ()
    free: bool = True
    place: str = ""
    title: bool = False
    withheld: bool = False
    fit: Callable[[Sequence[Change]], Sequence[Change]] | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The text, without escapes."""
        return "".join(p if isinstance(p, str) else p.text for p in self.pieces)

    def extents(self) -> Iterator[tuple[int, int]]:
        """Yield half-open offsets of the parts between characters that must stay."""
        start = place = 0
        for piece in self.pieces:
            if isinstance(piece, str):
                yield start, place
                place += len(piece)
                start = place
            else:
                place += len(piece.text)
        yield start, place

    def slot_changes(self, changes: Iterable[Change]) -> Iterator[tuple[Slot, Change]]:
        """Yield changes of the value as changes of its slots.

        The new text goes to the first slot that a change touches; the old text
        is deleted from all. Text that replaces nothing is inserted.
        """
        placed = list(self._placed())
        ends = [high for *_, high in placed]
        for start, end, text in changes:
            new = text
            for n in range(bisect_left(ends, start), len(placed)):
                slot, low, high = placed[n]
                if low > end:
                    break
                if low < end and start < high:
                    yield slot, Change(max(start, low) - low, min(end, high) - low, new)
                    new = ""
                elif new and start == end and low <= start <= high:
                    yield slot, Change(start - low, start - low, new)
                    new = ""

    def _placed(self) -> Iterator[tuple[Slot, int, int]]:
        place = 0
        for piece in self.pieces:
            length = len(piece if isinstance(piece, str) else piece.text)
            if isinstance(piece, Slot):
                yield piece, place, place + length
            place += length


def labelled(slot: Slot, label: str, place: str = "") -> Value:
    """Return the value of a field whose type says that all of it is PHI of a class."""
    known = (Span(0, len(slot.text), label),) if slot.text else ()
    return Value((slot,), known, free=False, place=place)


WITHHELD = "OTHER"
"""The label of data that nobody can read."""


def withheld(value: Value) -> Value:
    """Return a value that is replaced as a whole, since nobody can read it."""
    spans = (Span(start, end, WITHHELD) for start, end in value.extents() if start < end)
    return replace(value, known=tuple(spans), free=False, title=False, withheld=True)


# A mask, [ID], repeats PHI when it is restored.
_MAY_REPEAT = re.compile(
    r"\[[^\W\d_]|[^\W\d_a-z][^\W\d_]{2}|\d{5}|\d[\-/.]\d+[\-/.]\d"
    r"|(?<![A-Za-z])[a-z]{2,}[._\- ][a-z]{2,}"
)
_LONGEST_TITLE = 60  # Characters.


def may_repeat(text: str) -> bool:
    """Return whether a text that stays may repeat a name, a number or a date."""
    return bool(_MAY_REPEAT.search(text))


def is_title(text: str) -> bool:
    """Return whether a text is too short for the model to know names by their context."""
    return len(text) <= _LONGEST_TITLE and "\n" not in text.strip()


def kept(slot: Slot, place: str = "") -> Value:
    """Return the value of something that stays, unless it repeats PHI of the record."""
    return Value((slot,), free=False, place=place)


Changes = Mapping[Slot, list[Change]]
"""The changes of each slot, sorted."""


@dataclass(frozen=True, slots=True)
class Record:
    """A unit of a file: a message, a line, or the whole file.

    The records of a file, rendered and concatenated, are the file.

    Parameters
    ----------
    values : tuple of Value
        In the order in which they are read as one text.
    render : callable
        Returns the bytes of the record with changes of its slots.
    name : str
        Such as ``"line 7"``; empty for a record that is the whole file.
    patient : str, optional
        An identifier of the patient, so that surrogates agree.
    separable : bool
        Whether the file stays valid without the record.
    keys : tuple of Slot
        The names of its parts, which are no text of it.
    """

    values: tuple[Value, ...] = field(repr=False)
    render: Callable[[Changes], bytes] = field(repr=False)
    name: str = ""
    patient: str | None = field(default=None, repr=False)
    separable: bool = False
    keys: tuple[Slot, ...] = field(default=(), repr=False)

    def rendered(self, changes: Sequence[Sequence[Change]], keys: Changes | None = None) -> bytes:
        """Return the bytes of the record with the changes of each value, and of its keys."""
        return self.render({**self.slot_changes(changes), **(keys or {})})

    def slot_changes(self, changes: Sequence[Sequence[Change]]) -> Changes:
        """Return the changes of each value as changes of its slots."""
        by_slot: dict[Slot, list[Change]] = {}
        for value, mine in zip(self.values, changes, strict=True):
            for slot, change in value.slot_changes(mine):
                by_slot.setdefault(slot, []).append(change)
        return by_slot


def _never(key: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How files are read.

    Parameters
    ----------
    as_text : bool
        Whether everything is read as plain text, whatever it looks like.
    encoding : str, optional
        Encoding of text. Default: UTF-8, or that which the file declares.
    json_paths : tuple of str
        Paths of the values to read in JSON; see `multideid.corpora.structured.json_paths`.
    json_id : str, optional
        Path of a record's id in JSON.
    patient_field : str, optional
        Path of the patient's id in JSON.
    columns : tuple of str
        Columns that the user named: text with these is a table.
    hides : callable
        ``hides(key)`` returns whether a warning shows where a key is instead of the key.
        Default: for no key.
    """

    as_text: bool = False
    encoding: str | None = None
    json_paths: tuple[str, ...] = ()
    json_id: str | None = None
    patient_field: str | None = None
    columns: tuple[str, ...] = ()
    hides: Callable[[str], bool] = _never


@dataclass(frozen=True)
class Content:
    """A file to be recognised and read.

    Parameters
    ----------
    file : binary file
        Seekable.
    name : str
        Names the file in errors.
    encoding : str, optional
        The encoding that the user named. Default: UTF-8, or as the file declares.
    """

    file: BinaryIO = field(repr=False)
    name: str
    encoding: str | None = None

    @lazy
    def head(self) -> bytes:
        """The first bytes."""
        self.file.seek(0)
        return self.file.read(HEAD)

    @lazy
    def beginning(self) -> str:
        """The first characters, without byte order mark and white space before them."""
        wide = not self.encoding and self.head.startswith(_WIDE_MARKS)
        text = self.head.decode("utf-16" if wide else self.decoding, errors="replace")
        return text.removeprefix("\ufeff").lstrip()

    @property
    def decoding(self) -> str:
        """The encoding by which it is recognised; a mark of UTF-8 counts more than a name."""
        if self.encoding and not self.head.startswith(codecs.BOM_UTF8):
            return self.encoding
        return "utf-8-sig"

    def read(self) -> bytes:
        """Return all bytes."""
        self.file.seek(0)
        return self.file.read()

    def error(self, problem: str, where: str | None = None) -> CorpusError:
        """Return an error that names the file."""
        return CorpusError(self.name, problem, where)


@dataclass(frozen=True, slots=True)
class Structure:
    """How `multideid deid` reads files of a format.

    Parameters
    ----------
    recognise : callable
        ``recognise(content)`` returns whether a `Content` is of the format.
    records : callable
        ``records(content, options)`` yields the `Record` objects of a `Content`;
        raises CorpusError if it cannot be read.
    suffixes : tuple of str
        Suffixes of files that are read in folders.
    writes_text : bool
        Whether plain text is written, to a name with ``.txt`` behind it.
    """

    recognise: Callable[[Content], bool]
    records: Callable[[Content, ReadingOptions], Iterator[Record]]
    suffixes: tuple[str, ...]
    writes_text: bool = False


class Packer(Protocol):
    """Writes a container."""

    def add(self, name: str, data: bytes) -> None:
        """Add a member."""

    def close(self) -> None:
        """Write the end."""


@dataclass(frozen=True, slots=True)
class Container:
    """How files that hold other files are read and written.

    Parameters
    ----------
    recognise : callable
        As for `Structure`.
    members : callable
        ``members(content)`` yields name and `Content` of each member; the name is
        empty if the container holds a single file. Raises CorpusError if it cannot
        be read, or holds more than its bounds.
    packer : callable
        ``packer(file)`` returns a `Packer` that writes to a binary file.
    suffixes : tuple of str
        As for `Structure`.
    """

    recognise: Callable[[Content], bool]
    members: Callable[[Content], Iterator[tuple[str, Content]]]
    packer: Callable[[BinaryIO], Packer]
    suffixes: tuple[str, ...]
