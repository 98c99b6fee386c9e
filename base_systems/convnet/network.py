"""The network: embeddings, dilated convolutions with skip connections, scores of tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from multideid.arrays import AnyArray, FloatArray
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.layers import (
    Convolution,
    Dropout,
    Layer,
    Linear,
    Normalisation,
    Parameter,
    Rectifier,
    Transitions,
)
from multideid.base_systems.convnet.pooling import Pooling
from multideid.persistence.array_rules import ArrayRule

if TYPE_CHECKING:
    from scipy import sparse

DILATIONS = (1, 2, 4)
WITH_CONTEXT = 1
"""The convolution that also sees the word's other occurrences in the document."""


MAX_LEVEL = 127
_LEAST = np.float32(1e-12)


class Sizes(NamedTuple):
    """Numbers of features and tags, and the widths of the embeddings and hidden layers."""

    n_features: int
    n_labels: int
    embedding: int
    hidden: int


def array_rules(*, transitions: bool, pooling: bool) -> dict[str, ArrayRule]:
    """Return the rules of the arrays of `Network.arrays`, which name the sizes of `array_sizes`."""
    rules = {
        "embeddings": ArrayRule("int8", ("n_features", "embedding")),
        "scale": ArrayRule("float32", ("n_features",), low=0),
        **_weights("of_embedding", ("scale", "shift"), "embedding"),
        **_weights("first", ("bias",), "hidden"),
        "first_weights": ArrayRule("float16", ("n_convolved", "hidden")),
        **_weights("last", ("bias",), "n_labels"),
        "last_weights": ArrayRule("float16", ("hidden", "n_labels")),
    }
    for n in range(len(DILATIONS)):
        width = "n_convolved_with_context" if n == WITH_CONTEXT else "n_convolved_hidden"
        rules |= _weights(f"norm_{n}", ("scale", "shift"), "hidden")
        rules |= _weights(f"convolution_{n}", ("bias",), "hidden")
        rules[f"convolution_{n}_weights"] = ArrayRule("float16", (width, "hidden"))
        if pooling:
            rules[f"pooling_{n}_weights"] = ArrayRule("float16", ("n_pooled", "hidden"))
    if transitions:
        rules["transitions_scores"] = ArrayRule("float16", ("n_labels", "n_labels"))
    return rules


def _weights(layer: str, names: tuple[str, ...], size: str) -> dict[str, ArrayRule]:
    return {f"{layer}_{name}": ArrayRule("float16", (size,)) for name in names}


def array_sizes(sizes: Sizes) -> dict[str, int]:
    """Return the sizes that `array_rules` names."""
    return {
        **sizes._asdict(),
        "n_convolved": 3 * sizes.embedding,
        "n_convolved_hidden": 3 * sizes.hidden,
        "n_convolved_with_context": 6 * sizes.hidden,
        "n_pooled": 2 * sizes.hidden,
    }


