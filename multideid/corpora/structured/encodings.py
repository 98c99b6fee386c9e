"""Decoding of text files, and the encoding of files that are not UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from multideid.corpora.structure import Content, ReadingOptions
from multideid.errors import CorpusError, UsageError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Without a byte order mark, none may be written.
_UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_WIDE = ("utf-16", "utf-32")
_HIGH_BYTES = bytes(range(128, 256))
# Spaces and line ends are among them, whatever the language; two characters of ASCII are not.
_USUAL = re.compile(r"[\0-\xff]")
# Control characters of Latin-1 are letters and quotes in Windows-1252; five codes are free.
_WINDOWS_1252 = re.compile(rb"[\t\n\r\x20-\x7e\x80\x82-\x8c\x8e\x91-\x9c\x9e-\xff]*+")
# In Windows-1252, these are capitals or marks, which do not stand between small letters.
_MAC_IN_WORD = re.compile(rb"(?<=[a-z])[\x87\x88\x8a-\x8f\x9f\xd5](?=[a-z])")
_WINDOWS_IN_WORD = re.compile(rb"(?<=[a-z])[\x92\x9a\x9c\x9e\xdf-\xff](?=[a-z])")
_LETTER_IN_WORD = re.compile(rb"[A-Za-z][\xc0-\xff]|[\xc0-\xff][A-Za-z]|[A-Za-z]\x92[a-z]|\xb0")


class Decoded(NamedTuple):
    """A text, its encoding, and its byte order mark."""

    text: str
    encoding: str
    mark: bytes = b""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.

    def encoded(self, text: str) -> bytes:
        """Return a new text in the same encoding, after the mark.

        Raises
        ------
        UnicodeEncodeError
            If the encoding lacks a character.
        """
        return self.mark + text.encode(self.encoding)


def decoded(content: Content, options: ReadingOptions) -> Decoded:
    """Return the text of a file, without its byte order mark.

    Raises
    ------
    CorpusError
        If it is not in the encoding; names the byte and, if it can be recognised,
        the encoding to choose.
    """
    data = content.read()
    mark, encoding = encoding_of(content, options)
    refuse_other_encoding(content, options, [data])
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise undecodable(content, data, encoding, error.start + len(mark)) from None
    return Decoded(text, encoding, mark)


def encoding_of(content: Content, options: ReadingOptions) -> tuple[bytes, str]:
    """Return the byte order mark of a file, and the encoding of what is behind it.

    Raises
    ------
    CorpusError
        If the mark is of an encoding that the user did not name.
    """
    mark, encoding = mark_of(content.head)
    if options.encoding and not mark:
        encoding = _UNMARKED.get(options.encoding, options.encoding)
    elif encoding != "utf-8" and not options.encoding:
        raise content.error(f"is {encoding.upper()} text; read it with --encoding {encoding}")
    return mark, _without_mark(encoding, mark)


def refuse_other_encoding(
    content: Content, options: ReadingOptions, chunks: Iterable[bytes]
) -> None:
    """Raise CorpusError if a text is plainly not in the encoding that the user named.

    Most bytes are letters in any encoding, but the model finds nothing in them.

    Parameters
    ----------
    content : Content
    options : ReadingOptions
    chunks : iterable of bytes
        The file in parts.
    """
    mark, encoding = encoding_of(content, options)
    if mark or not options.encoding:
        return
    if encoding.startswith(_WIDE):
        if _is_unusual(chunks, encoding):
            raise content.error(f"is not {encoding}: name another encoding with --encoding")
    elif is_rather_utf8(chunks, encoding):
        raise content.error(f"is UTF-8, not {encoding}: read it with --encoding utf-8")


def is_rather_utf8(chunks: Iterable[bytes], encoding: str) -> bool:
    """Return whether text in an encoding of single bytes is also UTF-8, and another text as such.

    Parameters
    ----------
    chunks : iterable of bytes
        The text in parts.
    encoding : str
    """
    if not _has_single_bytes(encoding):
        return False
    utf8 = codecs.getincrementaldecoder("utf-8")()
    is_other = False
    with suppress(UnicodeDecodeError):
        for chunk in chunks:
            is_other |= utf8.decode(chunk) != chunk.decode(encoding)
        utf8.decode(b"", final=True)
        return is_other
    return False


def undecodable(content: Content, data: bytes, encoding: str, offset: int) -> CorpusError:
    """Return the error of a byte that is not in the encoding; `data` tells which to choose."""
    return content.error(_problem(data, encoding), f"byte {offset}")


def check_encoding(name: str) -> str:
    """Return the name of an encoding as Python writes it.

    Raises
    ------
    UsageError
        If there is no such encoding of text.
    """
    try:
        info = codecs.lookup(name)
        if info._is_text_encoding:
            return info.name
    except (LookupError, ValueError):
        pass
    raise UsageError(f"unknown encoding {name!r}; such as utf-8, windows-1252 or utf-16")


def mark_of(data: bytes) -> tuple[bytes, str]:
    """Return the byte order mark at the start of a file, and the encoding that it shows."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return mark, encoding
    return b"", "utf-8"


def _without_mark(encoding: str, mark: bytes) -> str:
    """Return the encoding's name for text whose byte order mark was cut off."""
    if not mark or encoding == "utf-8":
        return encoding
    little = mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF32_LE)
    return f"{encoding}-{'le' if little else 'be'}"


def _is_unusual(chunks: Iterable[bytes], encoding: str) -> bool:
    """Return whether text of several bytes per character has none that is usual."""
    decoder = codecs.getincrementaldecoder(encoding)()
    is_empty = True
    with suppress(UnicodeDecodeError):
        for chunk in chunks:
            text = decoder.decode(chunk)
            if _USUAL.search(text):
                return False
            is_empty = is_empty and not text
        return not is_empty
    return False


def _has_single_bytes(encoding: str) -> bool:
    """Return whether each byte is a character, other letters than those of ASCII among them."""
    text = _HIGH_BYTES.decode(encoding, "replace")
    return len(text) == len(_HIGH_BYTES) and text.count("\ufffd") < len(_HIGH_BYTES) // 2


def _problem(data: bytes, encoding: str) -> str:
    if encoding != "utf-8":
        return f"not {encoding}; name the encoding of the file with --encoding"
    if looks_like_mac_roman(data):
        return "not UTF-8, but it looks like Mac Roman: read it with --encoding mac-roman"
    if looks_like_windows_1252(data):
        return "not UTF-8, but it looks like Windows-1252: read it with --encoding windows-1252"
    return "not UTF-8; name the encoding of the file with --encoding, or convert it to UTF-8"


def looks_like_mac_roman(data: bytes) -> bool:
    """Return whether more letters inside of words are those of Mac Roman than of Windows-1252."""
    return len(_MAC_IN_WORD.findall(data)) > len(_WINDOWS_IN_WORD.findall(data))


def looks_like_windows_1252(data: bytes) -> bool:
    """Return whether text that is not UTF-8 is plausibly in Windows-1252."""
    return bool(_WINDOWS_1252.fullmatch(data)) and bool(_LETTER_IN_WORD.search(data))
