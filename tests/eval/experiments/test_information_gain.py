"""Information gain agrees with scikit-learn's mutual information."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import mutual_info_score

from multideid.eval.experiments.information_gain import (
    entropy,
    gain_of_values,
    gains_of_presence,
    row_patterns,
)

TOKENS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(-2, 2), st.booleans()), min_size=1, max_size=40
)


def _bits(values, classes) -> float:
    return mutual_info_score(values, classes) / np.log(2)


def test_entropy_is_in_bits() -> None:
    assert entropy([[1, 1], [4, 0], [0, 0], [1, 3]]).tolist() == pytest.approx(
        [1.0, 0.0, 0.0, 0.8112781]
    )


@given(TOKENS)
def test_gain_of_values_is_mutual_information(tokens) -> None:
    classes, values, _ = map(np.array, zip(*tokens, strict=True))
    assert gain_of_values(values, classes) == pytest.approx(_bits(values, classes), abs=1e-9)


@given(TOKENS)
def test_gain_of_presence_is_mutual_information(tokens) -> None:
    classes, _, present = map(np.array, zip(*tokens, strict=True))
    features = sparse.csr_matrix(np.stack([present, ~present], axis=1).astype(np.float32))
    gains = gains_of_presence(features, classes == 1)
    assert gains == pytest.approx([_bits(present, classes == 1)] * 2, abs=1e-9)


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=20))
def test_rows_share_a_pattern_where_their_features_are_equal(rows) -> None:
    patterns = row_patterns(sparse.csr_matrix(np.array(rows, dtype=np.float32)))
    for a, first in zip(patterns, rows, strict=True):
        for b, second in zip(patterns, rows, strict=True):
            assert (a == b) == (first == second)


def test_nothing_tells_nothing() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert gain_of_values(nothing, nothing) == 0