class Network:
    """A network over the tokens of one or more documents.

    ``e = normalise(sum of the embeddings of the token's features)``,
    ``h = relu(conv(e))``, then for each dilation ``h = h + relu(conv(normalise(h)))``, where
    one convolution also takes the mean of ``normalise(h)`` over the other occurrences of
    the word in the document; ``scores = linear(h)``. With `pooling`, ``W [l, d]`` is added to
    each ``conv(normalise(h))``, where ``l`` and ``d`` are the means of ``normalise(h)`` over the
    line and the document.

    Parameters
    ----------
    sizes : Sizes
    rng : numpy.random.Generator or None
        For the initial weights. None where `set_arrays` follows: all are 0.
    dropout : float
        Share of hidden values to drop in training.
    transitions : bool
        Whether to score tags next to each other too.
    pooling : bool
        Whether tokens see the means of their line and document.
    """

    def __init__(
        self,
        sizes: Sizes,
        rng: np.random.Generator | None,
        dropout: float = 0.0,
        *,
        transitions: bool = False,
        pooling: bool = False,
    ) -> None:
        self.sizes = sizes
        self.embeddings = _initial_embeddings(sizes, rng)
        self.of_embedding = Normalisation(sizes.embedding)
        self.first = Convolution(rng, sizes.embedding, sizes.hidden, 1)
        self.norms = [Normalisation(sizes.hidden) for _ in DILATIONS]
        self.convolutions = [
            Convolution(rng, sizes.hidden * (1 + (n == WITH_CONTEXT)), sizes.hidden, dilation)
            for n, dilation in enumerate(DILATIONS)
        ]
        self.poolings = [Pooling(rng, sizes.hidden) for _ in DILATIONS if pooling]
        self.last = Linear(rng, sizes.hidden, sizes.n_labels)
        self.transitions = Transitions(sizes.n_labels) if transitions else None
        self._rectifiers = [Rectifier() for _ in range(len(DILATIONS) + 1)]
        self._dropouts = [Dropout(dropout) for _ in range(len(DILATIONS) + 2)]

    def layers(self) -> Iterator[tuple[str, Layer]]:
        """Yield all layers but the embeddings, with their names."""
        yield "of_embedding", self.of_embedding
        yield "first", self.first
        for n, (norm, convolution) in enumerate(zip(self.norms, self.convolutions, strict=True)):
            yield f"norm_{n}", norm
            yield f"convolution_{n}", convolution
        for n, pooling in enumerate(self.poolings):
            yield f"pooling_{n}", pooling
        yield "last", self.last
        if self.transitions is not None:
            yield "transitions", self.transitions

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters of `layers` by name."""
        return {
            f"{layer}_{name}": parameter
            for layer, of_layer in self.layers()
            for name, parameter in of_layer.parameters().items()
        }

    def train(self, training: bool = True) -> None:
        """Keep in `forward`, or keep no longer, what `backward` needs."""
        for _, layer in self.layers():
            layer.training = training
            if not training:
                layer.__dict__.pop("_kept", None)
                layer.__dict__.pop("_input", None)

    def quantize(self, largest: int = MAX_LEVEL) -> None:
        """Round all parameters, embeddings to multiples of a scale, at most `largest` of it."""
        self.set_arrays(self.arrays(largest))

    def arrays(self, largest: int = MAX_LEVEL) -> dict[str, AnyArray]:
        """Return the parameters in few bytes: embeddings as int8 and a scale a row.

        Scales are powers of two, so that rounding twice is rounding once.
        """
        greatest = np.maximum(np.abs(self.embeddings).max(axis=1, initial=0), _LEAST)
        scale = np.exp2(np.ceil(np.log2(greatest / largest))).astype(np.float32)
        levels = np.rint(self.embeddings / scale[:, None]).astype(np.int8)
        others = {name: p.value.astype(np.float16) for name, p in self.parameters().items()}
        return {"embeddings": levels, "scale": scale, **others}

    def set_arrays(self, arrays: dict[str, AnyArray]) -> None:
        """Set the parameters to those that `arrays` returned."""
        scale = arrays["scale"].astype(np.float32)
        self.embeddings = np.multiply(arrays["embeddings"], scale[:, None], dtype=np.float32)
        for name, parameter in self.parameters().items():
            parameter.value = arrays[name].astype(np.float32)

    def forward(
        self,
        features: sparse.csr_matrix,
        context: Context,
        rng: np.random.Generator | None = None,
    ) -> FloatArray:
        """Return the scores of all tags, float32, shape (n_tokens, n_labels).

        Parameters
        ----------
        features : float32 CSR matrix, shape (n_tokens, n_features)
        context : Context
        rng : numpy.random.Generator, optional
            For dropout. Default: no dropout.

        See `train` for the passes that `backward` follows.
        """
        if rng is not None:
            self._context = context
        embedded = np.asarray(features @ self.embeddings, dtype=np.float32)
        x = self._dropouts[0].forward(self.of_embedding.forward(embedded), rng)
        training = self.first.training
        x = self._rectifiers[-1].forward(self.first.forward(x, context.document), training=training)
        for n, norm in enumerate(self.norms):
            sums = self._sums(n, norm.forward(x), context, rng)
            x = x + self._rectifiers[n].forward(sums, training=training)
        return self.last.forward(self._dropouts[-1].forward(x, rng))

    def _sums(
        self, n: int, own: FloatArray, context: Context, rng: np.random.Generator | None
    ) -> FloatArray:
        """Return the sums of the convolution `n`, and of its pooling if there is one."""
        inner = own
        if n == WITH_CONTEXT:
            inner = np.concatenate([own, context.occurrences.mean_of_others(own)], axis=1)
        inner = self._dropouts[n + 1].forward(inner, rng)
        sums = self.convolutions[n].forward(inner, context.document)
        if self.poolings:
            sums += self.poolings[n].forward(own, context)
        return sums

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Add to the gradients of all parameters; return that of the sums of embeddings."""
        x = self._dropouts[-1].backward(self.last.backward(gradient))
        for n in reversed(range(len(DILATIONS))):
            x = x + self.norms[n].backward(self._of_sums(n, self._rectifiers[n].backward(x)))
        x = self._rectifiers[-1].backward(x)
        return self.of_embedding.backward(self._dropouts[0].backward(self.first.backward(x)))

    def _of_sums(self, n: int, gradient: FloatArray) -> FloatArray:
        """Return the gradient of the input of `_sums`."""
        own = self._dropouts[n + 1].backward(self.convolutions[n].backward(gradient))
        if n == WITH_CONTEXT:
            own, others = np.split(own, 2, axis=1)
            # The mean over others is a symmetric map, so its transpose is itself.
            own = own + self._context.occurrences.mean_of_others(others)
        if self.poolings:
            own = own + self.poolings[n].backward(gradient)
        return own


def _initial_embeddings(sizes: Sizes, rng: np.random.Generator | None) -> FloatArray:
    shape = (sizes.n_features, sizes.embedding)
    if rng is None:
        return np.zeros(shape, dtype=np.float32)
    return np.float32(0.1) * rng.standard_normal(shape, dtype=np.float32)
