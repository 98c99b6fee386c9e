"""Runs are tokenized once, and what is kept of them has bounds."""

from __future__ import annotations

import numpy as np

from multideid.text.known_runs import KnownRuns
from multideid.text.numbering import Numbering, codes_of, renumbered


def words(known: KnownRuns, runs: list[str]) -> list[str]:
    codes = known.codes(runs)
    types, _, _ = known.tokens.of(codes)
    return [known.words.strings[t] for t in types.tolist()]


def test_known_runs_have_the_tokens_that_they_had_when_they_were_new() -> None:
    known = KnownRuns()
    assert words(known, ["1/2", "Dr.", "1/2"]) == ["1", "/", "2", "Dr", ".", "1", "/", "2"]
    assert words(known, ["Lee", "Dr.", "1/2"]) == ["Lee", "Dr", ".", "1", "/", "2"]
    assert known.strings == ["1/2", "Dr.", "Lee"]


def test_tokens_of_a_run_are_placed_from_its_own_start() -> None:
    known = KnownRuns()
    codes = known.codes(["ab-c", "x", "ab-c"])
    _, offsets, counts = known.tokens.of(codes)
    assert (offsets.tolist(), counts.tolist()) == ([0, 2, 3, 0, 0, 2, 3], [3, 1, 3])


def test_all_is_forgotten_where_too_much_is_known() -> None:
    known = KnownRuns(most=4)
    assert words(known, ["abc", "de"]) == ["abc", "de"]
    known.forget_if_full()
    assert (known.strings, known.words) == ([], {})
    assert words(known, ["de"]) == ["de"]
    known.forget_if_full()
    assert known.strings == ["de"]


def test_strings_are_renumbered_by_first_sight() -> None:
    number = Numbering()
    codes_of(["a", "b", "c", "d"], number)
    codes, strings = renumbered(codes_of(["c", "a", "c"], number), number.strings)
    assert (codes.tolist(), strings) == ([0, 1, 0], ["c", "a"])
    assert renumbered(np.zeros(0, dtype=np.int32), [])[1] == []
