"""The layer that shows each token the means of its line and its document."""

from __future__ import annotations

import numpy as np

from multideid.arrays import FloatArray
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.layers import Parameter


class Pooling:
    """``W [mean of the line's rows, mean of the document's rows]``.

    Means are multiplied before they are given to the tokens, so that the product takes as many
    rows as there are lines.

    Parameters
    ----------
    rng : numpy.random.Generator or None
    size : int
        Number of columns of input and output.
    """

    def __init__(self, rng: np.random.Generator | None, size: int) -> None:
        self.weights = Parameter.random(rng, 2 * size, size)
        self.training = False

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return {"weights": self.weights}

    def forward(self, x: FloatArray, context: Context) -> FloatArray:
        """Return the sums, shape (n_tokens, size)."""
        regions = context.lines, context.documents
        means = [each.means(x) for each in regions]
        if self.training:
            self._kept = regions, means
        of_line, of_document = (
            each.spread(mean @ weights)
            for each, mean, weights in zip(regions, means, self._halves(), strict=True)
        )
        of_line += of_document
        return of_line

    def backward(self, gradient: FloatArray) -> FloatArray:
        """Add to the gradients of the parameters, and return that of the input."""
        total = np.zeros_like(gradient)
        slopes = []
        for regions, means, weights in zip(*self._kept, self._halves(), strict=True):
            of_sums = regions.sums(gradient)
            slopes.append(means.T @ of_sums)
            total += regions.gradient_of_means(of_sums @ weights.T)
        self.weights.gradient += np.concatenate(slopes)
        return total

    def _halves(self) -> list[FloatArray]:
        return np.split(self.weights.value, 2)
