"""Views that several systems share; each is computed once per table."""

from __future__ import annotations

from functools import cache

import numpy as np

from multideid.arrays import IntegerArray
from multideid.features import strings, views
from multideid.features.chunks import of_chunk
from multideid.features.document_context import document_context
from multideid.features.views import Column, View, of_numbers, of_type
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

WORD = of_type("word", str)
LOWER = views.LOWER
NORM = of_type("norm", strings.digits_to_zero)
SHAPE = of_type("shape", strings.shape)
SHORT_SHAPE = of_type("short shape", strings.short_shape)
CAPITALS = of_type("capitals", strings.capitalization)
LENGTH = of_type("length", lambda w: str(min(len(w), 20)))


@cache
def prefix(length: int) -> View:
    """Return the view of the word's first characters, "" if the word is shorter."""
    return of_type(f"prefix {length}", lambda w: w[:length].lower() if len(w) >= length else "")


@cache
def suffix(length: int) -> View:
    """Return the view of the word's last characters, "" if the word is shorter."""
    return of_type(f"suffix {length}", lambda w: w[-length:].lower() if len(w) >= length else "")


CHUNK_SHAPE = of_chunk("chunk shape", strings.shape)
CHUNK_SHORT_SHAPE = of_chunk("chunk short shape", strings.short_shape)
CHUNK_NORM = of_chunk("chunk norm", strings.digits_to_zero)

FIELD_LABEL = View("field label", lambda table: Column(table.field_label, table.headings))
HEADING = View("heading", lambda table: Column(table.heading, table.headings))
SPACE = of_numbers("space", lambda table: table.space.astype(np.int64))
POSITION = of_numbers("position", lambda table: np.minimum(table.position, 6))


def _line_numbers(table: TokenTable) -> IntegerArray:
    first_line = np.zeros(len(table.ids), dtype=np.int32)
    filled = table.first[:-1] < table.first[1:]
    first_line[filled] = table.line[table.first[:-1][filled]]
    return np.asarray(np.minimum(table.line - first_line[table.document], 25))


def _line_start(table: TokenTable) -> Column:
    """Return the first word of each token's line."""
    lower = LOWER.column(table)
    return Column(lower.codes[line_starts(table)[table.line]], lower.names)


LINE_NUMBER = of_numbers("line number", _line_numbers)
LINE_START = View("line start", _line_start)

CONTEXT_FIELD_LABEL = document_context("context field label", FIELD_LABEL, 0)
CONTEXT_PREVIOUS = document_context("context previous word", NORM, -1)
CONTEXT_NEXT = document_context("context next word", NORM, 1)
