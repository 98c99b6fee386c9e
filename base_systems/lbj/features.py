"""The feature templates of both stages (thesis 2.4; Ratinov & Roth 2009)."""

from __future__ import annotations

import numpy as np

from multideid.arrays import IntArray
from multideid.csr import Csr, bounds_of
from multideid.features.common import (
    CAPITALS,
    CONTEXT_FIELD_LABEL,
    CONTEXT_NEXT,
    CONTEXT_PREVIOUS,
    FIELD_LABEL,
    HEADING,
    LINE_START,
    LOWER,
    NORM,
    SHORT_SHAPE,
    WORD,
    prefix,
    suffix,
)
from multideid.features.document_context import same_word_pairs
from multideid.features.initials import initials_templates
from multideid.features.layout import layout_templates
from multideid.features.lexical import WORD_LISTS
from multideid.features.templates import Template, bags, each, joined
from multideid.features.terms import organization_templates
from multideid.features.views import shift
from multideid.features.word_classes import word_class_templates
from multideid.text.table import TokenTable

OFFSETS = (-3, -2, -1, 0, 1, 2, 3)
"""Where the neighbours stand whose tags stage two sees."""


def lbj_templates() -> list[Template]:
    """Return the templates of stage one."""
    return [
        *each(WORD, (0,), "word"),
        *each(LOWER, range(-2, 3), "word"),
        *each(NORM, range(-2, 3), "word"),
        *each(CAPITALS, range(-2, 3), "capitals"),
        joined("capitals", *((CAPITALS, i) for i in range(-2, 3))),
        *each(SHORT_SHAPE, range(-2, 3), "word type"),
        *[t for n in range(1, 6) for t in each(prefix(n), (0,), "affix")],
        *[t for n in range(1, 6) for t in each(suffix(n), (0,), "affix")],
        *[joined("word bigram", (NORM, i), (NORM, i + 1)) for i in range(-2, 2)],
        *bags(WORD_LISTS, (-1, 0, 1), "word lists"),
        *each(FIELD_LABEL, (0,), "field label"),
        joined("field label", (FIELD_LABEL, 0), (SHORT_SHAPE, 0)),
        *each(HEADING, (0,), "field label"),
        *each(LINE_START, (0,), "field label"),
        *bags(CONTEXT_FIELD_LABEL, (0,), "document context"),
        *bags(CONTEXT_PREVIOUS, (0,), "document context"),
        *bags(CONTEXT_NEXT, (0,), "document context"),
        *word_class_templates(),
        *initials_templates(),
        *organization_templates(),
        *layout_templates(),
    ]


def paper_templates() -> list[Template]:
    """Return the features of the thesis's section 2.4, and no others, for stage one."""
    return [
        *each(WORD, range(-2, 3), "word"),
        *each(CAPITALS, (0,), "word type"),
        *[t for n in range(1, 6) for t in each(prefix(n), (0,), "affix")],
        *[t for n in range(1, 6) for t in each(suffix(n), (0,), "affix")],
        joined("capitals", *((CAPITALS, i) for i in range(-2, 3))),
    ]


def n_stage_one_features(n_labels: int) -> int:
    """Return the number of columns of `stage_one_features`."""
    return len(OFFSETS) * (n_labels + 1) + (n_labels + 1) ** 2 + n_labels


def stage_one_features(table: TokenTable, decided: IntArray, n_labels: int) -> Csr:
    """Return what stage one decided about neighbours and about the same word elsewhere.

    Parameters
    ----------
    table : TokenTable
    decided : int32 array, shape (n_tokens,)
        Stage one's tag of every token.
    n_labels : int

    Returns
    -------
    float32 Csr, shape (n_tokens, 7 * (n_labels + 1) + (n_labels + 1)**2 + n_labels)
        Columns: seven neighbours' tags, left and right neighbour's together, elsewhere.
    """
    neighbours = [shift(decided, table.document, offset, n_labels) for offset in OFFSETS]
    blocks = [Csr.one_hot(column, n_labels + 1) for column in neighbours]
    pairs = [neighbours[2] * (n_labels + 1) + neighbours[4]]
    blocks += [Csr.one_hot(column, (n_labels + 1) ** 2) for column in pairs]
    blocks.append(_elsewhere(table, decided, n_labels))
    return Csr.side_by_side(blocks)


def _elsewhere(table: TokenTable, decided: IntArray, n_labels: int) -> Csr:
    """Mark each tag that the word's other occurrences in the document were given."""
    here, there = same_word_pairs(table)
    cells = np.unique(here.astype(np.int64) * n_labels + decided[there])
    counts = np.bincount(cells // n_labels, minlength=len(table))
    return Csr.of_ones((cells % n_labels).astype(np.int32), bounds_of(counts), n_labels)
