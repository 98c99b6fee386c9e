"""z is finite whatever the figures; bootstrap intervals are those of a plain loop."""

from __future__ import annotations

import math
from time import thread_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.eval.statistics.significance import bootstrap_f, percentile_interval, z_statistic

proportions = st.floats(0, 1)
sizes = st.integers(0, 10**9)


@given(proportions, proportions, sizes, sizes)
def test_z_is_finite_and_has_the_sign_of_the_difference(
    p1: float, p2: float, n1: int, n2: int
) -> None:
    z = z_statistic(p1, p2, n1, n2)
    assert math.isfinite(z)
    assert z == pytest.approx(-z_statistic(p2, p1, n2, n1), abs=1e-9)
    assert z * (p1 - p2) >= 0


@pytest.mark.parametrize(("p", "n"), [(0.0, 10), (1.0, 10), (0.5, 10), (0.5, 0)])
def test_z_of_equal_quantities_is_zero(p: float, n: int) -> None:
    assert z_statistic(p, p, n, n) == 0.0


@pytest.mark.parametrize("arguments", [(1.2, 0.5, 1, 1), (0.5, math.nan, 1, 1), (0.5, 0.5, -1, 1)])
def test_a_z_test_of_impossible_figures_is_refused(
    arguments: tuple[float, float, int, int],
) -> None:
    with pytest.raises(UsageError, match="a z-test"):
        z_statistic(*arguments)


def counts_of(n_systems: int, n_documents: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    gold = rng.integers(1, 40, size=n_documents)
    correct = rng.binomial(gold, [[0.9 + 0.01 * k] for k in range(n_systems)])
    predicted = correct + rng.integers(0, 3, size=correct.shape)
    return np.stack([correct, predicted, np.broadcast_to(gold, correct.shape)], axis=-1)


def test_bootstrap_scores_are_those_of_summing_the_documents_drawn() -> None:
    counts = counts_of(2, 30)
    samples = bootstrap_f(counts, n_resamples=50, seed=3)
    drawn = np.random.default_rng(3).integers(30, size=(50, 30))
    for n, documents in enumerate(drawn):
        correct, predicted, gold = counts[:, documents].sum(axis=1).T
        np.testing.assert_allclose(samples[:, n], 2 * correct / (predicted + gold))


def test_a_large_corpus_is_drawn_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = bootstrap_f(counts_of(1, 30), n_resamples=50, seed=3)
    monkeypatch.setattr("multideid.eval.statistics.significance._CELLS_AT_ONCE", 100)
    np.testing.assert_array_equal(bootstrap_f(counts_of(1, 30), n_resamples=50, seed=3), whole)


def test_a_seed_gives_the_same_draws_and_another_seed_others() -> None:
    counts = counts_of(1, 30)
    first, again, other = (bootstrap_f(counts, n_resamples=20, seed=s) for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_intervals_cover_a_known_rate_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    covered = 0
    for trial in range(200):
        correct = rng.binomial(20, 0.9, size=60)
        counts = np.stack([correct, np.full(60, 20), np.full(60, 20)], axis=-1)
        samples = bootstrap_f(counts[None], n_resamples=400, seed=trial)[0]
        interval = percentile_interval(correct.mean() / 20, samples)
        covered += interval.low <= 0.9 <= interval.high
    assert 0.88 <= covered / 200 <= 0.99


def test_ten_thousand_resamples_of_250_documents_take_seconds_of_processor_time() -> None:
    begin = thread_time()
    bootstrap_f(counts_of(2, 250))
    assert thread_time() - begin < 5


def test_a_corpus_without_spans_has_an_interval_at_zero() -> None:
    samples = bootstrap_f(np.zeros((1, 5, 3)), n_resamples=10)[0]
    assert percentile_interval(0.0, samples).to_dict() == {
        "estimate": 0.0,
        "low": 0.0,
        "high": 0.0,
        "level": 0.95,
    }


def test_bootstraps_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(UsageError, match="with a document"):
        bootstrap_f(np.zeros((1, 0, 3)))
    with pytest.raises(UsageError, match="at least one resample"):
        bootstrap_f(np.zeros((1, 2, 3)), n_resamples=0)
    with pytest.raises(UsageError, match="beta"):
        bootstrap_f(np.zeros((1, 2, 3)), beta=0)
    with pytest.raises(UsageError, match="confidence level"):
        percentile_interval(0.5, np.zeros(3), level=1.0)
