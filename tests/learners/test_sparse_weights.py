"""Sparse weights: what is kept of them, and their sums over a token's features."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from multideid.learners.sparse_weights import sparse_arrays, sparse_matrix, sums


def weights(n_features: int, n_labels: int) -> sparse.csr_matrix:
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(n_features, n_labels)) * (rng.random((n_features, n_labels)) < 0.3)
    return sparse.csr_matrix(dense.astype(np.float32))


@pytest.mark.parametrize("shape", [(20, 3), (0, 3), (20, 0)])
def test_arrays_make_the_same_matrix_again(shape: tuple[int, int]) -> None:
    matrix = weights(*shape)
    again = sparse_matrix({**sparse_arrays(matrix), "bias": np.zeros(1)}, shape[1])
    assert again.shape == shape
    assert again.dtype == np.float32
    assert np.array_equal(again.toarray(), matrix.toarray())


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
