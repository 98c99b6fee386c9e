"""The separators and escape sequences of HL7 v2 messages.

See chapter 2 of the standard, "Use of escape sequences in text fields".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from multideid.corpora.structured.slots import EscapeRule

_BYTES = r"MARKX((?:[0-9A-Fa-f]{2})+)MARK"
_SEQUENCES = rf"""
    (?P<bytes>(?:{_BYTES})+)
    |MARK(?:(?P<separator>[FSRET])
        |\.(?i:(?P<layout>br|sp|ce|sk|fi|nf|in|ti))[+\-]?\d{{0,3}}
        # Highlights, other character sets, and what a site has defined.
        |[HN]|C[0-9A-Fa-f]{{4}}|M[0-9A-Fa-f]{{4}}(?:[0-9A-Fa-f]{{2}})?|Z(?:[0-9A-Fa-f]{{2}}){{0,4}}
    )MARK
"""
_LAYOUT = {"br": "\n", "sp": "\n", "ce": "\n", "sk": " "}
_LINE_END = re.compile(r"\r\n?")
_NOT_PRINTED = (*range(9), 11, 12, *range(14, 32), 127)
_FALLBACKS = ("windows-1252", "latin-1")


class Separators(NamedTuple):
    """The separators of a message: ``|^~\\&`` in most."""

    field: str
    component: str
    repetition: str
    escape: str
    subcomponent: str

    @classmethod
    def of(cls, header: str) -> Separators:
        """Return the separators that a header segment declares."""
        declared = header[4:].split(header[3], 1)[0]
        return cls(header[3], *(declared + "^~\\&"[len(declared) :])[:4])


USUAL = Separators("|", "^", "~", "\\", "&")


class Escapes:
    """The escape sequences of a message.

    Sequences for characters and layout are decoded. Those that only change how text looks, such
    as highlights, stand for no characters. All others are text as they are.

    Parameters
    ----------
    separators : Separators
    text : str
        The message. If it is ASCII, new letters of other alphabets are written as bytes in
        hexadecimal, in the encoding of the bytes that are there.
    encoding : str, optional
        Of bytes in hexadecimal, which otherwise are in Windows-1252. Default: UTF-8 where they
        are valid in it.
    """

    def __init__(self, separators: Separators, text: str, encoding: str | None = None) -> None:
        mark = separators.escape
        self._mark = mark
        self._characters = dict(zip("FSRET", separators, strict=True))
        names = {ord(c): f"{mark}{name}{mark}" for name, c in self._characters.items()}
        controls = {code: f"{mark}X{code:02X}{mark}" for code in _NOT_PRINTED}
        self._new = {**controls, **names, ord("\n"): f"{mark}.br{mark}", ord("\r"): " "}
        # The free codes of Latin-1 are letters and quotes in Windows-1252.
        first = () if encoding == "iso-8859-1" else (encoding or "utf-8",)
        self._encodings = (*first, *_FALLBACKS)
        self._bytes, sequences = (
            re.compile(pattern.replace("MARK", re.escape(mark)), re.VERBOSE)
            for pattern in (_BYTES, _SEQUENCES)
        )
        self.rule = EscapeRule(sequences, self._decode)
        self._is_ascii = text.isascii()
        self._letters = self._encoding_of_letters(text) or encoding or _FALLBACKS[0]

    def encode(self, text: str) -> str:
        """Return a text with its separators escaped."""
        return self._in_ascii(text.translate(self._new))

    def encode_all_but_escapes(self, text: str) -> str:
        """Return a text with its separators escaped, in a message whose backslashes are not."""
        return self._in_ascii(text.translate({**self._new, ord(self._mark): self._mark}))

    def _decode(self, match: re.Match[str]) -> str:
        if match["bytes"]:
            text, _ = self._text_of(match["bytes"])
            return _LINE_END.sub("\n", text)
        if match["separator"]:
            return self._characters[match["separator"]]
        return _LAYOUT.get((match["layout"] or "").lower(), "")

    def _text_of(self, sequences: str) -> tuple[str, str]:
        """Return the text of sequences of bytes, and the encoding in which they are valid."""
        data = bytes.fromhex("".join(self._bytes.findall(sequences)))
        for encoding in self._encodings:
            try:
                return data.decode(encoding), encoding
            except UnicodeDecodeError:
                continue
        raise AssertionError("every byte is valid in Latin-1")

    def _encoding_of_letters(self, text: str) -> str | None:
        """Return the encoding of the letters that a text writes in hexadecimal; None if none."""
        matches = self.rule.pattern.finditer(text) if self._is_ascii else ()
        read = [self._text_of(match["bytes"]) for match in matches if match["bytes"]]
        found = [encoding for letters, encoding in read if not letters.isascii()]
        return max(found, key=self._encodings.index, default=None)

    def _in_ascii(self, text: str) -> str:
        if not self._is_ascii or text.isascii():
            return text
        return "".join(c if c.isascii() else self._sequence(c) for c in text)

    def _sequence(self, character: str) -> str:
        try:
            data = character.encode(self._letters)
        except UnicodeEncodeError:
            return character
        return f"{self._mark}X{data.hex().upper()}{self._mark}"
