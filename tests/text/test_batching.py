"""Items are put into lists of a bounded size, in order."""

from __future__ import annotations

from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from multideid.text.batching import in_batches


@given(st.lists(st.text(max_size=8)), st.integers(0, 20))
def test_lists_are_full_but_not_too_large(texts: list[str], most: int) -> None:
    batches = list(in_batches(texts, len, most))
    assert [text for batch in batches for text in batch] == texts
    assert all(len(batch) == 1 or sum(map(len, batch)) <= most for batch in batches)
    for batch, after in pairwise(batches):
        assert sum(map(len, batch)) + len(after[0]) > most


Sized = tuple[str | None, int]


def _size(item: Sized) -> int:
    return item[1]


def _group(item: Sized) -> str | None:
    return item[0]


@given(
    st.lists(st.tuples(st.sampled_from([None, "a", "b"]), st.integers(0, 9))), st.integers(0, 20)
)
def test_a_group_is_in_one_list_if_it_fits(items: list[Sized], most: int) -> None:
    batches = list(in_batches(items, _size, most, _group))
    assert [item for batch in batches for item in batch] == items
    assert all(len(batch) == 1 or sum(map(_size, batch)) <= most for batch in batches)
    whole = [
        run
        for group, found in groupby(items, _group)
        if group is not None and sum(map(_size, run := list(found))) <= most
    ]
    parts = [[list(found) for _, found in groupby(batch, _group)] for batch in batches]
    runs = [run for batch in parts for run in batch]
    assert all(run in runs for run in whole)


def test_a_group_begins_a_list_where_it_would_be_divided() -> None:
    items = [("a", 4), ("b", 3), ("b", 3), ("b", 3), (None, 4), (None, 4)]
    assert list(in_batches(items, _size, 10, _group)) == [items[:1], items[1:4], items[4:]]
    assert list(in_batches(items, _size, 8, _group)) == [
        items[:1], items[1:3], items[3:5], items[5:]
    ]  # fmt: skip
