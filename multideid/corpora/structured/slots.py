"""Parts of a file's text that can be replaced, while all other characters stay."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from multideid.spans import splice


class Change(NamedTuple):
    """A part of a text, by half-open character offsets, and its replacement."""

    start: int
    end: int
    text: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


class Escape(NamedTuple):
    """An escape sequence: where its characters begin in the text and in the source.

    One that stands for no characters, such as the begin of a highlight, stays when the
    text around it is replaced.

    Parameters
    ----------
    text, text_end : int
        Offsets in the slot's text.
    raw, raw_end : int
        Offsets in the source.
    """

    text: int
    text_end: int
    raw: int
    raw_end: int


@dataclass(eq=False, slots=True)
class Slot:
    """A part of a source that holds text.

    Parameters
    ----------
    start, end : int
        Half-open offsets in the source.
    text : str
        The text without escapes.
    escapes : sequence of Escape, optional
        The escape sequences in the slot, so that all characters outside a change
        stay as they are. None: the whole text is encoded again.
    encode : callable
        Returns a new text as the source has to hold it.
    """

    start: int
    end: int
    text: str = field(repr=False)
    escapes: Sequence[Escape] | None = ()
    encode: Callable[[str], str] = str

    def replaced(self, source: str, changes: Mapping[Slot, list[Change]]) -> str | None:
        """Return the slot's part of the source with its changes; None without changes."""
        mine = changes.get(self)
        if not mine:
            return None
        if self.escapes is None:
            return self.encode(splice(self.text, mine))
        raw = (self._in_source(source, change) for change in self._whole(mine))
        return splice(source, raw, self.start, self.end)

    def _in_source(self, source: str, change: Change) -> tuple[int, int, str]:
        start, end = self._raw(change)
        kept = self._without_characters(source, start, end)
        return start, end, "".join([self.encode(change.text), *kept])

    def _whole(self, changes: Iterable[Change]) -> list[Change]:
        """Return changes that cut no escape: they repeat the characters of it that stay."""
        whole: list[Change] = []
        for start, end, new in changes:
            low, high = self._around(start)[0], self._around(end)[1]
            text = self.text[low:start] + new
            if whole and low < whole[-1].end:
                last = whole.pop()
                low, text = last.start, last.text[: start - last.end] + new
            whole.append(Change(low, high, text + self.text[end:high]))
        return whole

    def _around(self, offset: int) -> tuple[int, int]:
        """Return the borders of the escape that an offset is inside of; else the offset."""
        escapes = self.escapes or ()
        place = bisect_left(escapes, offset, key=lambda escape: escape.text)
        if place and offset < escapes[place - 1].text_end:
            return escapes[place - 1].text, escapes[place - 1].text_end
        return offset, offset

    def _raw(self, change: Change) -> tuple[int, int]:
        """Return the offsets of a change in the source; escapes next to it are outside."""
        escapes = self.escapes or ()
        before = bisect_right(escapes, change.start, key=lambda escape: escape.text_end)
        inside = bisect_left(escapes, change.end, key=lambda escape: escape.text)
        start = self._behind(before, change.start)
        return start, max(start, self._behind(inside, change.end))

    def _behind(self, number: int, offset: int) -> int:
        """Return the offset in the source, if so many escapes are before it."""
        if not number:
            return self.start + offset
        last = (self.escapes or ())[number - 1]
        return last.raw_end + offset - last.text_end

    def _without_characters(self, source: str, start: int, end: int) -> Iterator[str]:
        """Yield the escapes in a part of the source that stand for no characters."""
        escapes = self.escapes or ()
        first, last = (bisect_left(escapes, place, key=lambda e: e.raw) for place in (start, end))
        for escape in escapes[first:last]:
            if escape.text == escape.text_end:
                yield source[escape.raw : escape.raw_end]


class Part(Protocol):
    """Anything with a place in a source."""

    start: int
    end: int

    def replaced(self, source: str, changes: Mapping[Slot, list[Change]]) -> str | None:
        """Return the new content of the part; None if it stays."""


@dataclass(eq=False, slots=True)
class Source:
    """A text, and its parts that can be replaced.

    Parameters
    ----------
    text : str
    parts : list
        `Slot` and `Embedded` objects, not overlapping.
    """

    text: str = field(repr=False)
    parts: list[Part] = field(default_factory=list)

    def slot(
        self,
        start: int,
        end: int,
        escape: EscapeRule | None = None,
        encode: Callable[[str], str] = str,
    ) -> Slot:
        """Add a slot at these offsets, and return it."""
        rule = escape or NO_ESCAPES
        slot = Slot(start, end, *rule.decoded(self.text, start, end), encode)
        self.parts.append(slot)
        return slot

    def rendered(self, changes: Mapping[Slot, list[Change]]) -> str:
        """Return the text with all changes."""
        new = (
            (part.start, part.end, text)
            for part in sorted(self.parts, key=lambda part: part.start)
            if (text := part.replaced(self.text, changes)) is not None
        )
        return splice(self.text, new)


@dataclass(eq=False, slots=True)
class Embedded:
    """A part of a source that holds another source, such as a string with XML in it."""

    start: int
    end: int
    source: Source = field(repr=False)
    encode: Callable[[str], str]

    def replaced(self, source: str, changes: Mapping[Slot, list[Change]]) -> str | None:
        """Return the inner source with its changes, encoded; None if it stays."""
        new = self.source.rendered(changes)
        return None if new == self.source.text else self.encode(new)


@dataclass(eq=False, slots=True)
class EmbeddedFile:
    """A part of a source that holds a file.

    Parameters
    ----------
    start, end : int
        Half-open offsets in the source.
    data : bytes
        The file.
    render : callable
        Returns the bytes of the file with changes of its slots.
    encode : callable
        Returns the bytes as the source has to hold them.
    """

    start: int
    end: int
    data: bytes = field(repr=False)
    render: Callable[[Mapping[Slot, list[Change]]], bytes]
    encode: Callable[[bytes], str]

    def replaced(self, source: str, changes: Mapping[Slot, list[Change]]) -> str | None:
        """Return the file with its changes, encoded; None if it stays."""
        new = self.render(changes)
        return None if new == self.data else self.encode(new)


@dataclass(eq=False, slots=True)
class Fixed:
    """A part of a source that always becomes the same text, whatever it was."""

    start: int
    end: int
    text: str = field(repr=False)

    def replaced(self, source: str, changes: Mapping[Slot, list[Change]]) -> str:
        """Return the text."""
        return self.text


class EscapeRule(NamedTuple):
    """How escape sequences look, and their meaning.

    Parameters
    ----------
    pattern : re.Pattern
    decode : callable
        Returns the characters of a match.
    """

    pattern: re.Pattern[str]
    decode: Callable[[re.Match[str]], str]

    def decoded(self, source: str, start: int, end: int) -> tuple[str, tuple[Escape, ...]]:
        """Return the text of a part of a source, and the escapes in it."""
        pieces: list[str] = []
        escapes: list[Escape] = []
        done, length = start, 0
        for match in self.pattern.finditer(source, start, end):
            text = self.decode(match)
            pieces += [source[done : match.start()], text]
            length += match.start() - done
            escapes.append(Escape(length, length + len(text), match.start(), match.end()))
            length += len(text)
            done = match.end()
        return "".join([*pieces, source[done:end]]), tuple(escapes)


NO_ESCAPES = EscapeRule(re.compile(r"(?!)"), lambda match: match[0])
"""Every character stands for itself."""
