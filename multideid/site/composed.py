"""Texts with composed letters, ``é`` in one character, and the offsets of the original text."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from multideid.document import Span
from multideid.spans import Extent

_MARK = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]"
_COMBINED = re.compile(rf"\w{_MARK}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?")
"""A letter with the marks that are written on it, and a Korean syllable in parts."""


def composed(text: str) -> str:
    """Return a text with letters and their marks in one character where there is such a one.

    Examples
    --------
    >>> len(composed("Mu\\u006e\\u0303oz"))
    5
    """
    if text.isascii():
        return text
    return _COMBINED.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)


class Composed(NamedTuple):
    """A text with composed letters.

    Parameters
    ----------
    text : str
    extents : list of (int, int)
        Half-open offsets of each of its characters in the original text; none if the text is the
        original.
    """

    text: str
    extents: list[Extent]

    @classmethod
    def of(cls, original: str) -> Composed:
        """Compose the letters of a text."""
        text = composed(original)
        return cls(text, [] if text == original else _extents(original))

    def original(self, span: Span) -> Span:
        """Return a span of the text in offsets of the original."""
        if not self.extents:
            return span
        return Span(self.extents[span.start][0], self.extents[span.end - 1][1], span.label)


def _extents(original: str) -> list[Extent]:
    """Return the extents; characters of one letter that stay apart all have that of the letter."""
    extents: list[Extent] = []
    done = 0
    for match in _COMBINED.finditer(original):
        extents += ((n, n + 1) for n in range(done, match.start()))
        extents += [match.span()] * len(unicodedata.normalize("NFC", match[0]))
        done = match.end()
    return [*extents, *((n, n + 1) for n in range(done, len(original)))]
