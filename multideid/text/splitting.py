"""Tokenization of batches, which tokenizes each distinct run of characters once.

Few of the runs between white space are distinct. Only these are tokenized; the
tokens of all others are copied by index arithmetic, which is several times as
fast as tokenizing the whole text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, ByteArray, IntArray, LongArray
from multideid.text.numbering import Numbering, codes_of, distinct, renumbered
from multideid.text.run_cache import RunCache, lengths_of
from multideid.text.tokenizer import LINE_ENDS

_VISIBLE, _BLANK, _LINE_END = 0, 1, 2
_NO_SPACE_FROM = 0x3001  # No white space from this character on.
_SEPARATOR = " "  # Neither a token nor part of a line end.


class Tokens(NamedTuple):
    """The tokens of a batch of texts.

    Parameters
    ----------
    vocabulary : tuple of str
        Distinct token strings in order of appearance.
    first : int32 array, shape (n_texts + 1,)
        Rows ``first[d]:first[d + 1]`` are those of text ``d``.
    type, start, end : int32 arrays, shape (n_tokens,)
        Index in `vocabulary`, and offsets into the token's text.
    space : bool array, shape (n_tokens,)
        Whether white space other than a line end precedes the token.
    runs : tuple of (int32 array, list of str)
        A code for each run of characters between white space, in all texts, and
        the distinct runs.
    """

    vocabulary: tuple[str, ...]
    first: IntArray
    type: IntArray
    start: IntArray
    end: IntArray
    space: BoolArray
    runs: tuple[IntArray, list[str]]

    def __repr__(self) -> str:
        """Return the numbers of tokens and of distinct strings, without text."""
        return f"Tokens({len(self.type)} tokens, {len(self.vocabulary)} strings)"


def split_batch(texts: Sequence[str]) -> Tokens:
    """Tokenize texts; equals `multideid.text.tokenizer.tokenize` for each."""
    joined = _SEPARATOR.join(texts)
    kinds = _character_kinds(joined)
    with _CACHE.lock:
        _CACHE.clear_if_full()
        codes = _CACHE.codes(joined.split())
        runs = renumbered(codes, _CACHE.strings)
        positioned = _merged(_positioned(codes, kinds), _line_ends(joined, kinds, _CACHE.words))
        types, vocabulary = renumbered(positioned.types, _CACHE.words.strings)
    start = positioned.start
    base = np.cumsum([0, *(len(text) + len(_SEPARATOR) for text in texts)])
    first = np.searchsorted(start, base).astype(np.int32)
    local = (start - np.repeat(base[:-1], np.diff(first))).astype(np.int32)
    space = (kinds[start - 1] == _BLANK) & (local > 0)
    end = local + lengths_of(vocabulary).astype(np.int32)[types]
    return Tokens(tuple(vocabulary), first, types, local, end, space, runs)


class _Positioned(NamedTuple):
    """Types of tokens, and their starts in the joined texts."""

    types: IntArray
    start: LongArray


def _positioned(codes: IntArray, kinds: ByteArray) -> _Positioned:
    """Return the tokens of all occurrences of runs."""
    types, offsets, counts = _CACHE.tokens.of(codes)
    visible = kinds == _VISIBLE
    begins = np.flatnonzero(visible[1:] & ~visible[:-1]) + 1
    begins = np.append(0, begins) if visible[:1].any() else begins
    return _Positioned(types, np.repeat(begins, counts) + offsets)


def _line_ends(joined: str, kinds: ByteArray, words: Numbering) -> _Positioned:
    start = np.flatnonzero(kinds == _LINE_END)
    strings = [joined[n] for n in start.tolist()]
    if "\r" in joined:
        start, strings = _with_pairs(start, strings)
    return _Positioned(codes_of(strings, words), start)


def _with_pairs(start: LongArray, strings: list[str]) -> tuple[LongArray, list[str]]:
    """Join each carriage return and the line feed right after it to one line end."""
    code, ends = distinct(strings)
    feed = np.array([end == "\n" for end in ends])[code]
    carriage = np.array([end == "\r" for end in ends])[code]
    second = np.append(False, feed[1:] & carriage[:-1] & (np.diff(start) == 1))
    first = np.append(second[1:], False)
    kept = np.flatnonzero(~second).tolist()
    return start[~second], ["\r\n" if first[n] else strings[n] for n in kept]


def _merged(runs: _Positioned, line_ends: _Positioned) -> _Positioned:
    """Insert the line ends among the other tokens."""
    before = np.searchsorted(runs.start, line_ends.start)
    types = np.insert(runs.types, before, line_ends.types)
    return _Positioned(types, np.insert(runs.start, before, line_ends.start))


def _kind_table() -> ByteArray:
    table = np.full(_NO_SPACE_FROM + 1, _VISIBLE, dtype=np.int8)
    table[[n for n in range(_NO_SPACE_FROM) if chr(n).isspace()]] = _BLANK
    table[[ord(end) for end in LINE_ENDS if len(end) == 1]] = _LINE_END
    return table


_KINDS = _kind_table()
_CACHE = RunCache()


def _character_kinds(text: str) -> ByteArray:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.take(_KINDS, codes, mode="clip")
