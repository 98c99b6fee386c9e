"""The feature templates of Stat-Deid (thesis 2.1), with those of Sibanda & Uzuner."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from multideid.arrays import IntegerArray
from multideid.features.chunks import of_chunk
from multideid.features.common import (
    CAPITALS,
    CHUNK_SHAPE,
    CONTEXT_FIELD_LABEL,
    FIELD_LABEL,
    HEADING,
    LENGTH,
    LOWER,
    SHORT_SHAPE,
    WORD,
)
from multideid.features.layout import layout_templates
from multideid.features.lexical import PHI_LISTS, part_of_speech, word_lists
from multideid.features.noun_phrases import mesh_headings
from multideid.features.syntax import LEFT_BIGRAMS, RIGHT_BIGRAMS
from multideid.features.templates import Template, bags, each, joined
from multideid.features.views import of_numbers, of_type, shift
from multideid.features.word_classes import word_group_templates
from multideid.text.table import TokenTable

_MOST_CACHED = 20_000
DICTIONARIES = word_lists("stat-deid dictionaries", PHI_LISTS)


@cache
def _stemmer() -> Any:
    # That of NLTK gives the same stems, but importing NLTK takes over a second.
    from snowballstemmer import stemmer

    return stemmer("english")


@lru_cache(_MOST_CACHED)
def _stem(word: str) -> str:
    # A word without letters is its own stem, and most words that are new are numbers.
    return str(_stemmer().stemWord(word.lower())) if word[0].isalpha() else word


STEM = of_type("stem", _stem)


def _dash_or_slash(table: TokenTable) -> IntegerArray:
    """Return 4, 2 and 1, added, for a dash or slash here, and joined to the left and right."""
    marks = np.array([w in "-/" for w in table.vocabulary], dtype=np.int32)
    here, joined = marks[table.type], (~table.space).astype(np.int32)
    left = shift(here, table.document, -1, 0) * joined
    right = shift(here * joined, table.document, 1, 0)
    found: IntegerArray = here * 4 + left * 2 + right
    return found


DASH_OR_SLASH = of_numbers("dash or slash", _dash_or_slash)


CAPITALIZED = of_type("capitalized", lambda word: "yes" if word[0].isupper() else "")
# The papers' words are separated by white space, so that dates are single words.
HAS_DASH_OR_SLASH = of_chunk(
    "has dash or slash", lambda chunk: "yes" if {"-", "/"} & set(chunk) else ""
)


def syntax_templates() -> list[Template]:
    """Return the templates of syntactic bigrams, to either side of the word."""
    sides = (LEFT_BIGRAMS, RIGHT_BIGRAMS)
    return [template for side in sides for template in bags(side, (0,), "syntactic bigram")]


def mesh_templates(pos_tagger: str, fingerprint: str | None = None) -> list[Template]:
    """Return the templates of the headings of the noun phrase; parameters as `mesh_headings`."""
    return bags(mesh_headings(pos_tagger, fingerprint), (0,), "mesh")


def stat_deid_templates(pos_tagger: str) -> list[Template]:
    """Return the templates that need no knowledge source."""
    pos = part_of_speech(pos_tagger)
    return [
        *each(WORD, (0,), "word"),
        *each(LOWER, (0,), "word"),
        *each(STEM, range(-3, 4), "word"),
        *[joined("lexical bigram", (STEM, i), (STEM, i + 1)) for i in range(-2, 2)],
        *[joined("lexical bigram", (STEM, i), (STEM, i + 2)) for i in (-2, -1, 0)],
        joined("lexical bigram", (STEM, -3), (STEM, -2), (STEM, -1)),
        joined("lexical bigram", (STEM, 1), (STEM, 2), (STEM, 3)),
        *each(pos, (-1, 0, 1), "part of speech"),
        *each(CAPITALS, (-2, -1, 0, 1, 2), "capitals"),
        joined("capitals", (CAPITALS, -1), (CAPITALS, 0), (CAPITALS, 1)),
        *each(LENGTH, (0,), "length"),
        joined("length", (SHORT_SHAPE, 0), (LENGTH, 0)),
        joined("length", (LENGTH, -1), (LENGTH, 0), (LENGTH, 1)),
        *bags(DICTIONARIES, (-1, 0, 1), "dictionaries"),
        *each(HEADING, (0,), "heading"),
        *each(FIELD_LABEL, (0,), "heading"),
        joined("heading", (FIELD_LABEL, 0), (CAPITALS, 0)),
        joined("heading", (FIELD_LABEL, 0), (STEM, -1)),
        *each(DASH_OR_SLASH, (-1, 0, 1), "dash or slash"),
        *each(CHUNK_SHAPE, (-1, 0, 1), "dash or slash"),
        *bags(CONTEXT_FIELD_LABEL, (0,), "document context"),
        *word_group_templates(),
        *layout_templates(),
    ]


def paper_templates(pos_tagger: str) -> list[Template]:
    """Return the features of the thesis's section 2.1 that need no knowledge source."""
    return [
        *each(WORD, (0,), "word"),
        joined("lexical bigram", (WORD, -2), (WORD, -1)),
        joined("lexical bigram", (WORD, 1), (WORD, 2)),
        *each(part_of_speech(pos_tagger), (0,), "part of speech"),
        *each(CAPITALIZED, (0,), "capitals"),
        *each(LENGTH, (0,), "length"),
        *bags(DICTIONARIES, (0,), "dictionaries"),
        *each(HEADING, (0,), "heading"),
        *each(HAS_DASH_OR_SLASH, (0,), "dash or slash"),
    ]
