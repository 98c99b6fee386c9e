"""A linear chain: weights of features and of transitions, however they were learned."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, FloatArray, FloatingArray, IntArray, LongArray
from multideid.persistence import load_arrays, save_arrays
from multideid.scoring.inference import Steps, marginals, viterbi
from multideid.scoring.sparse_weights import short, sparse_arrays, sparse_matrix, sums

MOST_CERTAIN = 8.0
"""Log odds beyond which a chain's certainty of a tag is not told apart."""

_NEVER = -1e9
_RAISED = 1e-3


@dataclass(frozen=True, slots=True)
class ChainModel:
    """Weights of a linear-chain CRF or structured perceptron.

    Parameters
    ----------
    weights : float32 or float64 CSR matrix, shape (n_features, n_labels)
    transitions : float32 or float64 array, shape (n_labels, n_labels)
        Weight of going from the row's label to the column's.
    seen : bool array, shape (n_labels,)
        Whether training had an example of the label. One without is never
        given, though its weights of 0 may be the best.
    temperature : float
        What scores are divided by before they become probabilities: 1 for a
        CRF; a perceptron's scores have a scale of their own.
    """

    weights: sparse.csr_matrix = field(repr=False)
    transitions: FloatingArray = field(repr=False)
    seen: BoolArray = field(repr=False)
    temperature: float = 1.0

    def scores(self, features: sparse.csr_matrix, starts: LongArray) -> FloatArray:
        """Score every label of every token.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
        starts : int64 array
            First rows of the sequences; together they cover all tokens.

        Returns
        -------
        float32 array, shape (n_tokens, n_labels)
            Log odds of the posterior probability, within `MOST_CERTAIN`. The
            label of the best sequence is raised to be the greatest of its row.
        """
        emissions = self.emissions(features)
        steps = Steps.of(starts, len(emissions))
        best = viterbi(emissions, self.transitions.astype(np.float64), steps)
        scaled = self.transitions.astype(np.float64) / self.temperature
        posterior = marginals(emissions / self.temperature, scaled, steps)
        odds = np.log(np.maximum(posterior, 1e-12)) - np.log(np.maximum(1 - posterior, 1e-12))
        scores = np.clip(odds, -MOST_CERTAIN, MOST_CERTAIN).astype(np.float32)
        return _raised(scores, best)

    def finish(self, emissions: DoubleArray, starts: LongArray) -> FloatArray:
        """Score every label of every token from summed feature weights, by compiled loops.

        Parameters
        ----------
        emissions : float64 array, shape (n_tokens, n_labels)
            Changed in place.
        starts : int64 array
            As for `scores`.

        Returns
        -------
        float32 array, shape (n_tokens, n_labels)
            What `scores` gives.
        """
        from multideid.scoring.posterior import log_odds, raise_labels

        best = self.best(emissions, starts)
        transitions = self.transitions.astype(np.float64) / self.temperature
        if self.temperature != 1:
            emissions /= self.temperature
        odds = log_odds(emissions, transitions, starts, MOST_CERTAIN)
        raise_labels(odds, best, _RAISED)
        return odds

    def best(self, emissions: DoubleArray, starts: LongArray) -> IntArray:
        """Return the labels of the best sequences, by compiled loops; parameters as `finish`."""
        from multideid.scoring.viterbi import viterbi

        if not self.seen.all():
            emissions[:, ~self.seen] = _NEVER
        return viterbi(emissions, self.transitions.astype(np.float64), starts)

    def emissions(self, features: sparse.csr_matrix) -> DoubleArray:
        """Return the summed feature weights, shape (n_tokens, n_labels)."""
        emissions = sums(features, self.weights)
        emissions[:, ~self.seen] = _NEVER
        return emissions

    def of_features(self, rows: LongArray) -> Self:
        """Return the chain of some features, numbered anew."""
        return replace(self, weights=self.weights[rows])

    def shortened(self) -> Self:
        """Return the chain with `short` weights."""
        return replace(self, weights=short(self.weights))

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
    def load(cls, folder: Path, name: str) -> Self:
        """Read what `save` wrote."""
        arrays = load_arrays(folder, name)
        weights = sparse_matrix(arrays, len(arrays["transitions"]))
        temperature = float(arrays["temperature"][0])
        return cls(weights, arrays["transitions"], arrays["seen"], temperature)


def _raised(scores: FloatArray, best: IntArray) -> FloatArray:
    rows = np.flatnonzero(scores.argmax(axis=1) != best)
    scores[rows, best[rows]] = scores[rows].max(axis=1) + np.float32(_RAISED)
    return scores
