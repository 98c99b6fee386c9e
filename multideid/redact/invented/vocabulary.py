"""Vocabularies, from which surrogates of the words of names are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from multideid.redact.keys import Draw


class WordKind(StrEnum):
    """Kinds of words in names."""

    FEMALE = "female first name"
    MALE = "male first name"
    FIRST = "first name"
    LAST = "last name"
    INSTITUTION = "word of an institution's name"
    STREET = "word of a street's name"
    CITY = "city"


class Vocabulary(Protocol):
    """Chooses surrogates of words.

    A vocabulary determines the style of surrogates: `Realistic`, or words that
    are in no dictionary, or names that are also medical terms.

    Attributes
    ----------
    initials : str
        Initials, in upper case, for which there are enough words.
    """

    initials: str

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Return a word, capitalised as a name.

        Parameters
        ----------
        kind : WordKind
        original : str
            The word to replace, folded.
        initial : str
            The preferred initial; any if empty.
        draw : Draw
            The only source of randomness.
        """

    def sex(self, first_name: str, /) -> WordKind:
        """Return the sex of a folded first name, FEMALE or MALE; FIRST if unknown."""

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Return a name for a state or country.

        Parameters
        ----------
        names : sequence of str
            All names of one kind, such as the codes of states.
        draw : Draw
            As in `word`.
        """
