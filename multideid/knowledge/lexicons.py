"""Word lists, read on first use from one packed table, which ``scripts/lexicons`` makes.

`docs/reference/lexicons.md` lists the sources and the reasons for choosing them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from multideid.arrays import BoolArray, UIntArray
from multideid.errors import UsageError
from multideid.text.phrases import PhraseSet
from multideid.text.table import TokenTable
from multideid.text.word_table import WordSet

PATH = Path(__file__).parent / "data" / "lexicons.npz"
"""The packed table: the arrays of a `PhraseSet`."""


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
    if name not in LEXICON_NAMES:
        raise _unknown(name)
    return frozenset(word_set(name))


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
        if name not in LEXICON_NAMES:
            raise _unknown(name)
    return WordSet(_phrases().phrases, sum(1 << LEXICON_NAMES.index(name) for name in set(names)))


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
    if name not in LEXICON_NAMES:
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
    return PhraseSet.load(PATH)


LEXICON_NAMES = (
    "first_names_female",
    "first_names_male",
    "last_names",
    "cities",
    "major_cities",
    "countries",
    "us_states",
    "us_state_codes",
    "nationalities",
    "months",
    "weekdays",
    "titles",
    "hospital_words",
    "common_words",
    "eponyms",
    "medical_words",
)
"""The word lists of `lexicon` and `match_phrases`; a list is the bit of its place."""
