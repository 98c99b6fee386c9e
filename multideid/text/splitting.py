"""Tokenize a batch by tokenizing each of its distinct runs of characters once.

Notes repeat themselves: of the runs that white space parts, few are distinct.
The tokenizer sees those alone, and the tokens of all others are copied by index
arithmetic, which is several times as fast as the tokenizer on the whole text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, ByteArray, IntArray, LongArray
from multideid.text.known_runs import KnownRuns, lengths_of
from multideid.text.numbering import Numbering, codes_of, distinct, renumbered
from multideid.text.tokenizer import LINE_ENDS

_INK, _BLANK, _LINE_END = 0, 1, 2
_BEYOND = 0x3001  # No character from here on is white space.
_BETWEEN = " "  # Parts runs and texts: it is no token, and joins with no line end.


class Tokens(NamedTuple):
    """The tokens of a batch of texts.

    Parameters
    ----------
    vocabulary : tuple of str
        Distinct token strings in order of first sight.
    first : int32 array, shape (n_texts + 1,)
        Rows ``first[d]:first[d + 1]`` are those of text ``d``.
    type, start, end : int32 arrays, shape (n_tokens,)
        Index in `vocabulary`, and offsets into the token's own text.
    space : bool array, shape (n_tokens,)
        Whether white space that ends no line stands before the token.
    runs : tuple of (int32 array, list of str)
        A code for each run of characters that white space parts, in all texts,
        and the distinct runs.
    """

    vocabulary: tuple[str, ...]
    first: IntArray
    type: IntArray
    start: IntArray
    end: IntArray
    space: BoolArray
    runs: tuple[IntArray, list[str]]


def split_batch(texts: Sequence[str]) -> Tokens:
    """Tokenize texts, as `multideid.text.tokenizer.tokenize` does one."""
    joined = _BETWEEN.join(texts)
    kinds = _character_kinds(joined)
    with _KNOWN.lock:
        _KNOWN.forget_if_full()
        codes = _KNOWN.codes(joined.split())
        runs = renumbered(codes, _KNOWN.strings)
        placed = _merged(_placed(codes, kinds), _line_ends(joined, kinds, _KNOWN.words))
        types, vocabulary = renumbered(placed.types, _KNOWN.words.strings)
    start = placed.start
    base = np.cumsum([0, *(len(text) + len(_BETWEEN) for text in texts)])
    first = np.searchsorted(start, base).astype(np.int32)
    local = (start - np.repeat(base[:-1], np.diff(first))).astype(np.int32)
    space = (kinds[start - 1] == _BLANK) & (local > 0)
    end = local + lengths_of(vocabulary).astype(np.int32)[types]
    return Tokens(tuple(vocabulary), first, types, local, end, space, runs)


class _Placed(NamedTuple):
    """Types of tokens, and where they start in the joined texts."""

    types: IntArray
    start: LongArray


def _placed(codes: IntArray, kinds: ByteArray) -> _Placed:
    """Place the tokens of the runs wherever they occur."""
    types, offsets, counts = _KNOWN.tokens.of(codes)
    ink = kinds == _INK
    begins = np.flatnonzero(ink[1:] & ~ink[:-1]) + 1
    begins = np.append(0, begins) if ink[:1].any() else begins
    return _Placed(types, np.repeat(begins, counts) + offsets)


def _line_ends(joined: str, kinds: ByteArray, words: Numbering) -> _Placed:
    start = np.flatnonzero(kinds == _LINE_END)
    strings = [joined[place] for place in start.tolist()]
    if "\r" in joined:
        start, strings = _with_pairs(start, strings)
    return _Placed(codes_of(strings, words), start)


def _with_pairs(start: LongArray, strings: list[str]) -> tuple[LongArray, list[str]]:
    """Make one line end of a carriage return and the line feed right behind it."""
    code, ends = distinct(strings)
    feed = np.array([end == "\n" for end in ends])[code]
    carriage = np.array([end == "\r" for end in ends])[code]
    second = np.append(False, feed[1:] & carriage[:-1] & (np.diff(start) == 1))
    first = np.append(second[1:], False)
    kept = np.flatnonzero(~second).tolist()
    return start[~second], ["\r\n" if first[n] else strings[n] for n in kept]


def _merged(runs: _Placed, line_ends: _Placed) -> _Placed:
    """Put the line ends where they stand among the other tokens."""
    before = np.searchsorted(runs.start, line_ends.start)
    types = np.insert(runs.types, before, line_ends.types)
    return _Placed(types, np.insert(runs.start, before, line_ends.start))


def _kind_table() -> ByteArray:
    table = np.full(_BEYOND + 1, _INK, dtype=np.int8)
    table[[n for n in range(_BEYOND) if chr(n).isspace()]] = _BLANK
    table[[ord(end) for end in LINE_ENDS if len(end) == 1]] = _LINE_END
    return table


_KINDS = _kind_table()
_KNOWN = KnownRuns()


def _character_kinds(text: str) -> ByteArray:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.take(_KINDS, codes, mode="clip")
