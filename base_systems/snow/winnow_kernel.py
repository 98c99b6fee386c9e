"""The compiled inner loop of Winnow."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import AnyArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.scoring.jit import kernel


class Examples(NamedTuple):
    """The training data.

    Parameters
    ----------
    indptr, indices : int arrays
        CSR rows of binary features.
    tags : int32 array, shape (n_tokens,)
    """

    indptr: AnyArray
    indices: AnyArray
    tags: IntArray


class Links(NamedTuple):
    """The links, feature by feature.

    Parameters
    ----------
    indptr, targets : int arrays
        Feature ``f`` is linked to the tags ``targets[indptr[f]:indptr[f + 1]]``.
    weights : float32 array, shape (n_links,)
    late : float64 array, shape (n_links,)
        Sums of the updates multiplied by their time, for the average.
    """

    indptr: AnyArray
    targets: AnyArray
    weights: FloatArray
    late: DoubleArray

    @classmethod
    def of(cls, indptr: AnyArray, targets: AnyArray, weight: float) -> Self:
        """Return links of equal weight."""
        n = len(targets)
        return cls(indptr, targets, np.full(n, weight, dtype=np.float32), np.zeros(n))

    def averaged(self, clock: float) -> FloatArray:
        """Return the average of the weights over `clock` steps."""
        return np.asarray(self.weights - self.late / clock, dtype=np.float32)


class WinnowUpdate(NamedTuple):
    """Hyperparameters of the update; see `WinnowTrainer`."""

    promotion: np.float32
    demotion: np.float32
    threshold: np.float32
    separator: np.float32


@kernel
def train_epoch(  # noqa: PLR0913, PLR0917
    examples: Examples,
    bounds: LongArray,
    order: LongArray,
    links: Links,
    rule: WinnowUpdate,
    n_tags: int,
    clock: float,
) -> float:
    """Train one epoch over the lines in `order`, updating the links in place.

    Parameters
    ----------
    examples : Examples
    bounds : int64 array
        Line ``s`` has the rows ``bounds[s]:bounds[s + 1]``.
    order : int64 array
        Indices of the lines.
    links : Links
    rule : WinnowUpdate
    n_tags : int
    clock : float
        One more than the number of tokens seen before this epoch.

    Returns
    -------
    float
        The clock for the next epoch.
    """
    active, change = np.empty(n_tags, np.float32), np.empty(n_tags, np.float32)
    for s in order:
        for t in range(bounds[s], bounds[s + 1]):
            features = examples.indices[examples.indptr[t] : examples.indptr[t + 1]]
            _activate(features, links, active)
            if _judge(active, examples.tags[t], rule, change):
                _update(features, links, change, clock)
            clock += 1
    return clock


@kernel
def _activate(features: IntArray, links: Links, active: FloatArray) -> None:
    """Sum the weights of the active links of each target, in place."""
    active[:] = 0
    for f in features:
        for k in range(links.indptr[f], links.indptr[f + 1]):
            active[links.targets[k]] += links.weights[k]


@kernel
def _judge(active: FloatArray, gold: int, rule: WinnowUpdate, change: FloatArray) -> bool:
    """Fill in the relative update of each target's links; return whether any changes."""
    mistaken = False
    for tag in range(len(active)):
        change[tag] = 0
        if tag == gold:
            if active[tag] < rule.threshold + rule.separator:
                change[tag] = rule.promotion - 1
                mistaken = True
        elif active[tag] > rule.threshold - rule.separator:
            change[tag] = rule.demotion - 1
            mistaken = True
    return mistaken


@kernel
def _update(features: IntArray, links: Links, change: FloatArray, clock: float) -> None:
    for f in features:
        for k in range(links.indptr[f], links.indptr[f + 1]):
            difference = links.weights[k] * change[links.targets[k]]
            links.weights[k] += difference
            links.late[k] += difference * clock
