"""Items are put into lists of a bounded size, in order."""

from __future__ import annotations

from itertools import pairwise

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
