"""RTF documents: paragraphs are read as text, and their formatting stays.

Headers, footers, notes, comments, field codes and properties are read too.
Names of authors are PHI; times of editing are set to a constant, and pictures
and data of programs are emptied. Names of styles, bookmarks and the like stay,
unless they repeat PHI. A document with embedded objects is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    kept,
    may_repeat,
)
from multideid.corpora.structured.rtf_fonts import DEFAULT_CODEC, Fonts
from multideid.corpora.structured.rtf_paragraphs import MEANING, Paragraphs
from multideid.corpora.structured.rtf_words import (
    APART,
    BREAKS,
    CHARACTERS,
    EDITED,
    EMPTIED,
    NAMES,
    NO_TEXT,
    NO_TIME,
    PARAGRAPHS,
    REFUSED,
    TIMES,
    encoded,
)
from multideid.corpora.structured.slots import Escape, Fixed, Slot, Source

_TOKEN = re.compile(
    r"""\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})?[ ]?
    |\\'(?P<hex>[0-9a-fA-F]{2})
    |\\(?P<symbol>[^a-zA-Z0-9'])
    |(?P<open>\{)
    |(?P<close>\})
    |(?P<line>[\r\n]+)
    |(?P<text>[^\\{}\r\n]+)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group.

    Parameters
    ----------
    destination : str
        The innermost destination; empty for the body.
    ignored : bool
        Whether the text of the group is none that people write.
    fallback : int
        Number of characters that follow ``\\uN`` for readers without Unicode.
    codec : str
        The encoding of ``\\'hh``.
    starred : bool
        Whether the group began with ``\\*``.
    """

    destination: str = ""
    ignored: bool = False
    fallback: int = 1
    codec: str = DEFAULT_CODEC
    starred: bool = False


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the document as one record.

    Raises
    ------
    CorpusError
        If it holds embedded objects, or its braces do not match.
    """
    # Each byte is a character here, so that all others come out as they were.
    source = Source(content.read().decode("latin-1"))
    values = tuple(_Reader(content, source).values())

    def render(changes: Changes) -> bytes:
        return source.rendered(changes).encode("latin-1")

    yield Record(values, render)


class _Reader:
    """Reads the tokens of a document."""

    def __init__(self, content: Content, source: Source) -> None:
        self._content, self._source = content, source
        self._state = _State()
        self._groups: list[tuple[_State, bool]] = []
        self._paragraphs = Paragraphs()
        self._fonts = Fonts()
        self._skip = 0
        self._bare_word = False  # Whether text that follows would join the last control word.
        self._bytes: list[re.Match[str]] = []
        self._kept: list[Value] = []
        self._half: tuple[int, int] | None = None  # The first half of a character, and its start.

    def values(self) -> Iterator[Value]:
        """Yield the paragraphs, in the order in which they end."""
        position, text = 0, self._source.text
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise self._content.error("is RTF with a broken escape", f"byte {position}")
            position = match.end()
            if match["hex"] is None:
                self._flush()
            yield from self._token(match)
            self._bare_word = match["word"] is not None and not match[0].endswith(" ")
            if not self._groups and match["close"]:
                break
        if self._groups or MEANING.search(text, position):
            raise self._content.error("is RTF whose braces do not match")
        self._flush()
        yield from self._paragraphs.end()
        yield from self._kept

    def _token(self, match: re.Match[str]) -> Iterator[Value]:
        kind = match.lastgroup
        if kind == "open":
            self._groups.append((self._state, False))
            self._state = replace(self._state, starred=False)
        elif kind == "close":
            yield from self._close()
        elif kind == "text":
            self._text(match)
        elif kind == "hex":
            self._hex(match)
        elif kind == "symbol":
            yield from self._symbol(match)
        elif kind != "line":
            yield from self._word(match)

    def _close(self) -> Iterator[Value]:
        if not self._groups:
            raise self._content.error("is RTF whose braces do not match")
        self._state, apart = self._groups.pop()
        self._skip = 0
        if apart:
            yield from self._paragraphs.leave()
        elif self._paragraphs.destination == "docvar":
            yield from self._paragraphs.end()  # Name and value have a group each.

    def _text(self, match: re.Match[str]) -> None:
        start, end = match.span()
        if self._skip:
            start, self._skip = (
                start + min(self._skip, end - start),
                max(0, self._skip - end + start),
            )
        if self._state.destination in EMPTIED:
            self._source.parts.append(Fixed(start, end, ""))
        elif self._state.ignored and self._state.destination in NAMES:
            slot = Slot(start, end, self._source.text[start:end], None, self._encoder())
            if may_repeat(slot.text):
                self._source.parts.append(slot)
                self._kept.append(kept(slot, self._state.destination))
        elif start < end and not self._state.ignored:
            text = self._source.text[start:end]
            decoded = text.encode("latin-1").decode(self._state.codec, "replace")
            escapes = () if len(decoded) == len(text) else None
            self._add(Slot(start, end, decoded, escapes, self._encoder()))

    def _hex(self, match: re.Match[str]) -> None:
        if self._skip:
            self._skip -= 1
        else:
            self._bytes.append(match)

    def _flush(self) -> None:
        """Decode bytes that stand next to each other, some of which are parts of a character."""
        matches, self._bytes = self._bytes, []
        if matches and not self._state.ignored:
            data = bytes(int(match["hex"], 16) for match in matches)
            text = data.decode(self._state.codec, "replace")
            if len(text) == len(matches):
                for match, character in zip(matches, text, strict=True):
                    self._character(match.start(), match.end(), character)
            else:
                start, end = matches[0].start(), matches[-1].end()
                self._add(Slot(start, end, text, None, self._encoder()))

    def _symbol(self, match: re.Match[str]) -> Iterator[Value]:
        symbol = match["symbol"]
        if symbol == "*":
            self._state = replace(self._state, starred=True)
        elif symbol in PARAGRAPHS:
            yield from self._paragraphs.end()
        elif self._skip:
            self._skip -= 1
        else:
            self._character(*match.span(), CHARACTERS.get(symbol, ""))

    def _word(self, match: re.Match[str]) -> Iterator[Value]:
        word, number = match["word"], int(match["number"] or 0)
        if word in REFUSED:
            raise self._content.error("holds an embedded object: remove it from the document")
        if word == "u":
            self._unicode(match, number)
        elif word in CHARACTERS:
            self._character(*match.span(), CHARACTERS[word])
        elif word in BREAKS and not self._state.ignored:
            self._paragraphs.add(BREAKS[word])
        elif word in PARAGRAPHS:
            yield from self._paragraphs.end()
        elif word in EDITED or (word in NO_TIME and self._state.destination in TIMES):
            self._source.parts.append(Fixed(*match.span(), f"\\{word}{NO_TIME.get(word, 0)} "))
        elif word in NO_TEXT or word in TIMES:
            self._state = replace(self._state, destination=word, ignored=True)
        elif word in APART or self._state.starred:
            self._begin_apart(word)
        else:
            self._format(word, number)

    def _begin_apart(self, word: str) -> None:
        """Begin a destination with text that is read by itself."""
        self._state = replace(self._state, destination=word, starred=False)
        if self._groups and not self._state.ignored and not self._groups[-1][1]:
            self._groups[-1] = (self._groups[-1][0], True)
            self._paragraphs.begin(word)

    def _format(self, word: str, number: int) -> None:
        """Handle control words that decide how text is encoded."""
        if word == "uc":
            self._state = replace(self._state, fallback=max(0, number))
            return
        in_table = self._state.destination == "fonttbl"
        if codec := self._fonts.codec(word, number, in_table=in_table):
            self._state = replace(self._state, codec=codec)

    def _unicode(self, match: re.Match[str], number: int) -> None:
        """Add a character; those behind it, for older readers, belong to it."""
        start, end = match.span()
        left, position = self._state.fallback, end
        while left and position < len(self._source.text):
            following = _TOKEN.match(self._source.text, position)
            if following is None or following.lastgroup not in ("hex", "text", "symbol"):
                break
            position = following.end() if following["text"] is None else position + 1
            left -= 1
        self._skip = self._state.fallback - left
        unit = number % 0x10000
        if self._half is not None and 0xDC00 <= unit < 0xE000:
            first, high = self._half
            self._half = None
            self._character(first, position, chr(0x10000 + (high - 0xD800 << 10) + unit - 0xDC00))
        elif 0xD800 <= unit < 0xDC00:
            self._half = start, unit
        else:
            self._half = None
            self._character(start, position, chr(unit))

    def _character(self, start: int, end: int, text: str) -> None:
        if self._state.ignored:
            return
        self._add(Slot(start, end, text, (Escape(0, len(text), start, end),), self._encoder()))

    def _add(self, slot: Slot) -> None:
        self._source.parts.append(slot)
        self._paragraphs.add(slot)

    def _encoder(self) -> Callable[[str], str]:
        fallback, between = self._state.fallback, " " if self._bare_word else ""
        return lambda text: f"{between if text else ''}{encoded(text, fallback)}"


def _recognise(content: Content) -> bool:
    return content.head.lstrip()[:6].startswith(b"{\\rtf1")


FORMAT = Format(
    "rtf",
    "RTF documents; deid reads paragraphs and keeps their formatting",
    structure=Structure(_recognise, read, (".rtf",)),
)
