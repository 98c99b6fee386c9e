"""The loops over new strings add what a plain search of the keys finds, and store it."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.arrays import DoubleArray
from multideid.scoring.csr_weights import CsrWeights
from multideid.scoring.string_sums import UNKNOWN, Additions, Values, add_known, store_rows

WEIGHTS = CsrWeights(
    np.arange(0, 21, 2, dtype=np.int32),
    np.tile(np.array([0, 2], dtype=np.int32), 10),
    np.arange(1, 21, dtype=np.float32),
)
"""Ten features with weights for the labels 0 and 2."""


def added(codes: list[list[int]], keys: list[int], starts: list[int]) -> DoubleArray:
    """Return what one template adds to the rows of strings, of columns packed by a factor of 10."""
    ends = np.cumsum([0, *map(len, codes)])
    owner = np.concatenate([np.arange(len(column)) for column in codes])
    values = Values(ends, np.concatenate(codes).astype(np.int32), owner)
    columns = np.arange(len(codes))
    bounds = [np.array([0, len(part)]) for part in (columns, keys, starts)]
    additions = Additions(
        bounds[0], columns, np.full(len(codes), 10),
        bounds[1], np.array(keys, dtype=np.int64), np.array([3]),
        bounds[2], np.array(starts),
    )  # fmt: skip
    sums = np.zeros((len(codes[0]), 8))
    add_known(values, additions, WEIGHTS, sums)
    return sums


@pytest.mark.parametrize("keys", [[], [4], [0, 1, 2, 3, 4], [2, 3, 4, 5], [1, 4, 7], [9, 40]])
def test_a_value_adds_the_weights_of_its_key_at_each_start(keys: list[int]) -> None:
    values = [4, UNKNOWN, 0, 9, 5, 2, 4]
    sums = added([values], keys, [0, 4])
    for value, row in zip(values, sums, strict=True):
        wanted = np.zeros(8)
        if value in keys:
            first = 2 * (3 + keys.index(value))
            wanted[[0, 2, 4, 6]] = [first + 1, first + 2] * 2
        assert row.tolist() == wanted.tolist()


def test_values_of_several_columns_are_packed_and_need_all_of_them() -> None:
    sums = added([[4, 4, UNKNOWN, 1], [2, UNKNOWN, 2, 4]], [14, 42], [1])
    assert sums[:, 1].tolist() == [9.0, 0.0, 0.0, 7.0]


def test_stored_rows_follow_one_another_and_their_greatest_values_are_noted() -> None:
    sums = np.array([[1.5, -4.0, 0.0], [-2.5, 3.0, 0.0]])
    scores, largest = np.zeros(8, dtype=np.float32), np.array([0.5, 9.0, 0.0])
    store_rows(sums, 1, scores, largest)
    assert scores.tolist() == [0.0, 1.5, -4.0, 0.0, -2.5, 3.0, 0.0, 0.0]
    assert largest.tolist() == [2.5, 9.0, 0.0]
