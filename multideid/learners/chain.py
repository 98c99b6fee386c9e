"""Linear-chain model: weights of features and transitions, independent of the trainer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, FloatingArray, IntArray, LongArray
from multideid.csr import Csr
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import save_arrays
from multideid.scoring.inference import Steps, marginals, raised_log_odds, viterbi
from multideid.scoring.sparse_weights import SparseModel, load_sparse, sparse_arrays, sums
from multideid.text.bio import TokenLabels

if TYPE_CHECKING:
    from scipy import sparse

MAX_LOG_ODDS = 8.0
"""Log odds are clipped to plus or minus this value."""

_RULES = {
    "transitions": ArrayRule("float32 float64", ("n_columns", "n_columns")),
    "seen": ArrayRule("bool", ("n_columns",)),
    "temperature": ArrayRule("float64", (1,), low=1e-6),
}
_NEVER = -1e9
_BLOCK = 65_536
_ZERO = np.float32(0.0)


@dataclass(frozen=True, slots=True)
class ChainModel(SparseModel):
    """Weights of a linear-chain CRF or structured perceptron.

    Parameters
    ----------
    weights : float32 or float64 CSR matrix, shape (n_features, n_labels)
    transitions : float32 or float64 array, shape (n_labels, n_labels)
        Weight of the transition from the row's label to the column's.
    seen : bool array, shape (n_labels,)
        Whether the label occurred in training. Other labels are never
        predicted, even where their weights of 0 are the largest.
    temperature : float
        Divisor of the scores in the posterior, ``softmax(scores /
        temperature)``: 1 for a CRF, larger for a perceptron.
    """

    transitions: FloatingArray = field(repr=False)
    seen: BoolArray = field(repr=False)
    temperature: float = 1.0

    @classmethod
    def of_padded(
        cls,
        features: FloatArray,
        transitions: FloatArray,
        labels: TokenLabels,
        negligible: float,
        temperature: float = 1.0,
    ) -> Self:
        """Make a model of trained weights.

        Parameters
        ----------
        features : float32 array, shape (n_features, width)
            Only the columns of labels are used, without absolute values below
            `negligible`.
        transitions : float32 array, shape (n_labels, width)
        labels : TokenLabels
            Of the training data.
        negligible, temperature : float
        """
        n_labels = len(labels.names)
        seen = np.bincount(labels.ids, minlength=n_labels) > 0
        weights = _sparse_rows(features[:, :n_labels], negligible)
        return cls(weights, transitions[:, :n_labels].copy(), seen, temperature)

    def scores(self, features: Csr | sparse.csr_matrix, starts: LongArray) -> FloatArray:
        """Score every label of every token.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
        starts : int64 array
            First rows of the sequences; together they cover all tokens.

        Returns
        -------
        float32 array, shape (n_tokens, n_labels)
            Log odds ``log(p / (1 - p))`` of the posterior ``p``, clipped to
            `MAX_LOG_ODDS`. The label of the best sequence is raised to the
            maximum of its row.
        """
        emissions = self.emissions(features)
        steps = Steps.of(starts, len(emissions))
        best = viterbi(emissions, self.transitions.astype(np.float64), steps)
        scaled = self.transitions.astype(np.float64) / self.temperature
        posterior = marginals(emissions / self.temperature, scaled, steps)
        return raised_log_odds(posterior, best, MAX_LOG_ODDS)

    def scores_of_emissions(self, emissions: DoubleArray, starts: LongArray) -> FloatArray:
        """Return what `scores` does, from summed feature weights and by compiled loops.

        Parameters
        ----------
        emissions : float64 array, shape (n_tokens, n_labels)
            Changed in place.
        starts : int64 array
            As for `scores`.

        Returns
        -------
        float32 array, shape (n_tokens, n_labels)
        """
        from multideid.scoring.posterior import decoded_log_odds

        self._exclude_unseen(emissions)
        transitions = self.transitions.astype(np.float64)
        return decoded_log_odds(emissions, transitions, starts, MAX_LOG_ODDS, self.temperature)

    def decode(self, emissions: DoubleArray, starts: LongArray) -> IntArray:
        """Return the labels of the best sequences; parameters as `scores_of_emissions`."""
        from multideid.scoring.viterbi import viterbi

        self._exclude_unseen(emissions)
        return viterbi(emissions, self.transitions.astype(np.float64), starts)

    def emissions(self, features: Csr | sparse.csr_matrix) -> DoubleArray:
        """Return the summed feature weights, shape (n_tokens, n_labels)."""
        emissions = sums(features, self.weights)
        self._exclude_unseen(emissions)
        return emissions

    def _exclude_unseen(self, emissions: DoubleArray) -> None:
        """Make labels that training did not see impossible, in place."""
        if not self.seen.all():
            emissions[:, ~self.seen] = _NEVER

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(
            folder,
            name,
            **sparse_arrays(self.weights),
            transitions=self.transitions,
            seen=self.seen,
            temperature=np.array([self.temperature]),
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
        temperature = float(arrays["temperature"][0])
        return cls(weights, arrays["transitions"], arrays["seen"], temperature)


class ChainTrainer(ABC):
    """Training of linear chains; subclasses hold the hyperparameters.

    Attributes
    ----------
    quantizes : bool
        Whether taggers round the weights for faster sums (`quantize`).
    """

    __slots__ = ()
    quantizes: ClassVar[bool] = True

    @abstractmethod
    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, starts: LongArray
    ) -> ChainModel:
        """Train on tokens and their gold tags.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
            Binary, with int32 indices.
        labels : TokenLabels
        starts : int64 array
            First rows of the sequences.
        """


def _sparse_rows(rows: FloatArray, negligible: float) -> sparse.csr_matrix:
    """Return the rows without absolute values below `negligible`, a block at a time."""
    from scipy import sparse

    blocks = [rows[n : n + _BLOCK] for n in range(0, max(len(rows), 1), _BLOCK)]
    kept = [sparse.csr_matrix(np.where(np.abs(b) < negligible, _ZERO, b)) for b in blocks]
    return sparse.csr_matrix(sparse.vstack(kept, format="csr"))
