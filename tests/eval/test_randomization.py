"""Approximate randomization gives the p of exchanging two systems' documents at random."""

from __future__ import annotations

from itertools import product
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.eval.metrics.scores import f_measure
from multideid.eval.statistics.randomization import randomization_p

document = st.integers(0, 5).flatmap(
    lambda gold: st.tuples(st.integers(0, gold), st.integers(0, 3)).map(
        lambda drawn: (drawn[0], drawn[0] + drawn[1], gold)
    )
)
pairs = st.lists(st.tuples(document, document), min_size=1, max_size=6)


def columns(pairs: list) -> tuple[np.ndarray, np.ndarray]:
    a, b = np.array(pairs, dtype=np.float64).transpose(1, 0, 2)
    # Gold is the same on both sides.
    b[:, 2] = a[:, 2]
    b[:, 0] = np.minimum(b[:, 0], a[:, 2])
    b[:, 1] = np.maximum(b[:, 0], b[:, 1])
    return a, b


def exact_p(a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of all exchanges that are at least as far apart."""
    observed = abs(f_measure(a.sum(0)) - f_measure(b.sum(0)))
    far = []
    for exchange in product((False, True), repeat=len(a)):
        swapped = np.array(exchange)[:, None]
        ours, theirs = np.where(swapped, b, a).sum(0), np.where(swapped, a, b).sum(0)
        far.append(abs(f_measure(ours) - f_measure(theirs)) >= observed - 1e-12)
    return float(np.mean(far))


@given(pairs)
def test_p_is_that_of_all_exchanges_but_for_the_draw(pairs: list) -> None:
    a, b = columns(pairs)
    p, exact = randomization_p(a, b, n_shuffles=2000), exact_p(a, b)
    assert p == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 2000) + 1 / 2001)


@given(pairs)
def test_p_is_two_sided(pairs: list) -> None:
    a, b = columns(pairs)
    assert randomization_p(a, b, n_shuffles=50) == randomization_p(b, a, n_shuffles=50)


@pytest.mark.parametrize("counts", [(3, 4, 5), (0, 0, 5), (0, 0, 0)])
def test_p_of_identical_systems_is_one(counts: tuple[int, int, int]) -> None:
    same = np.tile(counts, (8, 1))
    assert randomization_p(same, same, n_shuffles=100) == 1.0


def test_p_is_never_zero_however_far_apart() -> None:
    right, nothing = np.tile((5, 5, 5), (60, 1)), np.tile((0, 0, 5), (60, 1))
    assert randomization_p(right, nothing, n_shuffles=999) == 0.001


def test_p_is_even_where_there_is_no_difference_but_chance() -> None:
    rng = np.random.default_rng(5)
    found = []
    for trial in range(200):
        correct = rng.binomial(20, 0.9, size=(2, 40))
        a, b = np.stack([correct, np.full((2, 40), 20), np.full((2, 40), 20)], axis=-1)
        found.append(randomization_p(a, b, n_shuffles=200, seed=trial))
    assert 0.01 <= np.mean(np.array(found) < 0.05) <= 0.1
    assert 0.4 <= np.mean(found) <= 0.6


def test_a_large_corpus_is_shuffled_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(1, 9, size=30)
    a, b = (np.stack([rng.binomial(gold, r), gold, gold], axis=-1) for r in (0.8, 0.85))
    whole = randomization_p(a, b, n_shuffles=500)
    monkeypatch.setattr("multideid.eval.statistics.significance._CELLS_AT_ONCE", 100)
    assert randomization_p(a, b, n_shuffles=500) == pytest.approx(whole, abs=0.1)


def test_ten_thousand_shuffles_of_250_documents_take_seconds_at_most() -> None:
    counts = np.tile((5, 5, 5), (250, 1))
    begin = perf_counter()
    randomization_p(counts, counts)
    assert perf_counter() - begin < 3


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        (np.zeros((2, 3)), np.zeros((3, 3)), {}, "shape"),
        (np.zeros((0, 3)), np.zeros((0, 3)), {}, "with a document"),
        (np.zeros((2, 3)), np.zeros((2, 3)), {"n_shuffles": 0}, "at least one shuffle"),
        (np.zeros((2, 3)), np.zeros((2, 3)), {"beta": 0}, "beta"),
    ],
)
def test_a_test_that_cannot_be_made_is_refused(a, b, options, message) -> None:
    with pytest.raises(UsageError, match=message):
        randomization_p(a, b, **options)
