"""Texts as an optical character recognition would read them from bad scans, for augmentation."""

from __future__ import annotations

import re
from math import exp, log
from random import Random

CONFUSIONS: dict[str, tuple[str, ...]] = {
    "0": ("O", "o"),
    "1": ("l", "I", "|"),
    "2": ("Z",),
    "3": ("8",),
    "4": ("A",),
    "5": ("S", "s"),
    "6": ("b", "G"),
    "7": ("1", "/"),
    "8": ("B", "3"),
    "9": ("g", "q"),
    "B": ("8", "R"),
    "D": ("0", "O"),
    "E": ("F",),
    "G": ("6", "C"),
    "I": ("l", "1", "|"),
    "M": ("N", "IVI"),
    "O": ("0", "Q"),
    "S": ("5", "8"),
    "U": ("LI",),
    "W": ("VV",),
    "Z": ("2",),
    "a": ("o", "u"),
    "c": ("e", "o"),
    "d": ("cl", "ci"),
    "e": ("c", "o"),
    "f": ("t", "1"),
    "g": ("q", "9"),
    "h": ("b", "li"),
    "i": ("l", "1", "j"),
    "l": ("1", "I", "i"),
    "m": ("rn", "nn", "in"),
    "n": ("ri", "u", "r"),
    "o": ("0", "c"),
    "q": ("g",),
    "r": ("i", "t"),
    "s": ("5", "S"),
    "t": ("f", "l"),
    "u": ("ii", "n"),
    "v": ("y", "u"),
    "w": ("vv",),
    "y": ("v",),
    "z": ("2",),
    ",": (".", ""),
    ".": (",", "", " ."),
    "-": ("~", "_", "."),
    ":": (";", "."),
    "/": ("l", "1"),
    "(": ("{", "C"),
    ")": ("}", "J"),
}
"""Characters, and what they are taken for."""

_PAIRS = {"rn": "m", "cl": "d", "ri": "n", "vv": "w", "ll": "U", "li": "h", "tt": "H"}
_PIECES = re.compile("|".join([*_PAIRS, "."]), re.DOTALL)
_STRAY = ("|", ".", "'", "~", "_", ",", "^", "*", "•", "»")
_RATES = (0.004, 0.12)
"""The least and the greatest share of misread characters of a document."""
_JOINED, _PARTED, _MARKED = 0.4, 0.25, 0.1
"""Likelihood of a lost space, a parted word and a stray mark, against a misread character."""


class ScanDamage:
    """Damage of one document, whose rate is drawn once.

    The logarithm of the rate is uniform, so that most documents are damaged a little and some
    badly.

    Parameters
    ----------
    rng : random.Random
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        low, high = map(log, _RATES)
        self._rate = exp(rng.uniform(low, high))

    def __call__(self, text: str) -> str:
        """Return the text with characters misread, and spaces lost and added."""
        return _PIECES.sub(lambda found: self._piece(found[0]), text)

    def _piece(self, piece: str) -> str:
        if piece == " ":
            return self._space()
        if piece == "\n" or self._rng.random() >= self._rate:
            return piece
        if piece in _PAIRS:
            return _PAIRS[piece]
        if piece.isalnum() and self._rng.random() < _PARTED:
            return f"{piece} "
        return self._rng.choice(CONFUSIONS.get(piece, (piece,)))

    def _space(self) -> str:
        drawn = self._rng.random()
        if drawn < self._rate * _JOINED:
            return ""
        if drawn < self._rate * (_JOINED + _MARKED):
            return f" {self._rng.choice(_STRAY)} "
        return " "
