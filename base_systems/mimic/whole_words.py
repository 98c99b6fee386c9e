"""The words of a batch of notes as patterns see them, as columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, IntegerArray, LongArray
from multideid.base_systems.mimic.classes import combinations, members, tested
from multideid.text.numbering import distinct
from multideid.text.table import TokenTable

LETTERS = tested(lambda word: word[0].isalpha())


class WholeWords(NamedTuple):
    """Words and marks; one that the tokenizer parts at a capital (``Mc|Donald``) is one word.

    Parameters
    ----------
    start, end : int32 or int64 arrays, shape (n_words,)
        Places as characters of the joined notes, and as wide as those need.
    token : array of the same type, shape (n_words,)
        Row of each word's first token in the table.
    kind : int32 array, shape (n_words,)
        Index of each word in `vocabulary`.
    vocabulary : list of str
        Distinct words.
    combination : int32 array, shape (n_types,)
        What `combinations` gives for `vocabulary`.
    """

    start: IntegerArray
    end: IntegerArray
    token: IntegerArray
    kind: IntArray
    vocabulary: list[str]
    combination: IntArray


def whole_words(table: TokenTable, text: str, base: LongArray) -> WholeWords:
    """Return the words of a table.

    Parameters
    ----------
    table : TokenTable
    text : str
        The notes of the table, joined by one character.
    base : int64 array, shape (n_documents + 1,)
        Where each note begins in `text`.
    """
    # Half as wide wherever that is enough: of a long note these are most of the memory in use.
    size: type[np.integer] = np.int32 if len(text) <= np.iinfo(np.int32).max else np.int64
    offset = base.astype(size)[table.document]
    start, end = table.start + offset, table.end + offset
    combination = combinations(table.vocabulary)
    letters = members(LETTERS)[combination][table.written]
    glued = np.append(False, letters[1:] & letters[:-1] & (start[1:] == end[:-1]))
    first = np.flatnonzero(~glued[: len(table)]).astype(size)
    last = np.append(first[1:], len(table))[: len(first)] - 1
    start, end, kind = start[first], end[last], table.written[first]
    many = np.flatnonzero(last > first)
    places = zip(start[many].tolist(), end[many].tolist(), strict=True)
    code, joined = distinct([text[low:high] for low, high in places])
    kind[many] = len(table.vocabulary) + code
    vocabulary = [*table.vocabulary, *joined]
    combination = np.append(combination, combinations(joined))
    return WholeWords(start, end, first, kind, vocabulary, combination)
