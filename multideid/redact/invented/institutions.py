"""Surrogates of the names of hospitals and other institutions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from multideid.redact.invented.numbers import is_ordinal_ending, with_same_shape
from multideid.redact.invented.surrogate_map import SurrogateMap
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.spelling import WORD, fold, words_of

_KINDS = frozenset(
    """
    hospital hospitals hosp infirmary clinic clinics medical center centre centers centres health
    healthcare sanatorium hospice rehab rehabilitation nursing home house manor pavilion institute
    memorial general regional community university college county school foundation system systems
    services service group associates department dept division unit ward wing floor icu emergency
    surgery surgical cancer heart children children's childrens women women's veterans
    administration rest village retirement assisted living care laboratory laboratories lab
    pharmacy church
    clinica centro salud hospitalario hospitalaria universitario universitaria universidad
    provincial comarcal medico medica sanatorio residencia ambulatorio servicio
    instituto fundacion facultad colegio departamento unidad nacional
    """.split()
)
_SMALL = frozenset("the of and for at in on a an de del la las el los y e i d l s st saint san "
                   "santa santo sant sta ntra sra nuestra senora".split())  # fmt: skip
_SAINTS = frozenset("st saint san santa santo sant sta".split())
_GENERIC = _KINDS | _SMALL
# Where these come first, as in Spanish, the name follows.
_FIRST = frozenset("hospital clinica centro sanatorio residencia ambulatorio instituto fundacion "
                   "facultad colegio departamento unidad servicio".split())  # fmt: skip
_LONGEST_ABBREVIATION = 6
_ENDINGS = ("MC", "GH", "H", "C")


def is_institution(text: str) -> bool:
    """Return whether a name contains a word such as hospital or home."""
    return not _KINDS.isdisjoint(words_of(text))


class Institutions:
    """The institutions of one document.

    Parameters
    ----------
    texts : iterable of str
        All their names; abbreviations are resolved with them.
    surrogate_map : SurrogateMap
    """

    def __init__(self, texts: Iterable[str], surrogate_map: SurrogateMap) -> None:
        self._map = surrogate_map
        self._abbreviations: dict[str, str] = {}
        for text in texts:
            if len(WORD.findall(text)) > 1 and not _is_abbreviation(text):
                self._abbreviations.setdefault(_initials(text), text)

    def renamed(self, text: str) -> str:
        """Return another name in the same form; words for the kind of institution are kept.

        ``Birch Memorial Hospital`` keeps the last two words, and ``BMH`` the
        last two letters. If a name has no other words, one of these is replaced:
        ``General`` of ``General Hospital``, ``Salud`` of ``Centro de la Salud``.
        """
        if _is_abbreviation(text):
            return self._abbreviated(text)
        words = list(WORD.finditer(text))
        folded = [fold(word[0]) for word in words]
        ordinal = {n for n, word in enumerate(words) if is_ordinal_ending(word)}
        kept = ordinal | {n for n, word in enumerate(folded) if word in _GENERIC}
        if len(kept) == len(words):
            kept.discard(_named(folded, ordinal))
        draw = self._map.draw("number of an institution", fold(text))
        after_saint = [False, *(word in _SAINTS for word in folded)]
        changes = (
            (*word.span(), word[0] if n in kept else self._word(word[0], after_saint[n]))
            for n, word in enumerate(words)
        )
        return with_same_shape(text, changes, draw)

    def _word(self, word: str, after_saint: bool) -> str:
        if len(word) == 1 or (word.isupper() and len(word) <= 3):
            return "".join(self._map.letter(letter) for letter in word)
        if after_saint:
            return self._map.word(self._map.vocabulary.sex(fold(word)), word)
        return self._map.word(WordKind.INSTITUTION, word)

    def _abbreviated(self, text: str) -> str:
        letters = text.replace(".", "")
        name = self._abbreviations.get(letters)
        if name is not None:
            new = _initials(self.renamed(name))
        else:
            end = next((e for e in _ENDINGS if letters.endswith(e) and letters != e), "")
            new = "".join(map(self._map.letter, letters.removesuffix(end))) + end
        new = new if len(new) == len(letters) else "".join(map(self._map.letter, letters))
        fresh = iter(new)
        return "".join(c if c == "." else next(fresh) for c in text)


def _named(words: Sequence[str], ordinal: Set[int]) -> int:
    """Return which word of a name of general words to replace."""
    found = [n for n, word in enumerate(words) if word not in _SMALL and n not in ordinal]
    if not found:
        return 0
    return found[-1] if words[found[0]] in _FIRST else found[0]


def _is_abbreviation(text: str) -> bool:
    letters = text.replace(".", "")
    return letters.isupper() and letters.isalpha() and len(letters) <= _LONGEST_ABBREVIATION


def _initials(name: str) -> str:
    """Return the initials of a name, without those of function words."""
    small = _SMALL - _SAINTS
    return "".join(
        word[0] for word in WORD.findall(name) if word[0].isupper() and fold(word) not in small
    )
