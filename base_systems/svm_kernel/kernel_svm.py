"""SVMs that tell one class from the rest by a kernel, kept as a weighted sum of kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, FloatingArray, LongArray
from multideid.persistence import load_arrays, save_arrays
from multideid.scoring.sparse_weights import sparse_arrays, sparse_matrix

KERNELS: dict[str, dict[str, Any]] = {
    "linear": {"kernel": "linear"},
    "quadratic": {"kernel": "poly", "degree": 2, "coef0": 1.0},
    "gaussian": {"kernel": "rbf"},
}
"""The kernels of Tafvizi's Table 3, as scikit-learn spells them."""

_ROWS = 4_096
_VECTORS = 512


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of `KERNELS`.

    Parameters
    ----------
    name : str
    gamma : float
        Its width; of no use to the linear one.
    """

    name: str
    gamma: float

    @classmethod
    def scaled(cls, name: str, features: sparse.csr_matrix) -> Self:
        """Return the kernel of the width that scikit-learn calls ``"scale"``."""
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
    # A product with a dense matrix is many times faster, and few features are any vector's.
    used = np.unique(vectors.indices)
    dense = vectors[:, used].toarray().astype(np.float64)
    return np.asarray(rows[:, used] @ dense.T)


def _squares(rows: sparse.csr_matrix) -> DoubleArray:
    return np.asarray(rows.power(2).sum(axis=1), dtype=np.float64).ravel()


@dataclass(frozen=True, slots=True)
class KernelModel:
    """The margin of a token: a weighted sum of its kernels with some training tokens.

    Parameters
    ----------
    kernel : Kernel
    vectors : float CSR matrix, shape (n_vectors, n_features)
        Support vectors, or the landmarks of an approximate kernel.
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
    def load(cls, folder: Path, name: str) -> Self:
        """Read what `save` wrote."""
        arrays = load_arrays(folder, name)
        kernel = Kernel(str(arrays["kernel"]), float(arrays["gamma"]))
        vectors = sparse_matrix(arrays, int(arrays["n_features"]))
        return cls(kernel, vectors, arrays["weights"], float(arrays["bias"]))


@dataclass(frozen=True, slots=True)
class ExactTrainer:
    """An SVM of the kernel itself (libsvm); its time grows with the square of the tokens.

    Parameters
    ----------
    kernel : str
        A key of `KERNELS`.
    c : float
        Trades margin size for training errors.
    """

    kernel: str
    c: float = 1.0

    def train(self, features: sparse.csr_matrix, inside: BoolArray) -> KernelModel:
        """Learn to tell the tokens inside the class from the others."""
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

    A token stands there by its kernels with some tokens, the landmarks, which
    bounds how many are kept and so the time of every use.

    Parameters
    ----------
    kernel : str
        A key of `KERNELS`.
    c : float
    landmarks : int
        The first tokens of the training data.
    seed : int
    """

    kernel: str
    c: float = 1.0
    landmarks: int = 1000
    seed: int = 0

    def train(self, features: sparse.csr_matrix, inside: BoolArray) -> KernelModel:
        """Learn to tell the tokens inside the class from the others."""
        from sklearn.kernel_approximation import Nystroem
        from sklearn.svm import LinearSVC

        kernel = Kernel.scaled(self.kernel, features)
        if inside.all() or not inside.any():
            return _constant(kernel, features, inside)
        first = features[: self.landmarks]
        settings = {"n_components": first.shape[0], "random_state": self.seed}
        basis = Nystroem(**KERNELS[self.kernel], gamma=kernel.gamma, **settings).fit(first)
        vectors = sparse.csr_matrix(basis.components_)
        mapped = kernel.matrix(features, vectors) @ basis.normalization_.T
        svm = LinearSVC(C=self.c, random_state=self.seed).fit(mapped, inside)
        weights = basis.normalization_.T @ svm.coef_[0]
        return KernelModel(kernel, vectors, weights, float(svm.intercept_[0]))


def shortlist(margins: FloatingArray, inside: BoolArray, most: int, seed: int = 0) -> LongArray:
    """Return the tokens worth training on, if they are too many: hard ones first, then others.

    Half are those that another classifier finds hardest, which is where the
    support vectors are; half are drawn by lot from the rest. Within each half
    chance orders them: the very hardest are mostly errors of the gold.

    Parameters
    ----------
    margins : float array, shape (n_tokens,)
        The other classifier's, above 0 inside the class.
    inside : bool array, shape (n_tokens,)
    most : int
        All tokens if they are no more.
    seed : int
    """
    rng = np.random.default_rng(seed)
    hardest = np.argsort(np.where(inside, margins, -margins), kind="stable")
    half = min(most, len(hardest)) // 2
    hard, others = rng.permutation(hardest[:half]), rng.permutation(hardest[half:])
    return np.concatenate([hard, others[: most - half]])


def _blocks(n_rows: int) -> Iterator[slice]:
    return (slice(first, first + _ROWS) for first in range(0, n_rows, _ROWS))


def _constant(kernel: Kernel, features: sparse.csr_matrix, inside: BoolArray) -> KernelModel:
    """Return the model for which all tokens are alike: inside if any training token was."""
    return KernelModel(kernel, features[:0], np.zeros(0), 1.0 if inside.any() else -1.0)
