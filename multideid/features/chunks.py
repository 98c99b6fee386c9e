"""Chunks: runs of tokens with no white space between them, such as ``03/03/1946``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, groupby

import numpy as np

from multideid.accents import composed
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
from multideid.text.numbering import distinct
from multideid.text.table import TokenTable
from multideid.text.tokenizer import split_pieces

_LEADING = "([{<\"'#"
_TRAILING = ".,;:)]}>\"'"
_SEPARATORS = frozenset(":;=()[]<>|,'\"#")
_LONGEST_CHUNK = 60
_MOST_CACHED = 100_000


def chunk_numbers(table: TokenTable) -> IntArray:
    """Return the number of each token's chunk, counted through the batch."""
    return np.cumsum(_begins_chunk(table), dtype=np.int32) - np.int32(1)


def _begins_chunk(table: TokenTable) -> BoolArray:
    """Mark the first tokens of chunks, which a long line that is cut does not divide."""
    first = table.position == 0
    cut = first[1:] & (table.document[1:] == table.document[:-1]) & ~_is_line_end(table)[:-1]
    first[1:] &= ~cut
    return np.asarray(table.space | first)


def _is_line_end(table: TokenTable) -> BoolArray:
    return (word_forms(table.vocabulary) & LINE_END)[table.written] > 0


def _chunk_strings(table: TokenTable) -> Column:
    """Return each token's chunk, without brackets, quotes and punctuation around it."""
    codes, names = table.runs()
    # White space separates the chunks that are no line ends, as it does runs.
    alone = _is_line_end(table)[_begins_chunk(table)]
    of_chunk = np.full(len(alone), len(names), dtype=np.int32)
    of_chunk[~alone] = codes
    strings = [*map(_chunk, names), *[""] * bool(alone.any())]
    return Column(of_chunk[chunk_numbers(table)], strings)


@lru_cache(_MOST_CACHED)
def _chunk(run: str) -> str:
    run = composed(run)
    return run[:_LONGEST_CHUNK].lstrip(_LEADING).rstrip(_TRAILING) or run[0]


CHUNK = View("chunk", _chunk_strings)


def _part_strings(table: TokenTable) -> Column:
    """Return each token's part of its chunk, between colons, brackets, commas and the like."""
    codes, names = table.runs()
    begins = _begins_chunk(table)
    alone = _is_line_end(table)[begins]
    parts = [_parts(name) for name in names]
    part, strings = distinct(["", *chain.from_iterable(parts)])
    bounds = np.cumsum([1, *map(len, parts)])
    first, end = np.zeros((2, len(alone)), dtype=np.int64)
    first[~alone], end[~alone] = bounds[codes], bounds[codes + 1]
    chunk = chunk_numbers(table)
    row = first[chunk] + np.arange(len(table)) - np.flatnonzero(begins)[chunk]
    # A line end right behind a chunk counts as its last token, but is not in its string.
    return Column(part[np.where(row < end[chunk], row, 0)], strings)


@lru_cache(_MOST_CACHED)
def _parts(run: str) -> tuple[str, ...]:
    """Return for each token of a run the part of the run that it belongs to."""
    parts: list[str] = []
    for is_separator, tokens in groupby(split_pieces(run), _SEPARATORS.__contains__):
        part = list(tokens)
        parts += part if is_separator else [composed("".join(part))[:_LONGEST_CHUNK]] * len(part)
    return tuple(parts)


PART = View("part of chunk", _part_strings)


def of_part_set(name: str, function: Callable[[str], Iterable[str]]) -> SetView:
    """Return the view of a set-valued function of the token's part of its chunk."""
    return of_value_set(name, PART, function)


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
