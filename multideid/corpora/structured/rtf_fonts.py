"""Encodings of RTF: that of the document, and those of its fonts."""

from __future__ import annotations

from multideid.corpora.structured.rtf_words import CHARSETS, codec_of

DEFAULT_CODEC = "cp1252"


class Fonts:
    """The encodings of the fonts, as far as the document has named them."""

    def __init__(self) -> None:
        self._codecs: dict[int, str] = {}
        self._defined: int | None = None
        self._default = DEFAULT_CODEC

    def codec(self, word: str, number: int, *, in_table: bool) -> str | None:
        r"""Return the encoding from a control word on, such as ``\f2``; None if it stays.

        Parameters
        ----------
        word : str
        number : int
        in_table : bool
            Whether the word is in the table of fonts.
        """
        if word == "ansicpg":
            self._default = codec_of(f"cp{number}")
            return self._default
        if word == "f" and in_table:
            self._defined = number
        elif word == "fcharset" and self._defined is not None:
            self._codecs[self._defined] = CHARSETS.get(number, self._default)
        elif word == "f":
            return self._codecs.get(number, self._default)
        elif word == "plain":
            return self._default
        return None
