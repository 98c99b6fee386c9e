"""Text as the rules read it: with one sort of blanks and hyphens, and accents in their letters.

Patterns would otherwise end a name at an accent that follows its letter as a character of
its own (``u`` and U+0308 for ``ü``), and miss what is written with no-break spaces or hyphens.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from multideid.arrays import LongArray
from multideid.text.tokenizer import MARK

_BLANKS, _HYPHENS = "\u00a0\u2007\u202f", "\u2010\u2011\u2012"
_PLAIN = {**dict.fromkeys(_BLANKS, " "), **dict.fromkeys(_HYPHENS, "-")}
_MARKS = re.compile(f"{MARK}+")


class PlainText(NamedTuple):
    """A text as the rules read it.

    Parameters
    ----------
    text : str
    places : int64 array, shape (n_characters + 1,), or None
        Where each character begins in the original, and the end; None if they are the same.
    """

    text: str
    places: LongArray | None = None

    def __repr__(self) -> str:
        """Return the number of characters, without text."""
        return f"PlainText({len(self.text)} characters)"


def plain_text(text: str) -> PlainText:
    """Return a text as the rules read it.

    Examples
    --------
    >>> plain_text("Dr.\\u00a0Mu\\u0308ller").text
    'Dr. Müller'
    """
    if text.isascii():
        return PlainText(text)
    for odd, plain in _PLAIN.items():
        text = text.replace(odd, plain)
    marks = [found.span() for found in _MARKS.finditer(text) if found.start()]
    return _composed(text, marks) if marks else PlainText(text)


def _composed(text: str, marks: Sequence[tuple[int, int]]) -> PlainText:
    """Return a text in which one character stands for each letter with its marks."""
    parts: list[str] = []
    done, begins = 0, np.ones(len(text) + 1, dtype=np.bool_)
    for start, end in marks:
        # Marks for which there is no letter are left out.
        letter = unicodedata.normalize("NFC", text[start - 1 : end])[0]
        parts += text[done : start - 1], letter
        begins[start:end] = False
        done = end
    return PlainText("".join([*parts, text[done:]]), np.flatnonzero(begins))


def joined_places(notes: Sequence[PlainText]) -> LongArray | None:
    """Return the `places` of notes that are joined by one character."""
    if all(note.places is None for note in notes):
        return None
    parts, base = [], 0
    for text, places in notes:
        own = np.arange(len(text) + 1) if places is None else places
        parts.append(own + base)
        base += int(own[-1]) + 1
    return np.concatenate(parts)
