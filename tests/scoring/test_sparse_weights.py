"""Sparse weights: quantization, and sums over a token's features."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from multideid.errors import ModelError
from multideid.persistence import ArrayRule, save_arrays
from multideid.scoring.sparse_weights import (
    exact_up_to,
    load_sparse,
    quantize,
    sparse_arrays,
    sums,
)

VALUES = st.lists(
    st.floats(-1e6, 1e6, width=32) | st.sampled_from([0.0, 1.0, -2.0, 0.99999994, 1e-9]),
    min_size=1,
    max_size=60,
)


def weights(n_features: int, n_labels: int) -> sparse.csr_matrix:
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(n_features, n_labels)) * (rng.random((n_features, n_labels)) < 0.3)
    return sparse.csr_matrix(dense.astype(np.float32))


@pytest.mark.parametrize("shape", [(20, 3), (0, 3), (20, 0)])
def test_arrays_make_the_same_matrix_again(shape: tuple[int, int], tmp_path: Path) -> None:
    matrix = weights(*shape)
    save_arrays(tmp_path, "x", **sparse_arrays(matrix), bias=np.zeros(1))
    again, others = load_sparse(tmp_path, "x", {"bias": ArrayRule("float64", (1,))}, shape)
    assert others["bias"].tolist() == [0]
    assert again.shape == shape
    assert again.data.dtype == np.float32
    assert np.array_equal(again.toarray(), matrix.toarray())


@pytest.mark.parametrize(
    ("indices", "is_read"), [([0, 1, 0], True), ([1, 0, 1], True), ([1, 1, 0], False)]
)
def test_two_weights_of_one_cell_are_refused(
    indices: list[int], is_read: bool, tmp_path: Path
) -> None:
    arrays = sparse_arrays(sparse.csr_matrix(np.array([[1, 2], [3, 0]], dtype=np.float32)))
    arrays["indices"] = np.array(indices, dtype=arrays["indices"].dtype)
    save_arrays(tmp_path, "x", **arrays)
    if is_read:
        assert load_sparse(tmp_path, "x", {}, (2, 2))[0].data.tolist() == [1, 2, 3]
    else:
        with pytest.raises(ModelError, match="'indices' has values that disagree"):
            load_sparse(tmp_path, "x", {}, (2, 2))


def test_arrays_have_the_types_and_the_order_of_files() -> None:
    arrays = sparse_arrays(weights(20, 3))
    kept = [(name, array.dtype.name) for name, array in arrays.items()]
    assert kept == [("data", "float32"), ("indices", "int32"), ("indptr", "int64")]


@pytest.mark.parametrize("n_tokens", [0, 1, 30])
def test_sums_are_the_product(n_tokens: int) -> None:
    rng = np.random.default_rng(1)
    dense = (rng.random((n_tokens, 20)) < 0.2).astype(np.float32)
    found = sums(sparse.csr_matrix(dense), weights(20, 3))
    assert found.dtype == np.float64
    assert found == pytest.approx(dense @ weights(20, 3).toarray(), abs=1e-6)


def test_sums_of_a_corpus_are_those_of_its_blocks_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    features = sparse.csr_matrix((rng.random((30, 20)) < 0.2).astype(np.int8))
    whole = sums(features, weights(20, 3))
    monkeypatch.setattr("multideid.scoring.sparse_weights._ROWS", 7)
    np.testing.assert_array_equal(sums(features, weights(20, 3)), whole)
    assert np.abs(whole).max() > 0


@given(VALUES)
def test_quantized_weights_are_the_nearest_multiples(values: list[float]) -> None:
    column = sparse.csr_matrix(np.array(values)[:, None])
    found = quantize(column)
    assert (found.shape, found.dtype) == (column.shape, np.float32)
    assert 0 not in found.data
    largest = np.abs(values).max()
    assert np.abs(found - column).max() <= largest * 2.0**-17
    assert exact_up_to(found.data) >= 128 * np.abs(found.data).max(initial=0)
    assert np.array_equal(quantize(found).toarray(), found.toarray())


@given(VALUES, st.integers(5, 18), st.randoms(use_true_random=False))
def test_sums_up_to_the_bound_are_exact_in_any_order(
    values: list[float], bits: int, random: Random
) -> None:
    weights = quantize(sparse.csr_matrix(values * 20), bits).data
    bound = exact_up_to(weights)
    for _ in range(3):
        random.shuffle(weights)
        within = weights[np.abs(weights).astype(np.float64).cumsum() <= bound]
        total = np.float32(0)
        for weight in within:
            total += weight
        assert total == within.astype(np.float64).sum()


@pytest.mark.parametrize(
    ("values", "bound"),
    [([1.0], 2.0**24), ([-3.0, 0.0], 2.0**24), ([0.75, 6.0], 2.0**22), ([0.1], 2.0**-31)],
)
def test_the_bound_follows_from_the_last_digit(values: list[float], bound: float) -> None:
    assert exact_up_to(np.array(values)) == bound


def test_nothing_has_no_bound() -> None:
    assert exact_up_to(np.zeros(0, dtype=np.float32)) == np.inf
    assert exact_up_to(np.zeros(3)) == np.inf
