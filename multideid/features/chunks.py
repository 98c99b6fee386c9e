"""Chunks: runs of tokens with no white space between them, such as ``03/03/1946``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.features.views import (
    Column,
    SetView,
    Strings,
    View,
    of_numbers,
    of_strings,
    of_strings_set,
)
from multideid.text.forms import LINE_END, word_forms
from multideid.text.table import TokenTable

_TRAILING = ".,;:)]"
_LONGEST_CHUNK = 60
_MOST_KEPT = 100_000


def chunk_numbers(table: TokenTable) -> IntArray:
    """Number the chunks through the batch: one number a token."""
    return np.cumsum(_begins_chunk(table), dtype=np.int32) - np.int32(1)


def _begins_chunk(table: TokenTable) -> BoolArray:
    return np.asarray(table.space | (table.position == 0))


def _chunk_strings(table: TokenTable) -> tuple[IntArray, list[str]]:
    """Return each token's chunk string, its trailing punctuation left off."""
    # But for the line ends that stand alone, chunks are what white space parts.
    codes, names = table.runs()
    begins = _begins_chunk(table)
    alone = (word_forms(table.vocabulary) & LINE_END)[table.written[begins]] > 0
    of_chunk = np.full(len(alone), len(names), dtype=np.int32)
    of_chunk[~alone] = codes
    return of_chunk[chunk_numbers(table)], [*map(_chunk, names), *[""] * bool(alone.any())]


@lru_cache(_MOST_KEPT)
def _chunk(run: str) -> str:
    return run[0] + run[1:_LONGEST_CHUNK].rstrip(_TRAILING)


def _memo_strings(table: TokenTable) -> tuple[IntArray, list[str]]:
    if "chunk strings" not in table.memo:
        table.memo["chunk strings"] = _chunk_strings(table)
    return table.memo["chunk strings"]  # type: ignore[no-any-return]


CHUNKS = Strings("chunks", lambda table: Column(*_memo_strings(table)))


def of_chunk(name: str, function: Callable[[str], str]) -> View:
    """Return the view of a function of the token's chunk."""
    return of_strings(name, CHUNKS, function)


def of_chunk_set(name: str, function: Callable[[str], Iterable[str]]) -> SetView:
    """Return the view of a set-valued function of the token's chunk."""
    return of_strings_set(name, CHUNKS, function)


def _place_in_chunk(table: TokenTable) -> LongArray:
    first = np.flatnonzero(_begins_chunk(table))
    return np.asarray(np.minimum(np.arange(len(table)) - first[chunk_numbers(table)], 8))


PLACE_IN_CHUNK = of_numbers("place in chunk", _place_in_chunk)
