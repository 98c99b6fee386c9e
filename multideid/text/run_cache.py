"""Cache of the tokens of runs of characters between white space, kept between batches."""

from __future__ import annotations

from collections.abc import Collection
from itertools import repeat
from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.fork_locks import ForkLock
from multideid.text.numbering import Numbering, codes_of, distinct
from multideid.text.tokenizer import split_pieces

_MAX_CHARACTERS = 1_000_000
_SEPARATOR = " "  # Not a token.
_UNKNOWN = -1


class RunTokens(NamedTuple):
    """The tokens of distinct runs, concatenated.

    Parameters
    ----------
    types : int32 array, shape (n_tokens,)
        Indices of the tokens' strings.
    offsets : int64 array, shape (n_tokens,)
        Start of each token in its run.
    bounds : int64 array, shape (n_runs + 1,)
        Rows ``bounds[r]:bounds[r + 1]`` are those of run ``r``.
    """

    types: IntArray
    offsets: LongArray
    bounds: LongArray

    def of(self, codes: IntArray) -> tuple[IntArray, LongArray, LongArray]:
        """Return the types and offsets of the tokens of some runs, and the tokens per run."""
        counts = np.diff(self.bounds)[codes]
        ahead = self.bounds[codes] - (np.cumsum(counts) - counts)
        source = np.repeat(ahead, counts) + np.arange(counts.sum())
        return self.types[source], self.offsets[source], counts


class RunCache:
    """The runs seen so far with their tokens; hold `lock` while using it.

    Parameters
    ----------
    most : int
        Maximum number of characters of runs, beyond which the cache is cleared.

    Attributes
    ----------
    lock : ForkLock
    words : Numbering
        The distinct tokens.
    strings : list of str
        The runs by their codes.
    tokens : RunTokens
        The tokens of the runs, by their codes.
    """

    def __init__(self, most: int = _MAX_CHARACTERS) -> None:
        self.lock = ForkLock()
        self._most = most
        self._clear()

    def clear_if_full(self) -> None:
        """Clear the cache if it has too many characters."""
        if self._characters > self._most:
            self._clear()

    def codes(self, runs: list[str]) -> IntArray:
        """Return the code of each run, tokenizing new ones."""
        pairs = map(self._code.get, runs, repeat(_UNKNOWN))
        found = np.fromiter(pairs, dtype=np.int32, count=len(runs))
        unknown = np.flatnonzero(found == _UNKNOWN)
        if len(unknown):
            code, new = distinct([runs[n] for n in unknown.tolist()])
            found[unknown] = code + np.int32(len(self.strings))
            self._add(new)
        return found

    def _clear(self) -> None:
        empty = np.zeros(0, dtype=np.int64)
        self._code: dict[str, int] = {}
        self._characters = 0
        self.words, self.strings = Numbering(), list[str]()
        self.tokens = RunTokens(empty.astype(np.int32), empty, np.zeros(1, dtype=np.int64))

    def _add(self, runs: list[str]) -> None:
        cached, new = self.tokens, _tokenized(runs, self.words)
        bounds = np.append(cached.bounds, cached.bounds[-1] + new.bounds[1:])
        types, offsets = np.append(cached.types, new.types), np.append(cached.offsets, new.offsets)
        self.tokens = RunTokens(types, offsets, bounds)
        self._code.update(zip(runs, range(len(self.strings), len(bounds) - 1), strict=True))
        self.strings += runs
        self._characters += sum(map(len, runs))


def _tokenized(runs: list[str], words: Numbering) -> RunTokens:
    pieces = split_pieces(_SEPARATOR.join(runs))
    types = codes_of(pieces, words)
    lengths = lengths_of(pieces)
    start = np.cumsum(lengths) - lengths
    between = np.flatnonzero(types == words[_SEPARATOR])
    bounds = np.concatenate([[0], between - np.arange(len(between)), [len(pieces) - len(between)]])
    token = types != words[_SEPARATOR]
    begins = np.append(0, start[between] + len(_SEPARATOR))
    return RunTokens(types[token], start[token] - np.repeat(begins, np.diff(bounds)), bounds)


def lengths_of(strings: Collection[str]) -> LongArray:
    """Return the number of characters of each string."""
    return np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
