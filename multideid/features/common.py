"""The views that several systems share; each is computed once per table."""

from __future__ import annotations

import numpy as np

from multideid.arrays import IntArray, IntegerArray
from multideid.features import strings, views
from multideid.features.chunks import of_chunk
from multideid.features.document_context import elsewhere
from multideid.features.views import Column, View, of_numbers, of_type
from multideid.text.table import TokenTable

WORD = of_type("word", str)
LOWER = views.LOWER
NORM = of_type("norm", strings.digits_to_zero)
SHAPE = of_type("shape", strings.shape)
SHORT_SHAPE = of_type("short shape", strings.short_shape)
CAPITALS = of_type("capitals", strings.capitalization)
LENGTH = of_type("length", lambda w: str(min(len(w), 20)))


def prefix(length: int) -> View:
    """Return the view of the word's first characters, "" where it has fewer."""
    return of_type(f"prefix {length}", lambda w: w[:length].lower() if len(w) >= length else "")


def suffix(length: int) -> View:
    """Return the view of the word's last characters, "" where it has fewer."""
    return of_type(f"suffix {length}", lambda w: w[-length:].lower() if len(w) >= length else "")


CHUNK_SHAPE = of_chunk("chunk shape", strings.shape)
CHUNK_SHORT_SHAPE = of_chunk("chunk short shape", strings.short_shape)
CHUNK_NORM = of_chunk("chunk norm", strings.digits_to_zero)

KEY = View("key", lambda table: Column(table.key, table.headings))
HEADING = View("heading", lambda table: Column(table.heading, table.headings))
SPACE = of_numbers("space", lambda table: table.space.astype(np.int64))
POSITION = of_numbers("position", lambda table: np.minimum(table.position, 6))


def _first_of_line(table: TokenTable) -> IntArray:
    return np.flatnonzero(table.position == 0).astype(np.int32)


def _line_column(table: TokenTable) -> IntegerArray:
    first_line = np.zeros(len(table.ids), dtype=np.int32)
    filled = table.first[:-1] < table.first[1:]
    first_line[filled] = table.line[table.first[:-1][filled]]
    return np.asarray(np.minimum(table.line - first_line[table.document], 25))


def _line_start(table: TokenTable) -> Column:
    """The first word of the token's line."""
    first = _first_of_line(table)
    number = np.cumsum(table.position == 0) - 1
    lower = LOWER.column(table)
    return Column(lower.codes[first[number]] if len(table) else lower.codes, lower.names)


LINE_NUMBER = of_numbers("line number", _line_column)
LINE_START = View("line start", _line_start)

KEY_ELSEWHERE = elsewhere("key elsewhere", KEY, 0)
BEFORE_ELSEWHERE = elsewhere("before elsewhere", NORM, -1)
AFTER_ELSEWHERE = elsewhere("after elsewhere", NORM, 1)
