"""Lines of tables."""

from __future__ import annotations

from multideid.text.lines import line_blocks, line_starts, lines_around
from multideid.text.table import TokenTable

TOKENS = TokenTable.from_texts(["a b\nc\n", "", "d e f g", "h\n"])


def test_sequences_begin_at_lines() -> None:
    assert line_starts(TokenTable.from_texts(["a b\nc", "", "d"])).tolist() == [0, 3, 4]
    assert line_starts(TokenTable.from_texts([])).tolist() == []


def test_starts_of_some_rows_are_counted_from_the_first_of_them() -> None:
    assert line_starts(TOKENS, 1, 6).tolist() == [2, 4]


def test_blocks_are_whole_lines_and_together_the_table() -> None:
    for size in range(1, 12):
        blocks = list(line_blocks(TOKENS, size))
        assert [b for block in blocks for b in range(*block)] == list(range(len(TOKENS)))
        assert all(TOKENS.position[first] == 0 for first, _ in blocks)


def test_lines_around_rows_are_whole_and_hold_them() -> None:
    for first in range(-3, len(TOKENS)):
        for stop in range(max(first, 0) + 1, len(TOKENS) + 4):
            low, high = lines_around(TOKENS, first, stop)
            assert low <= max(first, 0)
            assert high >= min(stop, len(TOKENS))
            assert TOKENS.position[low] == 0
            assert high == len(TOKENS) or TOKENS.position[high] == 0
