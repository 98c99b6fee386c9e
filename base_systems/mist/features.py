"""The feature templates of MIST (thesis 2.3): patterns, word lists, words around."""

from __future__ import annotations

from multideid.features.chunks import of_chunk_set, of_part_set
from multideid.features.common import (
    CAPITALS,
    CHUNK_SHORT_SHAPE,
    CONTEXT_FIELD_LABEL,
    CONTEXT_PREVIOUS,
    FIELD_LABEL,
    HEADING,
    LINE_START,
    LOWER,
    NORM,
    POSITION,
    prefix,
    suffix,
)
from multideid.features.layout import layout_templates
from multideid.features.lexical import WORD_LISTS
from multideid.features.partial_dates import PARTIAL_DATE
from multideid.features.patterns import matching_patterns, matching_patterns_of_table_2_1
from multideid.features.templates import Template, bags, each, joined
from multideid.features.terms import ORGANIZATION
from multideid.features.views import of_type_set
from multideid.features.word_classes import word_group_templates

_TOKEN_PATTERNS = of_type_set("mist patterns", matching_patterns)
_CHUNK_PATTERNS = of_chunk_set("mist patterns of chunk", matching_patterns)
_PART_PATTERNS = of_part_set("mist patterns of part", matching_patterns)

_TABLE_2_1 = of_type_set("table 2.1", matching_patterns_of_table_2_1)
# The paper's words are separated by white space: a phone number is one of them.
_TABLE_2_1_OF_CHUNK = of_chunk_set("table 2.1 of chunk", matching_patterns_of_table_2_1)


def mist_templates() -> list[Template]:
    """Return all templates of the system."""
    return [
        *bags(_TOKEN_PATTERNS, range(-2, 3), "patterns"),
        *bags(_CHUNK_PATTERNS, (-1, 0, 1), "patterns"),
        *bags(_PART_PATTERNS, (-1, 0, 1), "patterns"),
        *bags(WORD_LISTS, range(-1, 2), "word lists"),
        *each(LOWER, (0,), "word"),
        *each(NORM, range(-3, 4), "word"),
        *[joined("word bigram", (NORM, i), (NORM, i + 1)) for i in range(-2, 2)],
        *[joined("capitals", (CAPITALS, i), (CAPITALS, i + 1)) for i in range(-2, 2)],
        *each(prefix(3), (0,), "affix"),
        *each(suffix(3), (0,), "affix"),
        *each(CHUNK_SHORT_SHAPE, (-1, 0, 1), "chunk"),
        *each(FIELD_LABEL, (0,), "field label"),
        joined("field label", (FIELD_LABEL, 0), (CAPITALS, 0)),
        *each(HEADING, (0,), "heading"),
        joined("line", (LINE_START, 0), (POSITION, 0)),
        *bags(CONTEXT_FIELD_LABEL, (0,), "document context"),
        *bags(CONTEXT_PREVIOUS, (0,), "document context"),
        *each(PARTIAL_DATE, (0,), "document context"),
        *word_group_templates(),
        *each(ORGANIZATION, (-1, 0, 1), "organizations"),
        *layout_templates(),
    ]


def paper_templates() -> list[Template]:
    """Return the features of the thesis's section 2.3: Table 2.1 and dictionaries."""
    return [
        *bags(_TABLE_2_1, (0,), "patterns"),
        *bags(_TABLE_2_1_OF_CHUNK, (0,), "patterns"),
        *bags(WORD_LISTS, (0,), "word lists"),
    ]
