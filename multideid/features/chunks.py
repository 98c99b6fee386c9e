"""Chunks: runs of tokens with no white space between them, such as ``03/03/1946``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from multideid.features.views import (
    Column,
    IntArray,
    SetView,
    Strings,
    View,
    factorize,
    of_numbers,
    of_strings,
    of_strings_set,
)
from multideid.text.table import TokenTable

_TRAILING = re.compile(r"(?<=.)[.,;:)\]]+$", re.DOTALL)
_LONGEST_CHUNK = 60


def chunk_numbers(table: TokenTable) -> IntArray:
    """Number the chunks through the batch: one number a token."""
    begins = table.space | (table.position == 0)
    return np.cumsum(begins, dtype=np.int32) - np.int32(1)


def _chunk_strings(table: TokenTable) -> tuple[IntArray, list[str]]:
    """Return each token's chunk string, its trailing punctuation left off."""
    if not len(table):
        return np.zeros(0, dtype=np.int32), []
    number = chunk_numbers(table)
    first = np.flatnonzero(np.diff(number, prepend=-1))
    last = np.append(first[1:], len(table)) - 1
    places = zip(
        table.document[first].tolist(),
        table.start[first].tolist(),
        table.end[last].tolist(),
        strict=True,
    )
    strings = (table.texts[d][s : min(e, s + _LONGEST_CHUNK)].rstrip() for d, s, e in places)
    codes, names = factorize(strings)
    return codes[number], [_TRAILING.sub("", name) for name in names]


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


def _place_in_chunk(table: TokenTable) -> npt.NDArray[np.int64]:
    if not len(table):
        return np.zeros(0, dtype=np.int64)
    number = chunk_numbers(table)
    first = np.flatnonzero(np.diff(number, prepend=-1))
    return np.asarray(np.minimum(np.arange(len(table)) - first[number], 8))


PLACE_IN_CHUNK = of_numbers("place in chunk", _place_in_chunk)
