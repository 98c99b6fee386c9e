"""The vocabulary of realistic surrogates."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw

_INITIALS = {"en": "ABCDEFGHJKLMNPRSTVW", "es": "ABCDEFGIJLMNPRSTV"}


class Realistic:
    """Names of people and cities from the census and the gazetteer.

    Common words, medical terms and eponyms are excluded.

    Parameters
    ----------
    language : {"en", "es"}
    """

    def __init__(self, language: str = "en") -> None:
        self._language = language
        self.initials = _INITIALS[language]

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Choose a name with that initial, if there is one."""
        from multideid.redact.invented.name_pools import pool

        names = pool(kind, self._language)
        return names.get(initial, names[""]).choose(draw)

    def sex(self, first_name: str, /) -> WordKind:
        """Look up the name in both languages."""
        from multideid.redact.invented.name_pools import sexes

        return sexes().get(first_name, WordKind.FIRST)

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Choose one of the names."""
        return draw.choose(names)
