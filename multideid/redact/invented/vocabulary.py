"""Words that stand for the words of names: what is asked for, and who gives them."""

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
    """Gives words that can stand for other words.

    Another one than `Realistic` makes surrogates of another style: words that
    are in no dictionary, or names that are also medical terms.

    Attributes
    ----------
    initials : str
        Capitals with which enough of its words begin.
    """

    initials: str

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Return a word, with capitals as names have them.

        Parameters
        ----------
        kind : WordKind
        original : str
            The word to stand for, folded.
        initial : str
            The letter that it should begin with if it can; empty: any.
        draw : Draw
            What the choice must follow from, and nothing else.
        """

    def sex(self, first_name: str, /) -> WordKind:
        """Return FEMALE or MALE if a folded first name is known to be, else FIRST."""

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Return one of the names of states or countries, or what stands for one.

        Parameters
        ----------
        names : sequence of str
            All of one kind, such as the letters of the states.
        draw : Draw
            As `word`.
        """
