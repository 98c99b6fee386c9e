"""RTF documents: paragraphs are read as text, and their formatting stays.

Headers, footers, notes, comments, field codes and properties are read too.
Names of authors are PHI; times of editing are set to a constant, and pictures
and data of programs are emptied. Names of styles, bookmarks and the like stay,
unless they repeat PHI. A document with embedded objects is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from multideid.corpora.contract import Format
from multideid.corpora.identifier_names import value_label
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    is_title,
    kept,
    may_repeat,
)
from multideid.corpora.structured.rtf_words import (
    APART,
    BREAKS,
    CHARACTERS,
    CHARSETS,
    EDITED,
    EMPTIED,
    NAMES,
    NO_TEXT,
    NO_TIME,
    PARAGRAPHS,
    PROPERTIES,
    REFUSED,
    TIMES,
    WRITTEN,
    codec_of,
    encoded,
)
from multideid.corpora.structured.slots import Escape, Fixed, Slot, Source
from multideid.document import Span

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
_MEANING = re.compile(r"[^\W_]")
_DATA = re.compile(r"[0-9a-fA-F\s]{8,}|[0-9.\-]+")
_ADDRESS = re.compile('["@]')


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
    codec: str = "cp1252"
    starred: bool = False


@dataclass
class _Paragraph:
    """A paragraph of a destination, as far as it was read."""

    destination: str
    pieces: list[Slot | str] = field(default_factory=list)


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
        self._paragraphs = [_Paragraph("")]
        self._fonts: dict[int, str] = {}
        self._font: int | None = None
        self._default = "cp1252"
        self._skip = 0
        self._bare_word = False  # Whether text that follows would join the last control word.
        self._bytes: list[re.Match[str]] = []
        self._property = self._variable = ""  # The names that were read last.
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
        if self._groups or _MEANING.search(text, position):
            raise self._content.error("is RTF whose braces do not match")
        self._flush()
        yield from self._end_paragraph()
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
            yield from self._end_paragraph()
            self._paragraphs.pop()
            self._variable = ""
        elif self._paragraphs[-1].destination == "docvar":
            yield from self._end_paragraph()  # Name and value have a group each.

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
            yield from self._end_paragraph()
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
            self._paragraphs[-1].pieces.append(BREAKS[word])
        elif word in PARAGRAPHS:
            yield from self._end_paragraph()
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
            self._paragraphs.append(_Paragraph(word))

    def _format(self, word: str, number: int) -> None:
        """Handle control words that decide how text is encoded."""
        if word == "uc":
            self._state = replace(self._state, fallback=max(0, number))
        elif word == "ansicpg":
            self._default = codec_of(f"cp{number}")
            self._state = replace(self._state, codec=self._default)
        elif word == "f" and self._state.destination == "fonttbl":
            self._font = number
        elif word == "fcharset" and self._font is not None:
            self._fonts[self._font] = CHARSETS.get(number, self._default)
        elif word in ("f", "plain"):
            codec = self._fonts.get(number, self._default) if word == "f" else self._default
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
        self._paragraphs[-1].pieces.append(slot)

    def _encoder(self) -> Callable[[str], str]:
        fallback, between = self._state.fallback, " " if self._bare_word else ""
        return lambda text: f"{between if text else ''}{encoded(text, fallback)}"

    def _end_paragraph(self) -> Iterator[Value]:
        paragraph = self._paragraphs[-1]
        pieces, paragraph.pieces = tuple(paragraph.pieces), []
        kind = paragraph.destination
        text = "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)
        value = Value(pieces, place=kind, title=bool(kind) and is_title(text))
        is_code = kind == "fldinst" and not _ADDRESS.search(text)
        is_data = kind and kind not in WRITTEN and _DATA.fullmatch(text)
        if is_code and may_repeat(text):
            yield replace(value, free=False, title=False)
        if is_code or is_data or not _MEANING.search(text):
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
        if isinstance(piece, Slot) and _MEANING.search(text):
            yield Span(place, place + len(text.rstrip("; ")), label)
        place += len(text)


def _recognise(content: Content) -> bool:
    return content.head.lstrip()[:6].startswith(b"{\\rtf1")


FORMAT = Format(
    "rtf",
    "RTF documents; deid reads paragraphs and keeps their formatting",
    structure=Structure(_recognise, read, (".rtf",)),
)
