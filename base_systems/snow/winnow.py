"""Train a sparse network by Winnow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from multideid.arrays import LongArray
from multideid.base_systems.snow.network import Network
from multideid.text.bio import TokenLabels


@dataclass(frozen=True, slots=True)
class WinnowTrainer:
    """Parameters of Winnow (Littlestone 1988) in a sparse network (Roth 1998).

    Each tag has a target node, with the tokens of that tag as positive examples and all
    others as negative ones. It is linked only to features that are active in a positive
    example, and is active where the weights of its active links add up to more than a
    threshold.

    Parameters
    ----------
    promotion, demotion : float
        Factors of the weights of active links after a missed positive example, and
        after a false alarm on a negative one.
    threshold : float
    first_weight : float
        Initial weight of the links.
    separator : float
        Margin: positive examples must be this far above the threshold, negative ones
        this far below.
    epochs : int
        Passes over the training data.
    seed : int
        Seed of the order of the lines.
    """

    promotion: float = 1.35
    demotion: float = 0.8
    threshold: float = 4.0
    first_weight: float = 0.2
    separator: float = 1.0
    epochs: int = 5
    seed: int = 0

    def train(self, features: sparse.csr_matrix, labels: TokenLabels, starts: LongArray) -> Network:
        """Train a network; weights are averaged over all steps.

        Parameters
        ----------
        features : CSR matrix, shape (n_tokens, n_features)
            Binary.
        labels : TokenLabels
        starts : int64 array
            First rows of the lines.
        """
        # Without a cache, compiling takes some seconds, which prediction does not need.
        from multideid.base_systems.snow import winnow_kernel as kernel

        n_tags = len(labels.names)
        linked = _co_occurrences(features, labels)
        links = kernel.Links.of(linked.indptr, linked.indices, self.first_weight)
        examples = kernel.Examples(features.indptr, features.indices, labels.ids)
        numbers = (self.promotion, self.demotion, self.threshold, self.separator)
        rule = kernel.WinnowUpdate(*map(np.float32, numbers))
        rng, clock = np.random.default_rng(self.seed), 1.0
        bounds = np.append(starts, len(labels)).astype(np.int64)
        for _ in range(self.epochs):
            order = rng.permutation(len(starts))
            clock = kernel.train_epoch(examples, bounds, order, links, rule, n_tags, clock)
        parts = (links.averaged(clock), linked.indices, linked.indptr)
        seen = np.bincount(labels.ids, minlength=n_tags) > 0
        seen[0] |= not len(labels)
        return Network(sparse.csr_matrix(parts, shape=linked.shape), seen)


def _co_occurrences(features: sparse.csr_matrix, labels: TokenLabels) -> sparse.csr_matrix:
    """Return the matrix whose stored cells are features (rows) that occur with tags (columns)."""
    n = len(labels)
    cells = (np.ones(n, dtype=np.float32), (np.arange(n), labels.ids))
    tags = sparse.csr_matrix(cells, shape=(n, len(labels.names)))
    together = sparse.csr_matrix(features.T @ tags)
    together.sort_indices()
    return together
