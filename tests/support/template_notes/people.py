"""Invented people, and the ways in which notes write their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from multideid.knowledge.lexicons import lexicon

_ONSETS = (
    "B", "Br", "C", "Ch", "D", "Dr", "F", "G", "Gr", "H", "J", "K", "L", "M", "N", "P", "R",
    "S", "Sh", "St", "T", "Th", "Tr", "V", "W", "Z",
)  # fmt: skip
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ie", "o")
_MIDDLES = ("b", "d", "g", "l", "ll", "m", "n", "nd", "r", "rr", "s", "t", "v", "w", "lm", "rv")
_ENDINGS = (
    "an", "en", "er", "ington", "is", "ley", "man", "o", "ov", "son", "sen", "stein", "ski",
    "ton", "well", "wick",
)  # fmt: skip
_FIRST_ENDINGS = ("a", "ela", "en", "ia", "in", "is", "on", "ra")

_INVENTED = 0.3
_ALSO_EPONYM = 0.05
_HYPHENATED = 0.04


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a note.

    Parameters
    ----------
    first, middle, last : str
        First name, middle initial, last name.
    female : bool
    """

    first: str
    middle: str
    last: str
    female: bool

    def full(self, random: Random) -> str:
        """Write the name with first name or initials before the last name."""
        styles = [
            f"{self.first} {self.last}",
            f"{self.first} {self.middle}. {self.last}",
            f"{self.first[0]}. {self.middle}. {self.last}",
            f"{self.first[0]}. {self.last}",
        ]
        return random.choices(styles, weights=[6, 2, 1, 1])[0]

    def listed(self, random: Random) -> str:
        """Write the name as a form or a header does."""
        styles = [
            f"{self.last}, {self.first}",
            f"{self.last}, {self.first} {self.middle}",
            f"{self.last.upper()}, {self.first.upper()}",
            f"{self.last.upper()},{self.first.upper()} {self.middle}.",
            f"{self.first} {self.middle}. {self.last}",
            f"{self.first} {self.last}",
        ]
        return random.choice(styles)


def make_person(random: Random, last: str | None = None) -> Person:
    """Invent a person; `last` gives a relative the same last name."""
    female = random.random() < 0.5
    chosen = last or _last_name(random)
    return Person(_first_name(random, female), random.choice("ABCDEFGHJKLMNPRSTW"), chosen, female)


def invented_word(random: Random, endings: tuple[str, ...]) -> str:
    """Make a name-like word out of syllables."""
    middle = random.choice(_MIDDLES) + random.choice(_VOWELS) if random.random() < 0.3 else ""
    stem = random.choice(_ONSETS) + random.choice(_VOWELS) + middle
    return stem + random.choice(_MIDDLES) + random.choice(endings)


def invented_surname(random: Random) -> str:
    """Make a last name that no list holds."""
    return invented_word(random, _ENDINGS)


def _first_name(random: Random, female: bool) -> str:
    if random.random() < _INVENTED:
        return invented_word(random, _FIRST_ENDINGS)
    return capitalised(random.choice(_pool("first_names_female" if female else "first_names_male")))


def _last_name(random: Random) -> str:
    chance = random.random()
    if chance < _HYPHENATED:
        return f"{_last_name(random)}-{invented_surname(random)}"
    if chance < _HYPHENATED + _INVENTED:
        return invented_surname(random)
    # People are also called Hodgkin and Foley; a context must tell.
    pool = "eponyms" if random.random() < _ALSO_EPONYM else "last_names"
    return capitalised(random.choice(_pool(pool)))


def capitalised(name: str) -> str:
    """Write a lower-case name with its capitals: ``Lee``, ``McLee``, ``Lee-Ann``."""
    if name.startswith("mc") and len(name) > 4:
        return f"Mc{name[2:].title()}"
    return name.title()


@cache
def _pool(name: str) -> tuple[str, ...]:
    words = lexicon("last_names") & lexicon("eponyms") if name == "eponyms" else lexicon(name)
    return tuple(sorted(words))
