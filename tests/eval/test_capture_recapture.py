"""Capture-recapture, against a published example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.eval.statistics.capture_recapture import chapman


def test_a_published_example_of_turtles_is_repeated() -> None:
    # Ten marked, fifteen caught again, five of them marked: 28 turtles, 22 to 65 (Sadinle).
    found = chapman(10, 15, 5)
    assert found.size.estimate == pytest.approx(28.33, abs=0.005)
    assert (round(found.size.low), round(found.size.high)) == (22, 65)
    # (11 * 16 * 5 * 10) / (6 ** 2 * 7)
    assert found.variance == pytest.approx(34.92, abs=0.005)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_there_are_never_fewer_than_were_seen(a: int, b: int, both: int) -> None:
    found = chapman(a + both, b + both, both)
    assert found.seen == a + b + both
    assert found.seen <= found.size.low <= found.size.high
    assert found.unseen >= 0


def test_the_interval_holds_the_number_of_a_known_population() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(300):
        first, second = rng.random(400) < 0.9, rng.random(400) < 0.8
        size = chapman(int(first.sum()), int(second.sum()), int((first & second).sum())).size
        held += size.low <= 400 <= size.high
    assert held >= 279


def test_observers_of_the_same_many_things_have_a_finite_interval() -> None:
    size = chapman(40_000, 40_000, 40_000).size
    assert size.low == size.estimate == 40_000 < size.high < float("inf")


def test_more_in_common_than_one_found_is_refused() -> None:
    with pytest.raises(UsageError, match="in common"):
        chapman(3, 5, 4)
