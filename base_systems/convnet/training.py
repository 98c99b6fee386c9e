"""Training of the network: minibatches of documents, Adam, a decaying step size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.network import Network
from multideid.learners.network_scores import softmax

if TYPE_CHECKING:
    from scipy import sparse

_WARM_UP = 200
_LEAST_RATE = 0.02
_MEAN_DECAY, _VARIANCE_DECAY, _EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
_LARGEST_GRADIENT = 5.0


class Sample(NamedTuple):
    """The tokens of whole documents.

    Parameters
    ----------
    features : float32 CSR matrix, shape (n_tokens, n_features)
    document, word, tags : int32 arrays, shape (n_tokens,)
        `word` is a number for each distinct word, whatever its case.
    begins : bool array, shape (n_tokens,)
        Whether the token is the first of a line; lines are the sequences of tags.
    """

    features: sparse.csr_matrix
    document: IntArray
    word: IntArray
    tags: IntArray
    begins: BoolArray


@dataclass(frozen=True, slots=True)
class NetworkTrainer:
    """Hyperparameters of training.

    Parameters
    ----------
    epochs : int
    learning_rate : float
        Greatest step size of Adam (Kingma & Ba 2015).
    batch_tokens : int
        Documents are added to a minibatch until it has this many tokens, or fewer:
    min_steps : int
        Minibatches are smaller where a small corpus would give fewer steps.
    feature_dropout : float
        Probability that a feature of a token is dropped in an epoch.
    seed : int
    """

    epochs: int
    learning_rate: float
    batch_tokens: int
    min_steps: int
    feature_dropout: float
    seed: int

    def train(self, network: Network, sample: Sample) -> None:
        """Fit the network, in place."""
        rng = np.random.default_rng(self.seed)
        optimizer = Adam(network)
        first = np.flatnonzero(np.diff(sample.document, prepend=-1))
        bounds = np.append(first, len(sample.document))
        batch = self._batch(len(sample.document))
        n_steps = self.epochs * max(1, len(sample.document) // batch)
        step = 0
        network.train()
        for _ in range(self.epochs):
            for rows in self._batches(bounds, batch, rng):
                step += 1
                optimizer.step(
                    self._gradient(network, sample, rows, rng), self._rate(step, n_steps)
                )

    def _batch(self, n_tokens: int) -> int:
        return max(1, min(self.batch_tokens, self.epochs * n_tokens // self.min_steps))

    def _rate(self, step: int, n_steps: int) -> float:
        warm = min(1.0, step / min(_WARM_UP, max(1, n_steps // 4)))
        return self.learning_rate * warm * max(_LEAST_RATE, 1 - step / n_steps)

    @staticmethod
    def _batches(bounds: LongArray, batch: int, rng: np.random.Generator) -> Iterator[LongArray]:
        """Yield the rows of documents in random order, about `batch` tokens at a time."""
        rows: list[LongArray] = []
        for n in rng.permutation(len(bounds) - 1).tolist():
            rows.append(np.arange(bounds[n], bounds[n + 1]))
            if sum(map(len, rows)) >= batch:
                yield np.concatenate(rows)
                rows = []
        if rows:
            yield np.concatenate(rows)

    def _gradient(
        self, network: Network, sample: Sample, rows: LongArray, rng: np.random.Generator
    ) -> EmbeddingGradient:
        """Compute all gradients of the mean loss over a minibatch."""
        features = _thinned(sample.features[rows], self.feature_dropout, rng)
        begins = sample.begins[rows]
        context = Context.of(sample.document[rows], sample.word[rows], begins)
        scores = network.forward(features, context, rng)
        gradient = _of_scores(network, scores, sample.tags[rows], begins)
        return EmbeddingGradient.of(features, network.backward(gradient))


def _of_scores(
    network: Network, scores: FloatArray, tags: IntArray, begins: BoolArray
) -> FloatArray:
    """Return the gradient of the scores: of cross-entropy, or of the sentence-level loss."""
    share = np.float32(1 / len(tags))
    if network.transitions is None:
        gradient = softmax(scores)
        gradient[np.arange(len(tags)), tags] -= 1
        return gradient * share
    # Imports numba as a whole, which prediction does without.
    from multideid.base_systems.convnet.sentence_loss import SentenceGradient

    transitions = network.transitions.scores
    found = SentenceGradient.of(scores, transitions.value, tags, np.flatnonzero(begins))
    transitions.gradient += found.transitions * share
    return found.scores * share


def _thinned(
    features: sparse.csr_matrix, share: float, rng: np.random.Generator
) -> sparse.csr_matrix:
    from scipy import sparse

    kept = rng.random(features.nnz, dtype=np.float32) >= share
    data = kept * np.float32(1 / (1 - share))
    return sparse.csr_matrix((data, features.indices, features.indptr), shape=features.shape)


class EmbeddingGradient(NamedTuple):
    """The gradient of the embeddings of a minibatch's features.

    Parameters
    ----------
    rows : int32 array, shape (n_used,)
        The features.
    values : float32 array, shape (n_used, embedding)
    """

    rows: IntArray
    values: FloatArray

    @classmethod
    def of(cls, features: sparse.csr_matrix, of_sums: FloatArray) -> EmbeddingGradient:
        """Compute the gradient from that of the sums of embeddings."""
        from scipy import sparse

        used = np.zeros(features.shape[1], dtype=np.bool_)
        used[features.indices] = True
        number = np.cumsum(used) - 1
        shape = (features.shape[0], int(used.sum()))
        compact = sparse.csr_matrix(
            (features.data, number[features.indices], features.indptr), shape=shape
        )
        return cls(np.flatnonzero(used).astype(np.int32), np.asarray(compact.T @ of_sums))


class Adam:
    """Adam, lazily for embeddings: only rows with a gradient change.

    Gradients with a norm above 5 are scaled down to it.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._parameters = list(network.parameters().values())
        self._moments = [np.zeros((2, *p.value.shape), np.float32) for p in self._parameters]
        self._of_embeddings = np.zeros((2, *network.embeddings.shape), dtype=np.float32)
        self._steps = 0

    def step(self, embeddings: EmbeddingGradient, rate: float) -> None:
        """Update all parameters, and set their gradients to 0."""
        self._steps += 1
        scale = self._clipping(embeddings)
        for parameter, moments in zip(self._parameters, self._moments, strict=True):
            parameter.value -= self._change(moments, parameter.gradient * scale, rate)
            parameter.gradient[:] = 0
        moments = self._of_embeddings[:, embeddings.rows]
        change = self._change(moments, embeddings.values * scale, rate)
        self._of_embeddings[:, embeddings.rows] = moments
        self._network.embeddings[embeddings.rows] -= change

    def _clipping(self, embeddings: EmbeddingGradient) -> np.float32:
        squares = [
            np.vdot(g, g) for g in (*(p.gradient for p in self._parameters), embeddings.values)
        ]
        return np.float32(min(1.0, _LARGEST_GRADIENT / max(1e-12, float(np.sqrt(sum(squares))))))

    def _change(self, moments: FloatArray, gradient: FloatArray, rate: float) -> FloatArray:
        """Update mean and variance of the gradient in place, and return the step."""
        mean, variance = moments
        mean += (1 - _MEAN_DECAY) * (gradient - mean)
        variance += (1 - _VARIANCE_DECAY) * (gradient * gradient - variance)
        corrected = (
            rate * np.sqrt(1 - _VARIANCE_DECAY**self._steps) / (1 - _MEAN_DECAY**self._steps)
        )
        return np.asarray(np.float32(corrected) * mean / (np.sqrt(variance) + _EPSILON))
