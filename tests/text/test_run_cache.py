"""Runs are tokenized once, and their cache is bounded."""

from __future__ import annotations

import numpy as np

from multideid.text.numbering import Numbering, codes_of, renumbered
from multideid.text.run_cache import RunCache


def words(cache: RunCache, runs: list[str]) -> list[str]:
    codes = cache.codes(runs)
    types, _, _ = cache.tokens.of(codes)
    return [cache.words.strings[t] for t in types.tolist()]


def test_cached_runs_have_the_tokens_of_new_ones() -> None:
    cache = RunCache()
    assert words(cache, ["1/2", "Dr.", "1/2"]) == ["1", "/", "2", "Dr", ".", "1", "/", "2"]
    assert words(cache, ["Lee", "Dr.", "1/2"]) == ["Lee", "Dr", ".", "1", "/", "2"]
    assert cache.strings == ["1/2", "Dr.", "Lee"]


def test_offsets_are_relative_to_the_run() -> None:
    cache = RunCache()
    codes = cache.codes(["ab-c", "x", "ab-c"])
    _, offsets, counts = cache.tokens.of(codes)
    assert (offsets.tolist(), counts.tolist()) == ([0, 2, 3, 0, 0, 2, 3], [3, 1, 3])


def test_a_full_cache_is_cleared() -> None:
    cache = RunCache(most=4)
    assert words(cache, ["abc", "de"]) == ["abc", "de"]
    cache.clear_if_full()
    assert (cache.strings, cache.words) == ([], {})
    assert words(cache, ["de"]) == ["de"]
    cache.clear_if_full()
    assert cache.strings == ["de"]


def test_strings_are_renumbered_in_order_of_appearance() -> None:
    number = Numbering()
    codes_of(["a", "b", "c", "d"], number)
    codes, strings = renumbered(codes_of(["c", "a", "c"], number), number.strings)
    assert (codes.tolist(), strings) == ([0, 1, 0], ["c", "a"])
    assert renumbered(np.zeros(0, dtype=np.int32), [])[1] == []
