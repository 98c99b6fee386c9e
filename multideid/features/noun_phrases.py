"""Noun phrases, and their medical subject headings (MeSH)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray
from multideid.features.lexical import part_of_speech
from multideid.features.views import SetColumn, SetView, index_sets
from multideid.knowledge.mesh import Heading, MeshLookup, phrase_key
from multideid.knowledge.resources import load_mesh
from multideid.text.table import TokenTable

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_BEFORE_NOUNS = ("JJ", "JJR", "JJS", "VBG", "VBN", "CD", "FW")
_MOST_TOKENS = 12


class Phrase(NamedTuple):
    """The rows of a noun phrase, half-open."""

    first: int
    stop: int


def noun_phrases(table: TokenTable, tagger: str = "lexicon") -> list[Phrase]:
    """Return the noun phrases of a table, without determiners.

    A noun phrase is a run of nouns, adjectives, participles, numbers and
    hyphenated words within one sentence that ends with a noun.

    Parameters
    ----------
    table : TokenTable
    tagger : str
        As `multideid.text.pos.pos_column`.

    Returns
    -------
    list of Phrase
        In text order. Phrases of more than twelve tokens are cut to the last twelve.
    """
    tags = part_of_speech(tagger).column(table)
    noun = np.isin(tags.names, _NOUNS)[tags.codes]
    inside = noun | np.isin(tags.names, _BEFORE_NOUNS)[tags.codes] | _hyphenated(table)
    return list(_runs(inside, noun, table))


def _hyphenated(table: TokenTable) -> BoolArray:
    """Mark hyphens without white space around them, and the words that they join."""
    hyphens = np.array([word == "-" for word in table.vocabulary], dtype=np.bool_)[table.type]
    hyphens &= ~table.space & (table.position > 0)
    hyphens[:-1] &= ~table.space[1:]
    joined = hyphens.copy()
    joined[:-1] |= hyphens[1:]
    joined[1:] |= hyphens[:-1]
    return joined


def _runs(inside: BoolArray, noun: BoolArray, table: TokenTable) -> Iterator[Phrase]:
    same = np.zeros(len(table), dtype=np.bool_)
    same[1:] = (table.sentence[1:] == table.sentence[:-1]) & inside[:-1]
    begins = np.flatnonzero(inside & ~same)
    ends = np.flatnonzero(inside & ~np.append(same[1:] & inside[1:], False)) + 1
    # A run ends with its last noun; a run without nouns is no phrase.
    last = np.maximum.accumulate(np.where(noun, np.arange(1, len(table) + 1), 0))
    stops = last[ends - 1] if len(ends) else ends
    for first, stop in zip(begins.tolist(), stops.tolist(), strict=True):
        if stop > first:
            yield Phrase(max(first, stop - _MOST_TOKENS), stop)


@cache
def mesh_headings(tagger: str = "lexicon", fingerprint: str | None = None) -> SetView:
    """Return the view of the MeSH headings of each token's noun phrase.

    The heading of a phrase is that of its longest sub-phrase with a heading,
    and of its last one if several are equally long: ``severe heart failure``
    has the heading of heart failure. The values are the descriptor's
    identifier and its ancestors in the hierarchy (thesis 2.1; Uzuner 2008).

    Parameters
    ----------
    tagger : str
        As `multideid.text.pos.pos_column`.
    fingerprint : str, optional
        Fingerprint of the MeSH resource. Default: the one that was added.

    Raises
    ------
    UsageError
        On computation, if MeSH was not added or has another fingerprint.
    """
    return SetView(f"mesh {tagger}", lambda table: _headings(table, tagger, load_mesh(fingerprint)))


def _headings(table: TokenTable, tagger: str, lookup: MeshLookup) -> SetColumn:
    rows = np.zeros(len(table), dtype=np.int32)
    known: dict[bytes, int] = {}
    numbers: dict[Heading | None, int] = {None: 0}
    for first, stop in noun_phrases(table, tagger):
        types = table.type[first:stop].tobytes()
        if types not in known:
            words = [table.vocabulary[t] for t in table.type[first:stop].tolist()]
            known[types] = numbers.setdefault(_heading(words, lookup), len(numbers))
        rows[first:stop] = known[types]
    return SetColumn(rows, *index_sets(map(_values, numbers)))


def _heading(words: Sequence[str], lookup: MeshLookup) -> Heading | None:
    for length in range(len(words), 0, -1):
        for first in range(len(words) - length, -1, -1):
            heading = lookup.find(phrase_key("".join(words[first : first + length])))
            if heading is not None:
                return heading
    return None


def _values(heading: Heading | None) -> tuple[str, ...]:
    return () if heading is None else (heading.ui, *heading.categories())
