"""Words without accents."""

from __future__ import annotations

import unicodedata


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
