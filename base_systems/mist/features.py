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
from multideid.features.patterns import matching_patterns
from multideid.features.templates import Template, bags, each, joined
from multideid.features.views import of_type_set
from multideid.features.word_classes import word_group_templates

_TOKEN_PATTERNS = of_type_set("mist patterns", matching_patterns)
_CHUNK_PATTERNS = of_chunk_set("mist patterns of chunk", matching_patterns)
_PART_PATTERNS = of_part_set("mist patterns of part", matching_patterns)


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
        *word_group_templates(),
        *layout_templates(),
    ]
