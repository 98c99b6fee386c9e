"""Binary kernel SVMs, stored as support vectors and their weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, FloatingArray, LongArray
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import save_arrays
from multideid.scoring.sparse_weights import load_sparse, sparse_arrays

KERNELS: dict[str, dict[str, Any]] = {
    "linear": {"kernel": "linear"},
    "quadratic": {"kernel": "poly", "degree": 2, "coef0": 1.0},
    "gaussian": {"kernel": "rbf"},
}
"""The kernels of Tafvizi's Table 3, as scikit-learn spells them."""

_RULES = {
    "kernel": ArrayRule("str", ()),
    "gamma": ArrayRule("float64", (), low=0),
    "n_features": ArrayRule("int64", ()),
    "weights": ArrayRule("float64", ("n_vectors",)),
    "bias": ArrayRule("float64", ()),
}
_ROWS = 4_096
_VECTORS = 512


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of `KERNELS`.

    Parameters
    ----------
    name : str
    gamma : float
        Width; ignored by the linear kernel.
    """

    name: str
    gamma: float

    @classmethod
    def scaled(cls, name: str, features: sparse.csr_matrix) -> Self:
        """Return the kernel with scikit-learn's ``gamma="scale"``."""
        cells = max(features.shape[0] * features.shape[1], 1)
        variance = float(features.power(2).sum() / cells - (features.sum() / cells) ** 2)
        return cls(name, 1 / (features.shape[1] * variance) if variance else 1.0)

    def matrix(self, rows: sparse.csr_matrix, vectors: sparse.csr_matrix) -> DoubleArray:
        """Return the kernel of each row with each vector, shape (n_rows, n_vectors)."""
        products = np.asarray(_products(rows, vectors))
        if self.name == "linear":
            return products
        if self.name == "quadratic":
            return np.asarray((self.gamma * products + 1) ** 2)
        squares = _squares(rows)[:, None] + _squares(vectors) - 2 * products
        return np.asarray(np.exp(-self.gamma * squares))


def _products(rows: sparse.csr_matrix, vectors: sparse.csr_matrix) -> DoubleArray:
    # A product with a dense matrix is much faster, and the vectors use few features.
    used = np.unique(vectors.indices)
    dense = vectors[:, used].toarray().astype(np.float64)
    return np.asarray(rows[:, used] @ dense.T)


def _squares(rows: sparse.csr_matrix) -> DoubleArray:
    return np.asarray(rows.power(2).sum(axis=1), dtype=np.float64).ravel()


