"""Sparse weights: storage in model files, quantization, and sums over a token's features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from multideid.arrays import AnyArray, DoubleArray, IntArray, LongArray
from multideid.csr import Csr
from multideid.persistence.array_rules import CSR_RULES, ArrayRule, check_order
from multideid.persistence.files import load_arrays

if TYPE_CHECKING:
    from scipy import sparse

_BITS = 17
_SINGLE, _DOUBLE = 24, 53  # Bits of the significand.
_LEAST = float(np.finfo(np.float32).smallest_subnormal)
_ROWS = 65_536
"""Tokens of a training corpus whose weights are summed at a time, so that memory is bounded."""


@dataclass(frozen=True, slots=True)
class SparseModel:
    """Base class of models with a row of weights per feature.

    Parameters
    ----------
    weights : float CSR matrix, shape (n_features, n_labels)
    """

    bits: ClassVar[int] = _BITS
    """Bits of a quantized weight."""

    weights: Csr | sparse.csr_matrix = field(repr=False)

    def of_features(self, rows: LongArray) -> Self:
        """Return the model of a subset of the features, renumbered."""
        return replace(self, weights=self.weights[rows])

    def quantized(self, step: float = 0.0) -> Self:
        """Return the model with quantized weights; `step` as `quantize`."""
        return replace(self, weights=quantize(self.weights, self.bits, step))


def sparse_arrays(matrix: Csr | sparse.csr_matrix) -> dict[str, AnyArray]:
    """Return the arrays of a CSR matrix for a model file, to be read by `load_sparse`.

    Parameters
    ----------
    matrix : CSR matrix

    Returns
    -------
    dict of str to array
        ``data`` of the matrix's dtype, ``indices`` int32, ``indptr`` int64.
    """
    return {
        "data": matrix.data,
        "indices": matrix.indices.astype(np.int32),
        "indptr": matrix.indptr.astype(np.int64),
    }


def load_sparse(
    folder: Path, name: str, rules: Mapping[str, ArrayRule], shape: tuple[int | None, int]
) -> tuple[Csr, dict[str, AnyArray]]:
    """Read a file with the arrays of a CSR matrix, and others.

    Parameters
    ----------
    folder : Path
    name : str
    rules : mapping of str to ArrayRule
        Of the other arrays; they may name the size ``n_columns``.
    shape : (int or None, int)
        Of the matrix; None for any number of rows.

    Returns
    -------
    Csr, dict of str to array

    Raises
    ------
    ModelError
        If the file is missing or damaged, breaks a rule, or has no such matrix.
    """
    sizes = {"n_columns": shape[1], **({} if shape[0] is None else {"n_bounds": shape[0] + 1})}
    arrays = load_arrays(folder, name, {**CSR_RULES, **rules}, **sizes)
    data, indptr = arrays["data"], arrays["indptr"]
    # Compiled loops take the bounds of rows as they are.
    ends = len(indptr) > 0 and indptr[0] == 0 and indptr[-1] == len(data)
    check_order(folder / f"{name}.npz", "indptr", ends and (np.diff(indptr) >= 0).all())
    distinct = _columns_are_distinct(indptr, arrays["indices"], shape[1])
    check_order(folder / f"{name}.npz", "indices", distinct)
    bounds = indptr.astype(np.int32) if len(data) < 2**31 else indptr
    return Csr(data, arrays["indices"], bounds, shape[1]), arrays


def _columns_are_distinct(indptr: LongArray, indices: IntArray, n_columns: int) -> bool:
    """Return whether no cell has two values: some readers would add them, others not."""
    rising = np.diff(indices) > 0
    starts = indptr[1:-1]
    rising[starts[(starts > 0) & (starts < len(indices))] - 1] = True
    if rising.all():
        return True
    rows = np.repeat(np.arange(len(indptr) - 1, dtype=np.int64), np.diff(indptr))
    return len(np.unique(rows * n_columns + indices)) == len(indices)


def sums(features: Csr | sparse.csr_matrix, weights: Csr | sparse.csr_matrix) -> DoubleArray:
    """Return the summed weights of each token's features.

    Parameters
    ----------
    features : CSR matrix, shape (n_tokens, n_features)
    weights : float CSR matrix, shape (n_features, n_labels)

    Returns
    -------
    float64 array, shape (n_tokens, n_labels)
        Sums of quantized weights are exact up to a bound; sums of other float32
        weights hardly depend on their order.
    """
    if isinstance(features, Csr):
        return _sums_of_rows(features, weights)
    found = np.empty((features.shape[0], weights.shape[1]))
    for first in range(0, len(found), _ROWS):
        rows = slice(first, first + _ROWS)
        found[rows] = _sums_of_matrix(features[rows], weights)
    return found


def _sums_of_matrix(features: sparse.csr_matrix, weights: Csr | sparse.csr_matrix) -> DoubleArray:
    from scipy import sparse

    dense, local = _dense_weights(features.indices, weights)
    shape = (features.shape[0], len(dense))
    compact = sparse.csr_matrix((features.data, local, features.indptr), shape=shape)
    return np.asarray(compact @ dense)


def _sums_of_rows(features: Csr, weights: Csr | sparse.csr_matrix) -> DoubleArray:
    """Return the same sums, added in the same order."""
    dense, local = _dense_weights(features.indices, weights)
    return replace(features, indices=local, n_columns=len(dense)).times(dense)


def _dense_weights(
    features: IntArray, weights: Csr | sparse.csr_matrix
) -> tuple[DoubleArray, IntArray]:
    """Return the weights of the features that occur, and each feature's row in them.

    A product with a dense matrix is faster, and a text has few of the features.
    """
    is_used = np.zeros(weights.shape[0], dtype=np.bool_)
    is_used[features] = True
    used = np.flatnonzero(is_used)
    place = np.empty(len(is_used), dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return weights[used].toarray().astype(np.float64), place[features]


def quantize(
    weights: Csr | sparse.csr_matrix, bits: int = _BITS, step: float = 0.0
) -> sparse.csr_matrix:
    """Round weights to multiples of a power of two, so that float32 sums are exact.

    The unit is the smallest power of two that is at least ``max(abs(weights)) /
    2**bits``. The remaining bits of float32's 24 are for sums, which are exact
    in any order up to `exact_up_to`: with 17 bits, 128 times the largest weight.

    Parameters
    ----------
    weights : float CSR matrix
    bits : int
    step : float, default 0
        The least unit, a power of two; a large one makes the model small.

    Returns
    -------
    float32 CSR matrix
        A copy, without weights that become 0.
    """
    fraction, exponent = np.frexp(float(np.abs(weights.data).max(initial=0)))
    # A power of two belongs to the range below it, so that quantizing again
    # changes nothing.
    unit = max(2.0 ** (int(exponent) - int(fraction == 0.5) - bits), step, _LEAST)
    matrix = weights.matrix() if isinstance(weights, Csr) else weights
    kept = matrix.astype(np.float32)
    kept.data[:] = np.rint(weights.data.astype(np.float64) / unit) * unit
    kept.eliminate_zeros()
    return kept


def exact_up_to(values: AnyArray) -> float:
    """Return the bound up to which sums of weights are exact in float32.

    It is ``2**24 * unit`` where all weights are multiples of `unit`, a power of two.

    Parameters
    ----------
    values : float array

    Returns
    -------
    float
        Infinite if all weights are 0.
    """
    fractions, exponents = np.frexp(values[values != 0].astype(np.float64))
    if not len(fractions):
        return float(np.inf)
    digits = np.ldexp(fractions, _DOUBLE).astype(np.int64)
    lowest = np.log2(digits & -digits) + exponents
    return float(2.0 ** (lowest.min() - _DOUBLE + _SINGLE))
