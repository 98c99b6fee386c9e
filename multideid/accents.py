"""Words without accents, and letters composed with theirs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def without_accents(text: str) -> str:
    """Return a text in normal form NFKD without the marks that are combined with letters.

    The case is kept. Letters that are no letter with a mark, such as ``ø`` and ``ł``, stay.

    Examples
    --------
    >>> without_accents("Peña LÓPEZ, Bø")
    'Pena LOPEZ, Bø'
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def composed(text: str) -> str:
    """Return text in which letters and their accents are one character, where there is one (NFC).

    Examples
    --------
    >>> len("Mu\u0308ller"), len(composed("Mu\u0308ller"))
    (7, 6)
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def are_composed(texts: Iterable[str]) -> bool:
    """Return whether `composed` leaves all texts as they are; may be false though it does."""
    return unicodedata.is_normalized("NFC", "".join(texts))
