"""Word lists, loaded on first use.

`docs/reference/lexicons.md` lists the sources and the reasons for choosing them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import numpy as np

from multideid.arrays import BoolArray, UIntArray
from multideid.errors import UsageError
from multideid.knowledge import names_and_places, word_lists
from multideid.text.brill import brill_lexicon
from multideid.text.phrases import PhraseSet
from multideid.text.table import TokenTable
from multideid.text.word_table import WordSet, WordTable

_MAJOR_POPULATION = 100_000
_PROPER_NOUNS = ("NNP", "FW")


@cache
def lexicon(name: str) -> frozenset[str]:
    """Return the entries of a word list, lower case.

    Parameters
    ----------
    name : str
        One of `LEXICON_NAMES`.

    Returns
    -------
    frozenset of str
        The same object at every call. Entries may hold several words
        (``"new york"``) and punctuation (``"winston-salem"``).

    Raises
    ------
    UsageError
        If there is no such word list.

    Examples
    --------
    >>> "susan" in lexicon("first_names_female")
    True
    """
    if name not in _LOADERS:
        raise _unknown(name)
    return frozenset(_LOADERS[name]())


def word_set(*names: str) -> WordSet:
    """Return the union of one or more word lists, for membership tests.

    All lists share one table, which takes a tenth of the memory of the sets
    that `lexicon` returns.

    Parameters
    ----------
    *names : str
        Of `LEXICON_NAMES`.

    Raises
    ------
    UsageError
        If there is no such word list.

    Examples
    --------
    >>> "susan" in word_set("first_names_female", "first_names_male")
    True
    """
    for name in names:
        if name not in _LOADERS:
            raise _unknown(name)
    return WordSet(_table(), sum(1 << LEXICON_NAMES.index(name) for name in set(names)))


@cache
def _table() -> WordTable:
    return WordTable(load() for load in _LOADERS.values())


def _unknown(name: str) -> UsageError:
    return UsageError(f"no word list named {name!r}; there are: {', '.join(LEXICON_NAMES)}")


def match_phrases(table: TokenTable, name: str) -> BoolArray:
    """Mark the tokens that are part of an entry of a word list.

    Case and the kind and amount of white space between words are ignored; an
    entry does not match across a line end. ``Mc|Donald``, which the tokenizer
    splits at the inner capital, is looked up as one word.

    Parameters
    ----------
    table : TokenTable
    name : str
        One of `LEXICON_NAMES`.

    Returns
    -------
    bool array, shape (n_tokens,)

    Raises
    ------
    UsageError
        If there is no such word list.
    """
    if name not in _LOADERS:
        raise _unknown(name)
    return (match_lists(table) >> LEXICON_NAMES.index(name) & 1).astype(np.bool_)


def match_lists(table: TokenTable) -> UIntArray:
    """Return the word lists that contain each token's word or phrase, as bits.

    Matches as `match_phrases` does, but all lists in one pass, once per table.

    Parameters
    ----------
    table : TokenTable

    Returns
    -------
    uint32 array, shape (n_tokens,)
        Bit ``k`` belongs to ``LEXICON_NAMES[k]``.
    """
    return table.cached("word lists", lambda table: _phrases().match(table))


@cache
def _phrases() -> PhraseSet:
    return PhraseSet(_table())


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
            parts = unicodedata.normalize("NFKD", plain)
            yield "".join(c for c in parts if not unicodedata.combining(c))


def _medical_words() -> list[str]:
    return [*word_lists.EPONYMS.split(), *word_lists.CLINICAL_TERMS.split()]


_LOADERS: dict[str, Callable[[], Iterable[str]]] = {
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

LEXICON_NAMES = tuple(_LOADERS)
"""The word lists of `lexicon` and `match_phrases`."""
