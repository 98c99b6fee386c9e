"""The network's forward pass over one document, in few and reused arrays."""

from __future__ import annotations

import numpy as np

from multideid.arrays import FloatArray
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.layers import EPSILON, Convolution, Normalisation
from multideid.base_systems.convnet.network import WITH_CONTEXT, Network


def document_scores(network: Network, embedded: FloatArray, context: Context) -> FloatArray:
    """Return the scores of all tags of the tokens of one document, as `Network.forward` does.

    Parameters
    ----------
    network : Network
    embedded : float32 array, shape (n_tokens, embedding)
        The sum of the embeddings of each token's features.
    context : Context
        Of the document.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    columns = np.zeros((len(embedded), 3 * embedded.shape[1]), dtype=np.float32)
    _normalise(network.of_embedding, embedded, _middle(columns))
    x = _rectified(_sums(network.first, columns))
    for n, (norm, convolution) in enumerate(zip(network.norms, network.convolutions, strict=True)):
        width = x.shape[1]
        columns = np.zeros((len(x), len(convolution.weights.value)), dtype=np.float32)
        middle = _middle(columns)
        own = middle[:, :width]
        _normalise(norm, x, own)
        if n == WITH_CONTEXT:
            middle[:, width:] = context.occurrences.mean_of_others(own)
        sums = _sums(convolution, columns)
        if network.poolings:
            sums += network.poolings[n].forward(own, context)
        x += _rectified(sums)
    return network.last.forward(x)


def _middle(columns: FloatArray) -> FloatArray:
    """Return the columns of the token itself, between those of its neighbours."""
    width = columns.shape[1] // 3
    return columns[:, width : 2 * width]


def _normalise(norm: Normalisation, x: FloatArray, found: FloatArray) -> None:
    """Fill the normalised rows."""
    np.subtract(x, x.mean(axis=1, keepdims=True), out=found)
    variance = np.einsum("ij,ij->i", found, found)[:, None] / np.float32(x.shape[1])
    found *= 1 / np.sqrt(variance + EPSILON)
    found *= norm.scale.value
    found += norm.shift.value


def _sums(convolution: Convolution, columns: FloatArray) -> FloatArray:
    """Copy tokens to the columns of their neighbours, and convolve."""
    distance, middle = convolution.dilation, _middle(columns)
    width = middle.shape[1]
    if len(columns) > distance:
        columns[distance:, :width] = middle[:-distance]
        columns[:-distance, 2 * width :] = middle[distance:]
    found: FloatArray = columns @ convolution.weights.value
    found += convolution.bias.value
    return found


def _rectified(sums: FloatArray) -> FloatArray:
    return np.maximum(sums, 0, out=sums)
