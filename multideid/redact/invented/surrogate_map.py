"""Map the words of names to consistent surrogates."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from multideid.redact.invented.vocabulary import Vocabulary, WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import fold, like

Draws = Callable[..., Draw]
"""Returns the random draws of one patient for the given names."""

_TRIES = 50


class SurrogateMap:
    """Maps each word of a name to the same surrogate everywhere.

    A surrogate is a function of the key, the patient and the word, so that it is
    the same in other documents and runs. If it is a word of the PHI of the
    document, or already the surrogate of another word, the next random draw is
    used.

    Parameters
    ----------
    draws : callable
        Returns the random draws of the patient, as `Key.draw`.
    vocabulary : Vocabulary
    originals : iterable of str
        The folded words of all PHI of the document, which are never chosen.
    """

    def __init__(self, draws: Draws, vocabulary: Vocabulary, originals: Iterable[str]) -> None:
        self._draws = draws
        self.vocabulary = vocabulary
        self._originals = frozenset(originals)
        self._used: set[tuple[WordKind, str]] = set()
        self._words: dict[tuple[WordKind, str], str] = {}

    def word(self, kind: WordKind, original: str) -> str:
        """Return the surrogate of a word, in the same case."""
        folded = fold(original)
        if (kind, folded) not in self._words:
            self._words[kind, folded] = self._new(kind, folded)
        return like(original, self._words[kind, folded])

    def letter(self, letter: str) -> str:
        """Return the surrogate of an initial, which is always another letter.

        All words with the same initial have surrogates with the same initial, so
        that ``J. Alder`` needs no full name.
        """
        plain = fold(letter).upper()[:1]
        others = [initial for initial in self.vocabulary.initials if initial != plain]
        return like(letter, self._draws("letter", plain).choose(others))

    def draw(self, *names: str) -> Draw:
        """Return the random draws of the patient for these names."""
        return self._draws(*names)

    def holds(self, name: str) -> bool:
        """Return whether the PHI of the document contains a word of a name."""
        folded = fold(name)
        return not self._originals.isdisjoint([folded, *folded.split()])

    def _new(self, kind: WordKind, folded: str) -> str:
        initial = "" if kind is WordKind.CITY else self.letter(folded[:1]).upper()
        for attempt in range(_TRIES):
            # A small pool may have no unused name with that initial.
            first = initial if attempt < _TRIES // 2 else ""
            draw = self._draws(kind, folded, str(attempt))
            word = self.vocabulary.word(kind, folded, first, draw)
            if self._claim(kind, word):
                return word
        return self._made_up(kind, folded)

    def _made_up(self, kind: WordKind, folded: str) -> str:
        """Return a word of random syllables; used when no name is left."""
        draw = self._draws(kind, folded, "letters")
        while True:
            word = "".join(draw.choose("bdfklmnrt") + draw.choose("aeiou") for _ in range(4))
            if self._claim(kind, word):
                return word.capitalize()

    def _claim(self, kind: WordKind, word: str) -> bool:
        """Reserve a word, unless it is PHI or another surrogate of its kind."""
        claimed = (kind, fold(word))
        if claimed in self._used or self.holds(word):
            return False
        self._used.add(claimed)
        return True
