"""The words of a token table as lists compare them: whole, folded, with the marks between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from multideid.accents import composed, without_accents
from multideid.arrays import BoolArray, IntArray
from multideid.text.forms import LINE_END, word_forms
from multideid.text.numbering import distinct
from multideid.text.tokenizer import split_pieces
from multideid.text.type_memo import TypeMemo

if TYPE_CHECKING:
    from multideid.text.table import TokenTable

_MOST_KNOWN = 200_000
_SAME_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u2019\u2018\u02bc\u0060\u00b4", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    }
)
"""Marks that keyboards and word processors exchange."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a batch of documents: runs of letters and digits, and single marks.

    Parameters
    ----------
    texts : list of str
        Distinct words, as written but for accents, which are composed with their letters (NFC).
    folded : list of str
        The same without case and accents.
    kind : int32 array, shape (n_words,)
        Index of each word in `texts`.
    document : int32 array, shape (n_words,)
    start, end : int32 arrays, shape (n_words,)
        Half-open offsets into the document's text.
    line : int32 array, shape (n_words,)
        Number of the word's line in the batch.
    first : int32 array, shape (n_documents + 1,)
        Words ``first[d]:first[d + 1]`` are those of document ``d``.
    """

    texts: list[str] = field(repr=False)
    folded: list[str] = field(repr=False)
    kind: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    line: IntArray
    first: IntArray

    def __len__(self) -> int:
        return len(self.kind)

    @classmethod
    def of(cls, tokens: TokenTable) -> Words:
        """Return the words of a table, which are computed once."""
        return tokens.cached("whole words", _words_of)

    def follows(self, row: int) -> bool:
        """Return whether a word and the next one can be of one phrase.

        They are in the same document, on one line or on two consecutive ones.
        """
        return (
            row + 1 < len(self)
            and self.document[row] == self.document[row + 1]
            and self.line[row + 1] - self.line[row] <= 1
        )


def folded_word(word: str) -> str:
    """Return a word without case and accents, and with plain quotes and hyphens.

    This is how the words of a site's lists are compared, in which marks are words too; the parts
    of names are compared as `multideid.redact.spelling.fold` returns them.
    """
    if word.isascii():
        return word.lower().translate(_SAME_MARKS)
    return without_accents(word.translate(_SAME_MARKS)).casefold()


def split_words(text: str) -> list[str]:
    """Return the words of a text, as `Words` has them.

    Examples
    --------
    >>> split_words("McLee-Ann, B12")
    ['McLee', '-', 'Ann', ',', 'B12']
    """
    found: list[str] = []
    glue = False
    for piece in split_pieces(text):
        if piece.isspace():
            glue = False
            continue
        solid = _is_solid(piece)
        if glue and solid:
            found[-1] += composed(piece)
        else:
            found.append(composed(piece))
        glue = bool(solid)
    return found


def _is_solid(word: str) -> int:
    """Return 1 for letters and digits, which make up words, and 0 for marks."""
    return int(word[0].isalnum())


_solid = TypeMemo(_is_solid, np.bool_)
_fold = lru_cache(_MOST_KNOWN)(folded_word)


def _words_of(tokens: TokenTable) -> Words:
    kept = (word_forms(tokens.vocabulary) & LINE_END == 0)[tokens.type]
    rows = np.flatnonzero(kept).astype(np.int32)
    begins = ~_glued(tokens, rows)
    first = rows[begins]
    numbers = np.flatnonzero(begins)
    length = np.diff(numbers, append=len(rows))
    texts, kind = _strings(tokens, first, length)
    document = tokens.document[first]
    last = rows[numbers + length - 1] if len(first) else first
    bounds = np.searchsorted(document, np.arange(len(tokens.ids) + 1)).astype(np.int32)
    return Words(
        texts, [_fold(text) for text in texts], kind, document,
        tokens.start[first], tokens.end[last], tokens.line[first], bounds,
    )  # fmt: skip


def _glued(tokens: TokenTable, rows: IntArray) -> BoolArray:
    """Mark the rows that continue the word of the row before."""
    solid = _solid(tokens.vocabulary)[tokens.type[rows]]
    glued = np.zeros(len(rows), dtype=np.bool_)
    glued[1:] = solid[1:] & solid[:-1] & (tokens.start[rows[1:]] == tokens.end[rows[:-1]])
    glued[1:] &= tokens.document[rows[1:]] == tokens.document[rows[:-1]]
    return glued


def _strings(tokens: TokenTable, first: IntArray, length: IntArray) -> tuple[list[str], IntArray]:
    """Return the distinct words, and the number of each word's."""
    texts = list(tokens.vocabulary)
    kind = tokens.type[first].astype(np.int32)
    many = np.flatnonzero(length > 1)
    stretches = zip(first[many].tolist(), (first + length)[many].tolist(), strict=True)
    # The tokens of a word have no line end between them, so that their rows are consecutive.
    words = ["".join([texts[t] for t in tokens.type[a:b].tolist()]) for a, b in stretches]
    code, joined = distinct(words)
    kind[many] = len(texts) + code
    return texts + joined, kind


_SPANISH = frozenset(
    """
    alegría amor angustias aurora blanca blanco bravo cabello cabeza calva calvo cano concepción
    cortes cuello delgada delgado dolores domingo encarnación esperanza estrella fuerte gracia
    grande hueso infante izquierda izquierdo luz mano mayo mayor milagros morena moreno nieta nieto
    pie pilar plaza reposo rico rojo rosa rubia rubio salud seco segura seguro socorro sol soledad
    vela viejo vivo
    """.split()
)
"""Names that are words of Spanish notes; the other lists are English."""


def joined_key(words: Sequence[str]) -> str:
    """Return words as one string, which no other words have."""
    return "\0".join(words)


def is_ordinary(word: str) -> bool:
    """Return whether a word, in any case, is a general or medical one, not only a name."""
    from multideid.knowledge.lexicons import word_set

    lower = word.lower()
    return lower in word_set("common_words", "medical_words") or lower in _SPANISH


@lru_cache(_MOST_KNOWN)
def is_common_in_notes(word: str) -> bool:
    """Return whether notes often have an ordinary word that is not meant as a name.

    These are the ordinary words that are also clinical ones or in MeSH, such as "may" and
    "rose", and drugs; not "duke", which is rare in notes, nor "smith", a word of terms only.

    Parameters
    ----------
    word : str
        In any case.
    """
    from multideid.knowledge.lexicons import word_set

    lower = word.lower()
    if lower in word_set("common_words"):
        return lower in _SPANISH or is_clinical(lower)
    return is_ordinary(lower) and lower not in word_set("eponyms")


def is_clinical(word: str) -> bool:
    """Return whether a lower-case word is in MeSH, or known from notes as no name."""
    return _is_of(word, "mesh", "clinical")


def is_first_name(word: str) -> bool:
    """Return whether a lower-case word is a first name somewhere."""
    return _is_of(word, "given")


def _is_of(word: str, *classes: str) -> bool:
    from multideid.knowledge.word_classes import CLASSES, bundled_word_classes

    bits = bundled_word_classes().bits(word)
    return any(bits >> CLASSES.index(name) & 1 for name in classes)