@dataclass(frozen=True, slots=True)
class KernelModel:
    """A decision function ``sum_i weights[i] * k(x, vectors[i]) + bias``.

    Parameters
    ----------
    kernel : Kernel
    vectors : float CSR matrix, shape (n_vectors, n_features)
        Support vectors, or the landmarks of a Nyström approximation.
    weights : float64 array, shape (n_vectors,)
    bias : float
    """

    kernel: Kernel
    vectors: sparse.csr_matrix = field(repr=False)
    weights: DoubleArray = field(repr=False)
    bias: float

    def margins(self, features: sparse.csr_matrix) -> DoubleArray:
        """Return the margins, above 0 inside the class, shape (n_tokens,)."""
        margins = np.full(features.shape[0], self.bias)
        for first in range(0, len(self.weights), _VECTORS):
            here = slice(first, first + _VECTORS)
            vectors, weights = self.vectors[here], self.weights[here]
            for rows in _blocks(features.shape[0]):
                margins[rows] += self.kernel.matrix(features[rows], vectors) @ weights
        return margins

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(
            folder,
            name,
            kernel=np.array(self.kernel.name),
            gamma=np.array(self.kernel.gamma),
            **sparse_arrays(self.vectors),
            n_features=np.array(self.vectors.shape[1]),
            weights=self.weights,
            bias=np.array(self.bias),
        )

    @classmethod
    def load(cls, folder: Path, name: str, n_features: int, kernel: str) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or holds another kind or size of model.
        """
        stored, arrays = load_sparse(folder, name, _RULES, (None, n_features))
        path = folder / f"{name}.npz"
        check_order(path, "kernel", str(arrays["kernel"]) == kernel)
        check_order(path, "n_features", arrays["n_features"] == n_features)
        check_order(path, "weights", len(arrays["weights"]) == stored.shape[0])
        saved = Kernel(kernel, float(arrays["gamma"]))
        return cls(saved, stored.matrix(), arrays["weights"], float(arrays["bias"]))


@dataclass(frozen=True, slots=True)
class ExactTrainer:
    """An exact kernel SVM (libsvm), with quadratic time in the number of tokens.

    Parameters
    ----------
    kernel : str
        A key of `KERNELS`.
    c : float
        Inverse regularisation strength.
    """

    kernel: str
    c: float = 1.0

    def train(self, features: sparse.csr_matrix, inside: BoolArray) -> KernelModel:
        """Train a classifier of the tokens inside the class."""
        from sklearn.svm import SVC

        kernel = Kernel.scaled(self.kernel, features)
        # libsvm refuses a single class.
        if inside.all() or not inside.any():
            return _constant(kernel, features, inside)
        svm = SVC(C=self.c, cache_size=500, gamma=kernel.gamma, **KERNELS[self.kernel])
        svm.fit(features, inside)
        weights = np.asarray(sparse.csr_matrix(svm.dual_coef_).todense()).ravel()
        vectors = sparse.csr_matrix(svm.support_vectors_)
        return KernelModel(kernel, vectors, weights.astype(np.float64), float(svm.intercept_[0]))


@dataclass(frozen=True, slots=True)
class NystroemTrainer:
    """A linear SVM over Nyström's approximation of a kernel (Williams and Seeger 2001).

    A token is represented by its kernels with a few landmark tokens, which bounds the
    size of the model and the time of prediction.

    Parameters
    ----------
    kernel : str
        A key of `KERNELS`.
    c : float
    n_components : int
        Number of landmarks: the first tokens of the training data.
    seed : int
    """

    kernel: str
    c: float = 1.0
    n_components: int = 1000
    seed: int = 0

    def train(self, features: sparse.csr_matrix, inside: BoolArray) -> KernelModel:
        """Train a classifier of the tokens inside the class."""
        from sklearn.kernel_approximation import Nystroem
        from sklearn.svm import LinearSVC

        kernel = Kernel.scaled(self.kernel, features)
        if inside.all() or not inside.any():
            return _constant(kernel, features, inside)
        first = features[: self.n_components]
        settings = {"n_components": first.shape[0], "random_state": self.seed}
        basis = Nystroem(**KERNELS[self.kernel], gamma=kernel.gamma, **settings).fit(first)
        vectors = sparse.csr_matrix(basis.components_)
        mapped = kernel.matrix(features, vectors) @ basis.normalization_.T
        svm = LinearSVC(C=self.c, random_state=self.seed).fit(mapped, inside)
        weights = basis.normalization_.T @ svm.coef_[0]
        return KernelModel(kernel, vectors, weights, float(svm.intercept_[0]))


def shortlist(
    margins: FloatingArray, inside: BoolArray, max_tokens: int, seed: int = 0
) -> LongArray:
    """Return a sample of training tokens: hard ones first, then random others.

    Half are those with the smallest margins of another classifier, since support
    vectors are found there; half are drawn at random from the rest. Each half is
    shuffled, because the very hardest are mostly annotation errors.

    Parameters
    ----------
    margins : float array, shape (n_tokens,)
        Margins of the other classifier, above 0 inside the class.
    inside : bool array, shape (n_tokens,)
    max_tokens : int
        Maximum number of tokens.
    seed : int
    """
    rng = np.random.default_rng(seed)
    hardest = np.argsort(np.where(inside, margins, -margins), kind="stable")
    half = min(max_tokens, len(hardest)) // 2
    hard, others = rng.permutation(hardest[:half]), rng.permutation(hardest[half:])
    return np.concatenate([hard, others[: max_tokens - half]])


def _blocks(n_rows: int) -> Iterator[slice]:
    return (slice(first, first + _ROWS) for first in range(0, n_rows, _ROWS))


def _constant(kernel: Kernel, features: sparse.csr_matrix, inside: BoolArray) -> KernelModel:
    """Return a constant model: inside if any training token was."""
    return KernelModel(kernel, features[:0], np.zeros(0), 1.0 if inside.any() else -1.0)
