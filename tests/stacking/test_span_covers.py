"""The best cover of a cluster is that of an exhaustive search."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.stacking.span_candidates import SpanCandidates
from multideid.stacking.span_covers import best_cover, best_covers

ITEMS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(-8, 8)), min_size=1, max_size=6
)


def worth(chosen, needed) -> float:
    covered = {row for first, stop, _ in chosen for row in range(first, stop)}
    missed = sum(n and row not in covered for row, n in enumerate(needed))
    return sum(value for *_, value in chosen) - 1e6 * missed


def overlap(chosen) -> bool:
    rows = [row for first, stop, _ in chosen for row in range(first, stop)]
    return len(rows) > len(set(rows))


@given(ITEMS, st.lists(st.booleans(), min_size=9, max_size=9))
def test_no_other_choice_is_worth_more(drawn, needed) -> None:
    items = sorted((first, first + length, value / 8) for first, length, value in drawn)
    low, high = items[0][0], max(stop for _, stop, _ in items)
    needed = [n and low <= row < high for row, n in enumerate(needed)]
    chosen = [items[n] for n in best_cover(items, needed)]
    assert not overlap(chosen)
    others = (
        combination
        for size in range(len(items) + 1)
        for combination in combinations(items, size)
        if not overlap(combination)
    )
    assert worth(chosen, needed) == pytest.approx(max(worth(o, needed) for o in others))


def test_each_cluster_is_covered_by_itself() -> None:
    columns = ([0, 0, 3, 3], [0, 1, 3, 4], [0, 0, 0, 0], [0, 0, 1, 1])
    candidates = SpanCandidates(*(np.array(column) for column in columns))
    values = np.array([0.3, 0.2, -0.2, -0.3])
    nothing, both = np.zeros(5, np.bool_), np.ones(5, np.bool_)
    assert best_covers(candidates, values, nothing).tolist() == [0]
    assert sorted(best_covers(candidates, values, both).tolist()) == [1, 3]


def test_without_candidates_nothing_is_chosen() -> None:
    none = np.zeros(0, np.int64)
    candidates = SpanCandidates(none, none, none, none)
    assert not len(best_covers(candidates, np.zeros(0), np.ones(3, np.bool_)))
