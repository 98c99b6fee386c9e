"""Layers of the network: forward and backward passes in numpy."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray

EPSILON = np.float32(1e-5)


class Parameter:
    """An array to learn, and the gradient of the loss with respect to it."""

    def __init__(self, value: FloatArray) -> None:
        self.value = value
        self.gradient = np.zeros_like(value)

    @classmethod
    def random(cls, rng: np.random.Generator | None, *shape: int) -> Parameter:
        """Return uniform weights within the square root of 1 / fan-in (He et al. 2015).

        Without `rng`, they are 0, for weights that are set afterwards.
        """
        if rng is None:
            return cls(np.zeros(shape, dtype=np.float32))
        bound = 1 / np.sqrt(shape[0])
        return cls(rng.uniform(-bound, bound, shape).astype(np.float32))

    @classmethod
    def constant(cls, value: float, size: int) -> Parameter:
        """Return a vector of equal values."""
        return cls(np.full(size, value, dtype=np.float32))


class Layer(Protocol):
    """A layer with parameters."""

    training: bool
    """Whether `forward` keeps what `backward` needs.

    Otherwise it changes nothing, so that threads can share the layer.
    """

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters by name."""


class Convolution:
    """``W [x[n-d], x[n], x[n+d]] + b``, a dilated convolution of width three.

    Parameters
    ----------
    rng : numpy.random.Generator or None
    n_in, n_out : int
    dilation : int
        The distance ``d``, in tokens; neighbours outside the document are 0.
    """

    def __init__(
        self, rng: np.random.Generator | None, n_in: int, n_out: int, dilation: int
    ) -> None:
        self.weights = Parameter.random(rng, 3 * n_in, n_out)
        self.bias = Parameter.constant(0, n_out)
        self.dilation = dilation
        self.training = False

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return {"weights": self.weights, "bias": self.bias}

    def forward(self, x: FloatArray, document: IntArray) -> FloatArray:
        """Return the sums, shape (n_tokens, n_out)."""
        joined = same_document(document, self.dilation)
        columns = _with_neighbours(x, joined, self.dilation)
        if self.training:
            self._kept = joined, columns
        sums: FloatArray = columns @ self.weights.value
        sums += self.bias.value
        return sums

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Add to the gradients of the parameters, and return that of the input."""
        joined, columns = self._kept
        self.weights.gradient += columns.T @ gradient
        self.bias.gradient += gradient.sum(axis=0)
        return _sum_of_neighbours(gradient @ self.weights.value.T, joined, self.dilation)


def same_document(document: IntArray, distance: int) -> BoolArray:
    """Return whether each token and the one at a distance behind it share a document."""
    return np.asarray(document[:-distance] == document[distance:])


def _with_neighbours(x: FloatArray, joined: BoolArray, distance: int) -> FloatArray:
    """Return left neighbours, tokens and right neighbours, shape (n_tokens, 3 * n_in)."""
    width = x.shape[1]
    columns = np.zeros((len(x), 3 * width), dtype=np.float32)
    columns[:, width : 2 * width] = x
    if len(x) > distance:
        np.multiply(x[:-distance], joined[:, None], out=columns[distance:, :width])
        np.multiply(x[distance:], joined[:, None], out=columns[:-distance, 2 * width :])
    return columns


def _sum_of_neighbours(columns: FloatArray, joined: BoolArray, distance: int) -> FloatArray:
    """Return the gradient of `_with_neighbours`, its transpose."""
    width = columns.shape[1] // 3
    total = columns[:, width : 2 * width].copy()
    if len(columns) > distance:
        total[:-distance] += columns[distance:, :width] * joined[:, None]
        total[distance:] += columns[:-distance, 2 * width :] * joined[:, None]
    return total


class Rectifier:
    """``max(x, 0)``."""

    def forward(self, x: FloatArray, *, training: bool) -> FloatArray:
        """Return the positive values, in place of the input."""
        np.maximum(x, 0, out=x)
        if training:
            self._active = x > 0
        return x

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Return the gradient of the input."""
        return np.asarray(gradient * self._active)


class Normalisation:
    """Layer normalisation (Ba et al. 2016): ``(x - mean) / deviation * scale + shift``."""

    def __init__(self, size: int) -> None:
        self.scale = Parameter.constant(1, size)
        self.shift = Parameter.constant(0, size)
        self.training = False

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return {"scale": self.scale, "shift": self.shift}

    def forward(self, x: FloatArray) -> FloatArray:
        """Return the normalised rows."""
        centred = x - x.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", centred, centred)[:, None] / np.float32(x.shape[1])
        inverse = 1 / np.sqrt(variance + EPSILON)
        standard = centred * inverse
        if self.training:
            self._kept = standard, inverse
        return np.asarray(standard * self.scale.value + self.shift.value)

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Add to the gradients of the parameters, and return that of the input."""
        standard, inverse = self._kept
        self.scale.gradient += np.einsum("ij,ij->j", gradient, standard)
        self.shift.gradient += gradient.sum(axis=0)
        inner = gradient * self.scale.value
        mean = inner.mean(axis=1, keepdims=True)
        slope = np.einsum("ij,ij->i", inner, standard)[:, None] / np.float32(inner.shape[1])
        return np.asarray((inner - mean - standard * slope) * inverse)


class Linear:
    """``W x + b``."""

    def __init__(self, rng: np.random.Generator | None, n_in: int, n_out: int) -> None:
        self.weights = Parameter.random(rng, n_in, n_out)
        self.bias = Parameter.constant(0, n_out)
        self.training = False

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return {"weights": self.weights, "bias": self.bias}

    def forward(self, x: FloatArray) -> FloatArray:
        """Return the sums, shape (n_tokens, n_out)."""
        if self.training:
            self._input = x
        return np.asarray(x @ self.weights.value + self.bias.value)

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Add to the gradients of the parameters, and return that of the input."""
        self.weights.gradient += self._input.T @ gradient
        self.bias.gradient += gradient.sum(axis=0)
        return np.asarray(gradient @ self.weights.value.T)


class Transitions:
    """The score of each tag after each other tag, shape (n_labels, n_labels)."""

    def __init__(self, n_labels: int) -> None:
        self.scores = Parameter(np.zeros((n_labels, n_labels), dtype=np.float32))
        self.training = False

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return {"scores": self.scores}


class Dropout:
    """Sets a share of the values to 0 in training, and scales up the others."""

    def __init__(self, share: float) -> None:
        self.share = share

    def forward(self, x: FloatArray, rng: np.random.Generator | None) -> FloatArray:
        """Return `x` with values dropped; unchanged without a generator."""
        if rng is None:
            return x
        kept = rng.random(x.shape, dtype=np.float32) >= self.share
        self._kept = kept * np.float32(1 / (1 - self.share))
        return np.asarray(x * self._kept)

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Return the gradient of the input."""
        return np.asarray(gradient * self._kept)
