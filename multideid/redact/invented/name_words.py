"""The words of a document's names, each with the one that stands for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from multideid.redact.invented.vocabulary import Vocabulary, WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import fold, like

Draws = Callable[..., Draw]
"""Gives the draws that belong to names, of one patient."""

_TRIES = 50


class WordBook:
    """Stands a new word in the place of each word of a name, always the same.

    The new word follows from the key, the patient and the old word alone, so
    that it is the same in another document and another run. Only where it is
    a word of the document's own names, or stands for another word already,
    the next choice is taken.

    Parameters
    ----------
    draws : callable
        Gives the patient's draws, as `Key.draw`.
    vocabulary : Vocabulary
    originals : iterable of str
        The folded words of all PHI of the document, none of which is chosen.
    """

    def __init__(self, draws: Draws, vocabulary: Vocabulary, originals: Iterable[str]) -> None:
        self._draws = draws
        self.vocabulary = vocabulary
        self._originals = frozenset(originals)
        self._used: set[tuple[WordKind, str]] = set()
        self._words: dict[tuple[WordKind, str], str] = {}

    def word(self, kind: WordKind, original: str) -> str:
        """Return the word that stands for `original`, in the case of that."""
        folded = fold(original)
        if (kind, folded) not in self._words:
            self._words[kind, folded] = self._new(kind, folded)
        return like(original, self._words[kind, folded])

    def letter(self, letter: str) -> str:
        """Return the initial of words that stand for words with this one; never the same.

        That way an initial can be written with no need to know whose it is.
        """
        plain = fold(letter).upper()[:1]
        others = [initial for initial in self.vocabulary.initials if initial != plain]
        return like(letter, self._draws("letter", plain).choose(others))

    def draw(self, *names: str) -> Draw:
        """Return the patient's draws for these names."""
        return self._draws(*names)

    def holds(self, name: str) -> bool:
        """Tell whether a word of a name is one of the document's PHI."""
        folded = fold(name)
        return not self._originals.isdisjoint([folded, *folded.split()])

    def _new(self, kind: WordKind, folded: str) -> str:
        initial = "" if kind is WordKind.CITY else self.letter(folded[:1]).upper()
        for attempt in range(_TRIES):
            # A small pool may have no name left with that initial.
            wanted = initial if attempt < _TRIES // 2 else ""
            draw = self._draws(kind, folded, str(attempt))
            word = self.vocabulary.word(kind, folded, wanted, draw)
            if self._claim(kind, word):
                return word
        return self._made_up(kind, folded)

    def _made_up(self, kind: WordKind, folded: str) -> str:
        """Make a word of any letters, for all that could be chosen are taken."""
        draw = self._draws(kind, folded, "letters")
        while True:
            word = "".join(draw.choose("bdfklmnrt") + draw.choose("aeiou") for _ in range(4))
            if self._claim(kind, word):
                return word.capitalize()

    def _claim(self, kind: WordKind, word: str) -> bool:
        """Take a word, unless it is an original or stands for another one of the kind."""
        claimed = (kind, fold(word))
        if claimed in self._used or self.holds(word):
            return False
        self._used.add(claimed)
        return True
