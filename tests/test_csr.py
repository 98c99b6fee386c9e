"""Matrices of prediction have the values of scipy's, and predicting does not import scipy."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse

from multideid.csr import Csr
from multideid.features.occurrences import Occurrences
from multideid.scoring import sparse_weights

SMALL = st.integers(0, 6)
SHAPES = st.tuples(SMALL, st.integers(1, 5))
VALUES = st.sampled_from([0.0, 0.0, 0.0, 1.0, -2.5, 0.1])


def dense(shape: st.SearchStrategy[tuple[int, int]]) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays(np.float32, shape, elements=VALUES.map(np.float32))


def same(found: Csr, expected: sparse.csr_matrix) -> None:
    assert found.shape == expected.shape
    assert found.indptr.tolist() == expected.indptr.tolist()
    assert found.indices.tolist() == expected.indices.tolist()
    assert found.data.tolist() == expected.data.tolist()
    assert (found.matrix() != expected).nnz == 0


@given(dense(SHAPES), st.data())
def test_rows_are_those_of_scipy_in_any_order(values: np.ndarray, data: st.DataObject) -> None:
    matrix, known = Csr.of_dense(values), sparse.csr_matrix(values)
    same(matrix, known)
    np.testing.assert_array_equal(matrix.toarray(), values)
    same(matrix[1:], known[1:])
    chosen = data.draw(st.lists(st.integers(0, len(values) - 1))) if len(values) else []
    rows = np.array(chosen, dtype=np.int64)
    same(matrix[rows], known[rows])


@given(st.integers(1, 5).flatmap(lambda n: st.lists(dense(st.just((n, 3))), min_size=1)))
def test_columns_are_joined_as_by_scipy(blocks: list[np.ndarray]) -> None:
    found = Csr.side_by_side([Csr.of_dense(block) for block in blocks])
    same(found, sparse.hstack([sparse.csr_matrix(block) for block in blocks], format="csr"))


def test_one_column_of_each_row_is_hot() -> None:
    assert Csr.one_hot(np.array([2, 0]), 3).toarray().tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("ones", [True, False])
def test_sums_are_the_same_to_the_bit(ones: bool) -> None:
    rng = np.random.default_rng(1)
    features = sparse.random(9, 60, 0.5, "csr", np.float32, rng)
    weights = sparse.random(60, 4, 0.6, "csr", np.float32, rng)
    if ones:
        features.data[:] = 1
    own = [Csr(m.data, m.indices, m.indptr, m.shape[1]) for m in (features, weights)]
    expected = features.astype(np.float64).toarray() @ weights.toarray().astype(np.float64)
    found = sparse_weights.sums(*own)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    for mixed in ((features, weights), (features, own[1]), (own[0], weights)):
        assert (sparse_weights.sums(*mixed) == found).all()


@given(st.lists(st.integers(0, 3), max_size=30))
def test_means_of_other_occurrences_are_added_one_after_the_other(words: list[int]) -> None:
    word = np.array(words, dtype=np.int64)
    values = np.random.default_rng(0).normal(size=(len(words), 2)).astype(np.float32)
    found = Occurrences.of(word).mean_of_others(values)
    for n, own in enumerate(words):
        total = np.zeros(2, dtype=np.float32)
        for row in np.flatnonzero(word == own):
            total += values[row]
        others = np.float32(max(words.count(own) - 1, 1))
        assert found[n].tolist() == ((total - values[n]) / others).tolist()


@pytest.mark.end_to_end
def test_the_first_note_is_read_without_scipy() -> None:
    program = (
        "import sys; from multideid.models import load; load('en-default').predict('Dr. Lee');"
        "sys.exit('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
