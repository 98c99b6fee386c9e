"""Chunks: runs of tokens with no white space between them, such as ``03/03/1946``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.features.views import (
    Column,
    SetView,
    View,
    of_numbers,
    of_value,
    of_value_set,
)
from multideid.text.forms import LINE_END, word_forms
from multideid.text.table import TokenTable

_TRAILING = ".,;:)]"
_LONGEST_CHUNK = 60
_MOST_CACHED = 100_000


def chunk_numbers(table: TokenTable) -> IntArray:
    """Return the number of each token's chunk, counted through the batch."""
    return np.cumsum(_begins_chunk(table), dtype=np.int32) - np.int32(1)


def _begins_chunk(table: TokenTable) -> BoolArray:
    return np.asarray(table.space | (table.position == 0))


def _chunk_strings(table: TokenTable) -> Column:
    """Return each token's chunk, without trailing punctuation."""
    # Apart from line ends, which are chunks by themselves, white space separates chunks.
    codes, names = table.runs()
    begins = _begins_chunk(table)
    alone = (word_forms(table.vocabulary) & LINE_END)[table.written[begins]] > 0
    of_chunk = np.full(len(alone), len(names), dtype=np.int32)
    of_chunk[~alone] = codes
    strings = [*map(_chunk, names), *[""] * bool(alone.any())]
    return Column(of_chunk[chunk_numbers(table)], strings)


@lru_cache(_MOST_CACHED)
def _chunk(run: str) -> str:
    return run[0] + run[1:_LONGEST_CHUNK].rstrip(_TRAILING)


CHUNK = View("chunk", _chunk_strings)


def of_chunk(name: str, function: Callable[[str], str]) -> View:
    """Return the view of a function of the token's chunk."""
    return of_value(name, CHUNK, function)


def of_chunk_set(name: str, function: Callable[[str], Iterable[str]]) -> SetView:
    """Return the view of a set-valued function of the token's chunk."""
    return of_value_set(name, CHUNK, function)


def _position_in_chunk(table: TokenTable) -> LongArray:
    first = np.flatnonzero(_begins_chunk(table))
    return np.asarray(np.minimum(np.arange(len(table)) - first[chunk_numbers(table)], 8))


POSITION_IN_CHUNK = of_numbers("position in chunk", _position_in_chunk)
