"""Normalise the spelling of words, and copy their case."""

from __future__ import annotations

import re

from multideid.accents import without_accents

_LETTER = r"[A-Za-z]|[^\x00-\x7f\s\u2010-\u2027\u2039\u203a\u00a1-\u00bf]"

WORD = re.compile(rf"(?:{_LETTER})(?:{_LETTER}|['\u2019](?=(?:{_LETTER}){{2}}))*")
"""A run of letters of any script, with combining marks; ``O'Brien`` is one, ``Alder's`` two."""


def fold(text: str) -> str:
    """Normalise a text: case, accents and the amount of white space are ignored.

    Apostrophes and hyphens stay as they are written; `multideid.site.words.folded_word` makes
    all kinds of them equal. `multideid.text.phrases.normalise` keeps accents.

    Examples
    --------
    >>> fold("Peña  LÓPEZ") == fold("PENA lopez")
    True
    """
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(without_accents(text).casefold().split())


def words_of(text: str) -> list[str]:
    """Return the folded words of a text."""
    return [fold(match[0]) for match in WORD.finditer(text)]


def like(original: str, word: str) -> str:
    """Return `word` in upper or lower case if `original` is.

    Examples
    --------
    >>> like("ALDER", "Beech"), like("alder", "Beech"), like("Alder", "Beech")
    ('BEECH', 'beech', 'Beech')
    """
    if original.isupper() and len(original) > 1:
        return word.upper()
    return word.lower() if original.islower() else word


def capitalised(name: str) -> str:
    """Capitalise a lower-case name: ``Lee``, ``McLee``, ``Lee-Ann``."""
    if name.startswith("mc") and len(name) > 4:
        return f"Mc{name[2:].title()}"
    return name.title()
