"""The feature templates of the Stanford system (thesis 2.2; Finkel et al. 2005)."""

from __future__ import annotations

from multideid.features.chunks import POSITION_IN_CHUNK
from multideid.features.common import (
    CHUNK_NORM,
    CHUNK_SHAPE,
    CHUNK_SHORT_SHAPE,
    CONTEXT_FIELD_LABEL,
    CONTEXT_NEXT,
    CONTEXT_PREVIOUS,
    FIELD_LABEL,
    HEADING,
    LINE_NUMBER,
    LINE_START,
    NORM,
    POSITION,
    SHAPE,
    SHORT_SHAPE,
    SPACE,
    WORD,
    prefix,
    suffix,
)
from multideid.features.initials import initials_templates
from multideid.features.layout import layout_templates
from multideid.features.lexical import WORD_LISTS, part_of_speech
from multideid.features.partial_dates import PARTIAL_DATE
from multideid.features.strings import character_ngrams
from multideid.features.templates import Template, Window, bags, each, joined
from multideid.features.views import of_type_set
from multideid.features.word_classes import word_class_templates

_NGRAMS = of_type_set("character n-grams", character_ngrams)


def listed_in_the_thesis(pos_tagger: str) -> list[Template]:
    """Return the features that the thesis lists for the Stanford NER."""
    pos = part_of_speech(pos_tagger)
    return [
        *each(WORD, (0,), "word"),
        *each(NORM, (-1, 0, 1), "word"),
        *bags(_NGRAMS, (0,), "character n-grams"),
        *each(pos, (-1, 0, 1), "part of speech"),
        *each(SHAPE, (-2, -1, 0, 1, 2), "shape"),
        Window(NORM, (-4, -3, -2, -1), "window"),
        Window(NORM, (4, 3, 2, 1), "window"),
    ]


def conjunctions(pos_tagger: str) -> list[Template]:
    """Return the recognizer's pairs and triples of neighbours."""
    pos = part_of_speech(pos_tagger)
    return [
        *each(NORM, (-4, -3, -2, 2, 3, 4), "word"),
        *each(SHORT_SHAPE, range(-4, 5), "shape"),
        *[joined("word bigram", (NORM, i), (NORM, i + 1)) for i in range(-3, 3)],
        *[joined("word trigram", *((NORM, i + k) for k in range(3))) for i in range(-3, 2)],
        *[joined("shape bigram", (SHORT_SHAPE, i), (SHORT_SHAPE, i + 1)) for i in range(-2, 2)],
        *[joined("shape trigram", *((SHORT_SHAPE, i + k) for k in range(3))) for i in range(-2, 1)],
        joined("part of speech", (pos, -1), (pos, 0)),
        joined("part of speech", (pos, 0), (pos, 1)),
    ]


def affixes() -> list[Template]:
    """Return the word's beginnings and ends, and its neighbours'."""
    return [
        template
        for length in range(1, 6)
        for template in (
            *each(prefix(length), (-1, 0, 1) if length == 3 else (0,), "affix"),
            *each(suffix(length), (-1, 0, 1) if length == 3 else (0,), "affix"),
        )
    ]


def layout() -> list[Template]:
    """Return where the token stands: under what label and heading, on what line."""
    return [
        *each(FIELD_LABEL, (0,), "field label"),
        joined("field label", (FIELD_LABEL, 0), (NORM, 0)),
        joined("field label", (FIELD_LABEL, 0), (SHORT_SHAPE, 0)),
        joined("field label", (FIELD_LABEL, 0), (LINE_START, 0)),
        *each(HEADING, (0,), "heading"),
        *each(LINE_START, (0,), "line"),
        joined("line", (LINE_START, 0), (POSITION, 0)),
        *each(LINE_NUMBER, (0,), "line"),
        joined("line", (LINE_NUMBER, 0), (SHORT_SHAPE, 0)),
        *each(SPACE, (0, 1), "space"),
        *each(CHUNK_SHAPE, (-1, 0, 1), "chunk"),
        *each(CHUNK_NORM, (0,), "chunk"),
        joined("chunk", (CHUNK_SHORT_SHAPE, 0), (POSITION_IN_CHUNK, 0)),
    ]


def document_context() -> list[Template]:
    """Return the features of other occurrences of the word in the document."""
    return [
        *bags(CONTEXT_FIELD_LABEL, (0,), "document context"),
        *bags(CONTEXT_PREVIOUS, (0,), "document context"),
        *bags(CONTEXT_NEXT, (0,), "document context"),
        *each(PARTIAL_DATE, (0,), "document context"),
    ]


def stanford_templates(pos_tagger: str) -> list[Template]:
    """Return all templates of the system."""
    return [
        *listed_in_the_thesis(pos_tagger),
        *conjunctions(pos_tagger),
        *affixes(),
        *layout(),
        *document_context(),
        *bags(WORD_LISTS, (-1, 0, 1), "word lists"),
        *word_class_templates(),
        *initials_templates(),
        *layout_templates(),
    ]


def paper_templates(pos_tagger: str) -> list[Template]:
    """Return the features of the thesis's section 2.2, and no others."""
    pos = part_of_speech(pos_tagger)
    return [
        *each(WORD, (-1, 0, 1), "word"),
        *bags(_NGRAMS, (0,), "character n-grams"),
        *each(pos, (-1, 0, 1), "part of speech"),
        *each(SHAPE, (-1, 0, 1), "shape"),
        Window(WORD, (-4, -3, -2, -1), "window"),
        Window(WORD, (4, 3, 2, 1), "window"),
    ]
