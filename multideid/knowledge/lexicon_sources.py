"""The sources of the word lists, from which ``scripts/lexicons`` packs the table of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from multideid.accents import without_accents
from multideid.knowledge import names_and_places, word_lists
from multideid.knowledge.lexicons import LEXICON_NAMES
from multideid.text.brill_lexicon import brill_lexicon
from multideid.text.phrases import PhraseSet

_MAJOR_POPULATION = 100_000
_PROPER_NOUNS = ("NNP", "FW")


def _common_words() -> Iterator[str]:
    return (
        word
        for word, tags in brill_lexicon()
        if word.islower() and word[0].isalpha() and not tags.startswith(_PROPER_NOUNS)
    )


def _cities(smallest: int = 0) -> Iterator[str]:
    return _spellings(names_and_places.city_names(smallest))


def _countries() -> Iterator[str]:
    return _spellings(names_and_places.countries())


def _us_states() -> Iterator[str]:
    return (name.lower() for name in names_and_places.us_states().values())


def _us_state_codes() -> Iterator[str]:
    return (code.lower() for code in names_and_places.us_states())


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """Yield each name in lower case, and again without accents if it has any."""
    # Normal forms of all names together take a tenth of the time.
    lower = unicodedata.normalize("NFC", "\n".join(names).lower()).split("\n")
    for name in lower:
        plain = name.strip()
        yield plain
        if not plain.isascii():
            yield without_accents(plain)


def _medical_words() -> list[str]:
    return [*word_lists.EPONYMS.split(), *word_lists.CLINICAL_TERMS.split()]


LOADERS: Mapping[str, Callable[[], Iterable[str]]] = {
    "first_names_female": lambda: names_and_places.census_names("female"),
    "first_names_male": lambda: names_and_places.census_names("male"),
    "last_names": lambda: names_and_places.census_names("last"),
    "cities": _cities,
    "major_cities": lambda: _cities(_MAJOR_POPULATION),
    "countries": _countries,
    "us_states": _us_states,
    "us_state_codes": _us_state_codes,
    "nationalities": word_lists.NATIONALITIES.split,
    "months": word_lists.MONTHS.split,
    "weekdays": word_lists.WEEKDAYS.split,
    "titles": word_lists.TITLES.split,
    "hospital_words": word_lists.HOSPITAL_WORDS.split,
    "common_words": _common_words,
    "eponyms": word_lists.EPONYMS.split,
    "medical_words": _medical_words,
}
"""Functions that return the entries of each word list, lower case."""


def build_phrases() -> PhraseSet:
    """Make the phrase set of all word lists; the package has an equal one, packed."""
    return PhraseSet.build(*(LOADERS[name]() for name in LEXICON_NAMES))
