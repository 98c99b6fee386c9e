"""Hospitals and other institutions, under names that nobody knows them by."""

from __future__ import annotations

from collections.abc import Iterable

from multideid.redact.invented.name_words import WordBook
from multideid.redact.invented.numbers import same_shape
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
_LONGEST_ABBREVIATION = 6
_ENDINGS = ("MC", "GH", "H", "C")


def is_institution(text: str) -> bool:
    """Tell whether a name says that it is a hospital's or a home's."""
    return not _KINDS.isdisjoint(words_of(text))


class Institutions:
    """The institutions of one document.

    Parameters
    ----------
    texts : iterable of str
        All their names as they stand there; abbreviations follow from them.
    book : WordBook
    """

    def __init__(self, texts: Iterable[str], book: WordBook) -> None:
        self._book = book
        self._abbreviations: dict[str, str] = {}
        for text in texts:
            if len(WORD.findall(text)) > 1 and not _is_abbreviation(text):
                self._abbreviations.setdefault(_initials(text), text)

    def renamed(self, text: str) -> str:
        """Return a name in the same form: what kind of institution it is stays.

        ``Birch Memorial Hospital`` keeps the last two words, and ``BMH`` the
        last two letters. If a name has no other words, its first one is
        exchanged all the same.
        """
        if _is_abbreviation(text):
            return self._abbreviated(text)
        words = list(WORD.finditer(text))
        folded = [fold(word[0]) for word in words]
        kept = {n for n, word in enumerate(folded) if word in _GENERIC}
        if len(kept) == len(words):
            kept.discard(next((n for n, w in enumerate(folded) if w not in _SMALL), 0))
        pieces, done = [], 0
        draw = self._book.draw("number of an institution", fold(text))
        for n, word in enumerate(words):
            after_saint = n > 0 and folded[n - 1] in _SAINTS
            new = word[0] if n in kept else self._word(word[0], after_saint)
            pieces += [same_shape(text[done : word.start()], draw), new]
            done = word.end()
        return "".join([*pieces, same_shape(text[done:], draw)])

    def _word(self, word: str, after_saint: bool) -> str:
        if len(word) == 1 or (word.isupper() and len(word) <= 3):
            return "".join(self._book.letter(letter) for letter in word)
        if after_saint:
            return self._book.word(self._book.vocabulary.sex(fold(word)), word)
        return self._book.word(WordKind.INSTITUTION, word)

    def _abbreviated(self, text: str) -> str:
        letters = text.replace(".", "")
        name = self._abbreviations.get(letters)
        if name is not None:
            new = _initials(self.renamed(name))
        else:
            end = next((e for e in _ENDINGS if letters.endswith(e) and letters != e), "")
            new = "".join(map(self._book.letter, letters.removesuffix(end))) + end
        new = new if len(new) == len(letters) else "".join(map(self._book.letter, letters))
        fresh = iter(new)
        return "".join(c if c == "." else next(fresh) for c in text)


def _is_abbreviation(text: str) -> bool:
    letters = text.replace(".", "")
    return letters.isupper() and letters.isalpha() and len(letters) <= _LONGEST_ABBREVIATION


def _initials(name: str) -> str:
    """Return the capitals that abbreviate a name, without those of small words."""
    small = _SMALL - _SAINTS
    return "".join(
        word[0] for word in WORD.findall(name) if word[0].isupper() and fold(word) not in small
    )
