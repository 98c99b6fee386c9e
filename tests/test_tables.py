"""Tables are aligned, and go on below where a hundred columns do not hold them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from multideid.tables import text_table

words = st.text("abc1", min_size=1, max_size=30)


def test_first_columns_are_to_the_left_and_others_to_the_right() -> None:
    table = text_table(
        ["corpus", "system", "F1"], [["a", "mist", "1"], ["bcdefgh", "x", "20"]], left=2
    )
    assert table.splitlines() == [
        "corpus   system  F1",
        "a        mist     1",
        "bcdefgh  x       20",
    ]


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.lists(st.lists(words, min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_a_wide_table_goes_on_below_and_loses_no_cell(rows: list[list[str]]) -> None:
    parts = text_table(rows[0], rows[1:]).split("\n\n")
    assert max(len(line) for part in parts for line in part.splitlines()) <= 100
    for n, row in enumerate(rows):
        cells = [part.splitlines()[n].split() for part in parts]
        assert [first for first, *_ in cells] == [row[0]] * len(parts)
        assert [cell for _, *rest in cells for cell in rest] == row[1:]


def test_no_column_is_left_alone_below() -> None:
    header = ["label of thirty characters, now", *(f"system-{n}" for n in range(8))]
    first, second = text_table(header, [["x"] * 9]).split("\n\n")
    assert (len(first.splitlines()[1].split()), len(second.splitlines()[1].split())) == (5, 5)
