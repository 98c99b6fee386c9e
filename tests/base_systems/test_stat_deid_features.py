"""Stat-Deid's own features: dashes and slashes next to a word, and stems."""

from __future__ import annotations

import pytest

from multideid.base_systems.stat_deid.features import DASH_OR_SLASH, STEM
from multideid.text.table import TokenTable

HERE, LEFT, RIGHT = 4, 2, 1


def marks(*texts: str) -> list[int]:
    column = DASH_OR_SLASH.column(TokenTable.from_texts(texts))
    return [int(column.names[code]) for code in column.codes]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a-b", [RIGHT, HERE, LEFT]),
        ("a - b", [0, HERE, 0]),
        ("1/2/3", [RIGHT, HERE, LEFT + RIGHT, HERE, LEFT]),
        ("--", [HERE + RIGHT, HERE + LEFT]),
        ("a b", [0, 0]),
        ("", []),
    ],
)
def test_a_dash_counts_where_no_space_parts_it_from_the_word(text: str, wanted: list[int]) -> None:
    assert marks(text) == wanted


def test_a_dash_does_not_reach_into_another_document() -> None:
    assert marks("a-", "b", "-c") == [RIGHT, HERE, 0, HERE, LEFT]


def test_forms_of_a_word_share_their_stem() -> None:
    column = STEM.column(TokenTable.from_texts(["admitted admits Admitting"]))
    assert {column.names[code] for code in column.codes} == {"admit"}
