"""The features whose embeddings are summed for each token; none is about a neighbour."""

from __future__ import annotations

from multideid.features.chunks import POSITION_IN_CHUNK, of_part_set
from multideid.features.common import (
    CAPITALS,
    CHUNK_SHAPE,
    CHUNK_SHORT_SHAPE,
    FIELD_LABEL,
    HEADING,
    LINE_NUMBER,
    LINE_START,
    LOWER,
    NORM,
    POSITION,
    SHAPE,
    SHORT_SHAPE,
    SPACE,
    prefix,
    suffix,
)
from multideid.features.initials import INITIALS
from multideid.features.layout import (
    DOCUMENT_CASE,
    LINE_CASE,
    LINE_LENGTH,
    LINES_TO_END,
    NEXT_LINE,
    PREVIOUS_LINE,
)
from multideid.features.lexical import WORD_LISTS
from multideid.features.partial_dates import PARTIAL_DATE
from multideid.features.patterns import matching_patterns
from multideid.features.strings import character_ngrams
from multideid.features.templates import Template, bags, each
from multideid.features.terms import CLINICAL_TERM, ORGANIZATION
from multideid.features.views import of_type_set
from multideid.features.word_classes import FREQUENT_CLASSES, RARE_CLASSES, WORD_GROUP

_LONGEST_NGRAM = 4
_NGRAMS = of_type_set(
    "short character n-grams", lambda word: character_ngrams(word, _LONGEST_NGRAM)
)
_PATTERNS = of_part_set("patterns of part", matching_patterns)

_OF_WORD = (NORM, LOWER, SHAPE, SHORT_SHAPE, CAPITALS)
_OF_CHUNK = (CHUNK_SHAPE, CHUNK_SHORT_SHAPE, POSITION_IN_CHUNK)
_OF_DOCUMENT = (PARTIAL_DATE,)
_OF_LINE = (FIELD_LABEL, HEADING, LINE_START, SPACE, POSITION, LINE_NUMBER, LINES_TO_END)
_OF_LAYOUT = (LINE_LENGTH, LINE_CASE, DOCUMENT_CASE, PREVIOUS_LINE, NEXT_LINE)
_OF_CLASSES = (FREQUENT_CLASSES, RARE_CLASSES, WORD_GROUP)


def convnet_templates() -> list[Template]:
    """Return all templates of the system."""
    groups = {
        "word": _OF_WORD,
        # Shorter ones are among the n-grams, which include the word's boundaries.
        "affix": [view(length) for view in (prefix, suffix) for length in (4, 5)],
        "chunk": _OF_CHUNK,
        "document": _OF_DOCUMENT,
        "line": _OF_LINE,
        "layout": _OF_LAYOUT,
        "word classes": _OF_CLASSES,
        "terms": (ORGANIZATION, CLINICAL_TERM, INITIALS),
    }
    singles = [
        t for name, views in groups.items() for view in views for t in each(view, (0,), name)
    ]
    return [
        *singles,
        *bags(_NGRAMS, (0,), "character n-grams"),
        *bags(WORD_LISTS, (0,), "word lists"),
        *bags(_PATTERNS, (0,), "patterns"),
    ]
