"""Runs of characters that white space parts, tokenized once and kept from batch to batch."""

from __future__ import annotations

from collections.abc import Collection
from itertools import repeat
from threading import Lock
from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.text.numbering import Numbering, codes_of, distinct
from multideid.text.tokenizer import split_pieces

_MOST_CHARACTERS = 1_000_000
_BETWEEN = " "  # Parts runs: it is no token.
_UNKNOWN = -1


class RunTokens(NamedTuple):
    """The tokens of distinct runs, one run behind the other.

    Parameters
    ----------
    types : int32 array, shape (n_tokens,)
        Numbers of the tokens' strings.
    offsets : int64 array, shape (n_tokens,)
        Where each token starts in its run.
    bounds : int64 array, shape (n_runs + 1,)
        Rows ``bounds[r]:bounds[r + 1]`` are those of run ``r``.
    """

    types: IntArray
    offsets: LongArray
    bounds: LongArray

    def of(self, codes: IntArray) -> tuple[IntArray, LongArray, LongArray]:
        """Return types and offsets of the tokens of some runs, and how many each run has."""
        counts = np.diff(self.bounds)[codes]
        ahead = self.bounds[codes] - (np.cumsum(counts) - counts)
        source = np.repeat(ahead, counts) + np.arange(counts.sum())
        return self.types[source], self.offsets[source], counts


class KnownRuns:
    """The runs met so far, with their tokens; ask one thread at a time, under `lock`.

    Parameters
    ----------
    most : int
        How many characters of runs are remembered; beyond that all are forgotten.

    Attributes
    ----------
    lock : Lock
    words : Numbering
        The distinct tokens.
    strings : list of str
        The runs by their codes.
    tokens : RunTokens
        Of the runs, by their codes.
    """

    def __init__(self, most: int = _MOST_CHARACTERS) -> None:
        self.lock = Lock()
        self._most = most
        self._forget()

    def forget_if_full(self) -> None:
        """Begin anew where too many characters are remembered."""
        if self._characters > self._most:
            self._forget()

    def codes(self, runs: list[str]) -> IntArray:
        """Return the code of each run; those met for the first time are tokenized."""
        pairs = map(self._code.get, runs, repeat(_UNKNOWN))
        found = np.fromiter(pairs, dtype=np.int32, count=len(runs))
        unknown = np.flatnonzero(found == _UNKNOWN)
        if len(unknown):
            code, new = distinct([runs[n] for n in unknown.tolist()])
            found[unknown] = code + np.int32(len(self.strings))
            self._add(new)
        return found

    def _forget(self) -> None:
        empty = np.zeros(0, dtype=np.int64)
        self._code: dict[str, int] = {}
        self._characters = 0
        self.words, self.strings = Numbering(), list[str]()
        self.tokens = RunTokens(empty.astype(np.int32), empty, np.zeros(1, dtype=np.int64))

    def _add(self, runs: list[str]) -> None:
        known, new = self.tokens, _tokenized(runs, self.words)
        bounds = np.append(known.bounds, known.bounds[-1] + new.bounds[1:])
        types, offsets = np.append(known.types, new.types), np.append(known.offsets, new.offsets)
        self.tokens = RunTokens(types, offsets, bounds)
        self._code.update(zip(runs, range(len(self.strings), len(bounds) - 1), strict=True))
        self.strings += runs
        self._characters += sum(map(len, runs))


def _tokenized(runs: list[str], words: Numbering) -> RunTokens:
    pieces = split_pieces(_BETWEEN.join(runs))
    types = codes_of(pieces, words)
    lengths = lengths_of(pieces)
    start = np.cumsum(lengths) - lengths
    between = np.flatnonzero(types == words[_BETWEEN])
    bounds = np.concatenate([[0], between - np.arange(len(between)), [len(pieces) - len(between)]])
    token = types != words[_BETWEEN]
    begins = np.append(0, start[between] + len(_BETWEEN))
    return RunTokens(types[token], start[token] - np.repeat(begins, np.diff(bounds)), bounds)


def lengths_of(strings: Collection[str]) -> LongArray:
    """Return the number of characters of each string."""
    return np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
