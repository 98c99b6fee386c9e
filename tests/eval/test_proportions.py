"""Exact and clustered intervals, against published values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.eval.statistics.proportions import (
    clopper_pearson,
    clustered_interval,
    sample_size,
    upper_bound,
)


def test_the_rule_of_three_gives_299_notes_for_one_percent() -> None:
    assert sample_size(0.01) == 299
    assert upper_bound(0, 299) < 0.01 <= upper_bound(0, 298)
    assert upper_bound(0, 1000) == pytest.approx(3 / 1000, rel=0.01)


def test_sizes_are_those_of_published_tables_of_attribute_sampling() -> None:
    # 95 % confidence of 95 % conformance, with 0, 1, 2 and 5 failures.
    assert [sample_size(0.05, k) for k in (0, 1, 2, 5)] == [59, 93, 124, 208]


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # Zero of ten: 1 - (alpha / 2) ** (1 / n), as in Clopper and Pearson's chart.
        (0, 10, 0.0, 0.3085),
        (10, 10, 0.6915, 1.0),
        # R: binom.test(682, 925)$conf.int, Mendel's peas in its manual.
        (682, 925, 0.7076683, 0.7654066),
        # R: binom.test(15, 20)$conf.int
        (15, 20, 0.5089541, 0.9134285),
    ],
)
def test_clopper_pearson_has_published_limits(hits: int, n: int, low: float, high: float) -> None:
    found = clopper_pearson(hits, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(st.integers(1, 60), st.data(), st.floats(0.5, 0.99))
def test_an_interval_holds_its_estimate_and_grows_with_the_level(
    n: int, data: st.DataObject, level: float
) -> None:
    hits = data.draw(st.integers(0, n))
    found, wider = clopper_pearson(hits, n, level), clopper_pearson(hits, n, 0.995)
    assert wider.low <= found.low <= hits / n <= found.high <= wider.high


@pytest.mark.parametrize("hits", [-1, 11, float("nan")])
def test_impossible_counts_are_refused(hits: float) -> None:
    with pytest.raises(UsageError, match="no proportion"):
        clopper_pearson(hits, 10)


@pytest.mark.parametrize("bound", [0, 1, 1.5])
def test_a_bound_is_a_share(bound: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        sample_size(bound)


def test_single_things_a_cluster_are_nearly_independent_draws() -> None:
    hits = np.r_[np.ones(180), np.zeros(20)]
    found = clustered_interval(hits, np.ones(200))
    exact = clopper_pearson(180, 200)
    assert found.interval.low == pytest.approx(exact.low, abs=0.005)


def test_misses_in_one_cluster_make_the_interval_wider_than_misses_spread_out() -> None:
    totals = np.full(50, 20)
    spread, lumped = totals.copy(), totals.copy()
    spread[:20] -= 1
    lumped[0] -= 20
    a, b = clustered_interval(spread, totals), clustered_interval(lumped, totals)
    assert a.interval.estimate == b.interval.estimate
    assert b.interval.low < a.interval.low - 0.02
    assert b.design_effect > a.design_effect >= 1


def test_without_misses_a_cluster_counts_as_one_draw() -> None:
    found = clustered_interval(np.full(30, 40), np.full(30, 40))
    assert found.effective == pytest.approx(30)
    assert found.interval.high == 1
    assert found.interval.low == pytest.approx(clopper_pearson(30, 30).low)


def test_weights_of_strata_move_the_estimate() -> None:
    hits, totals = [1, 1, 0, 0], [1, 1, 1, 1]
    strata, weights = [0, 0, 1, 1], [30, 30, 10, 10]
    found = clustered_interval(hits, totals, strata=strata, weights=weights)
    assert found.interval.estimate == pytest.approx(0.75)


def test_units_are_needed() -> None:
    with pytest.raises(UsageError, match="needs units"):
        clustered_interval([0, 0], [0, 0])


@pytest.mark.parametrize("lumps", [0.3, 3.0])
def test_intervals_hold_where_misses_come_together(lumps: float) -> None:
    rng = np.random.default_rng(7)
    totals = rng.negative_binomial(1.5, 0.05, 5000)
    missed = rng.binomial(totals, rng.beta(lumps * 0.03, lumps * 0.97, 5000))
    truth = 1 - missed.sum() / totals.sum()
    held = naive = 0
    for _ in range(200):
        drawn = rng.integers(5000, size=80)
        hits, all_ = (totals - missed)[drawn], totals[drawn]
        found = clustered_interval(hits, all_).interval
        held += found.low <= truth <= found.high
        exact = clopper_pearson(int(hits.sum()), int(all_.sum()))
        naive += exact.low <= truth <= exact.high
    assert held >= 188
    assert naive < 150
