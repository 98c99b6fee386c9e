"""Linear SVM over tokens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, FloatingArray, IntArray
from multideid.csr import Csr
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import save_arrays
from multideid.scoring.sparse_weights import SparseModel, load_sparse, sparse_arrays, sums
from multideid.text.bio import TokenLabels

if TYPE_CHECKING:
    from scipy import sparse

_RULES = {
    "bias": ArrayRule("float32 float64", ("n_columns",)),
    "seen": ArrayRule("bool", ("n_columns",)),
}
_LOWEST = np.float32(-2.0)


@dataclass(frozen=True, slots=True)
class LinearModel(SparseModel):
    """Weights of a linear classifier.

    Parameters
    ----------
    weights : float32 CSR matrix, shape (n_features, n_labels)
    bias : float32 array, shape (n_labels,)
    seen : bool array, shape (n_labels,)
        Whether the label occurred in training; at least one did. The margin of
        other labels is -2, or less where -2 would be the maximum.
    """

    bits: ClassVar[int] = 18
    """One more than a chain's, as an SVM's largest weights dominate its sums."""

    bias: FloatArray
    seen: BoolArray

    def scores(self, features: Csr | sparse.csr_matrix) -> FloatArray:
        """Return the margins, float32, shape (n_tokens, n_labels)."""
        return self.margins(sums(features, self.weights))

    def margins(self, sums: FloatingArray) -> FloatArray:
        """Return the margins, float32, shape (n_tokens, n_labels), from summed feature weights."""
        margins = np.asarray(sums + self.bias, dtype=np.float32)
        greatest = margins[:, self.seen].max(axis=1, keepdims=True)
        margins[:, ~self.seen] = np.minimum(_LOWEST, greatest - 1)
        return margins

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(
            folder,
            name,
            **sparse_arrays(self.weights),
            bias=self.bias,
            seen=self.seen,
        )

    @classmethod
    def load(cls, folder: Path, name: str, n_features: int, n_labels: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or holds another kind or size of model.
        """
        weights, arrays = load_sparse(folder, name, _RULES, (n_features, n_labels))
        check_order(folder / f"{name}.npz", "seen", arrays["seen"].any())
        return cls(weights, arrays["bias"], arrays["seen"])


@dataclass(frozen=True, slots=True)
class SvmTrainer:
    """Hyperparameters of the linear SVM (liblinear; thesis 3.1).

    Trains all tags jointly by the multiclass SVM of Crammer and Singer (2001),
    solved as by Keerthi et al. (2008); equation 1.3 of the thesis. This is ten
    times faster than one-vs-rest, and margins are comparable among tags.

    Parameters
    ----------
    c : float
        Penalty of training errors.
    tolerance : float
        liblinear's stopping tolerance.
    max_iterations : int
    seed : int
    """

    c: float = 0.1
    tolerance: float = 0.1
    max_iterations: int = 1000
    seed: int = 0

    def train(
        self,
        features: sparse.csr_matrix,
        labels: TokenLabels,
        weights: DoubleArray | None = None,
    ) -> LinearModel:
        """Train on tokens and their gold tags; without any, predict "O" everywhere.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
        labels : TokenLabels
        weights : float64 array, shape (n_tokens,), optional
            Sample weight of each token. Default: 1.
        """
        from scipy import sparse

        n_labels = len(labels.names)
        learned = np.zeros((n_labels, features.shape[1]), dtype=np.float32)
        bias = np.zeros(n_labels, dtype=np.float32)
        seen = np.bincount(labels.ids, minlength=n_labels) > 0
        seen[0] |= not len(labels)
        if seen.sum() == 1:
            bias[seen] = 1
        else:
            learned[seen], bias[seen] = self._fit(features, labels.ids, weights)
        return LinearModel(sparse.csr_matrix(learned.T), bias, seen)

    def _fit(
        self,
        features: sparse.csr_matrix,
        ids: IntArray,
        weights: DoubleArray | None,
    ) -> tuple[DoubleArray, DoubleArray]:
        from sklearn.svm import LinearSVC

        svm = LinearSVC(
            C=self.c,
            multi_class="crammer_singer",
            tol=self.tolerance,
            max_iter=self.max_iterations,
            random_state=self.seed,
        ).fit(features, ids, sample_weight=weights)
        if len(svm.classes_) > 2:
            return svm.coef_, svm.intercept_
        # With two classes, scikit-learn keeps only the difference of their weights.
        coefficients, intercepts = svm.coef_ / 2, svm.intercept_ / 2
        return np.vstack([-coefficients, coefficients]), np.append(-intercepts, intercepts)
