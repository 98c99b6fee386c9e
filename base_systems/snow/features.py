"""The feature templates of SNoW's entity recognizer (Roth & Yih 2002)."""

from __future__ import annotations

import numpy as np

from multideid.arrays import IntegerArray
from multideid.features.chunks import POSITION_IN_CHUNK
from multideid.features.common import (
    CAPITALS,
    CHUNK_NORM,
    CHUNK_SHAPE,
    CHUNK_SHORT_SHAPE,
    FIELD_LABEL,
    HEADING,
    LINE_START,
    NORM,
    POSITION,
    SHORT_SHAPE,
    WORD,
    prefix,
    suffix,
)
from multideid.features.lexical import PHI_LISTS, part_of_speech, word_lists
from multideid.features.templates import Template, bags, each, joined
from multideid.features.views import of_numbers
from multideid.text.table import TokenTable

_DICTIONARIES = word_lists("snow dictionaries", PHI_LISTS)
_LONGEST_RUN = 6


def _capital_run(table: TokenTable) -> IntegerArray:
    """The number of capitalised words that stand in a row, the token's among them."""
    initial = np.array([w[0].isupper() for w in table.vocabulary], dtype=np.bool_)[table.type]
    run = np.cumsum(np.diff(initial, prepend=False) | (table.position == 0))
    return np.where(initial, np.minimum(np.bincount(run)[run], _LONGEST_RUN), 0)


_CAPITAL_RUN = of_numbers("snow capital run", _capital_run)


def words_and_tags(pos_tagger: str) -> list[Template]:
    """Return words, tags, their conjunctions, and bigrams and trigrams of both."""
    pos = part_of_speech(pos_tagger)
    return [
        *each(WORD, (0,), "word"),
        *each(NORM, range(-3, 4), "word"),
        *each(pos, range(-2, 3), "part of speech"),
        *[joined("word and tag", (NORM, i), (pos, i)) for i in (-1, 0, 1)],
        *[joined("word and tag", (NORM, i), (pos, 0)) for i in (-1, 1)],
        *[joined("word bigram", (NORM, i), (NORM, i + 1)) for i in range(-3, 3)],
        *[joined("part of speech", (pos, i), (pos, i + 1)) for i in range(-2, 2)],
        *[joined("word trigram", *((NORM, i + k) for k in range(3))) for i in range(-3, 2)],
        *[joined("part of speech", *((pos, i + k) for k in range(3))) for i in (-2, -1, 0)],
    ]


def attributes() -> list[Template]:
    """Return affixes, capitals, and dictionaries of people, organisations and places."""
    return [
        *[t for n in range(2, 5) for t in each(prefix(n), (0,), "affix")],
        *[t for n in range(2, 5) for t in each(suffix(n), (0,), "affix")],
        *each(CAPITALS, range(-2, 3), "capitals"),
        *each(SHORT_SHAPE, (-1, 0, 1), "shape"),
        joined("capitals", (CAPITALS, -1), (CAPITALS, 0), (CAPITALS, 1)),
        *bags(_DICTIONARIES, (-1, 0, 1), "dictionaries"),
    ]


def phrase() -> list[Template]:
    """Return what the paper takes from the whole entity: its length, and its words together."""
    return [
        *each(_CAPITAL_RUN, (0,), "length"),
        *each(CHUNK_SHAPE, (-1, 0, 1), "chunk"),
        *each(CHUNK_NORM, (0,), "chunk"),
        joined("chunk", (CHUNK_SHORT_SHAPE, 0), (POSITION_IN_CHUNK, 0)),
    ]


def layout() -> list[Template]:
    """Return where the token stands: notes have labels and headings where news has sentences."""
    return [
        *each(HEADING, (0,), "heading"),
        *each(FIELD_LABEL, (0,), "field label"),
        joined("field label", (FIELD_LABEL, 0), (NORM, -1)),
        joined("field label", (FIELD_LABEL, 0), (SHORT_SHAPE, 0)),
        joined("line", (LINE_START, 0), (POSITION, 0)),
    ]


def snow_templates(pos_tagger: str) -> list[Template]:
    """Return all templates of the system."""
    return [*words_and_tags(pos_tagger), *attributes(), *phrase(), *layout()]
