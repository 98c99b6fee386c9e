"""A sparse network: a target node for each tag, linked to the features it occurred with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray
from multideid.csr import Csr
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import save_arrays
from multideid.scoring.sparse_weights import SparseModel, load_sparse, sparse_arrays, sums

_RULES = {"seen": ArrayRule("bool", ("n_columns",))}


@dataclass(frozen=True, slots=True)
class Network(SparseModel):
    """The weighted links between features and tags.

    Parameters
    ----------
    weights : float32 CSR matrix, shape (n_features, n_tags)
        Features that are not linked to a tag have no stored weight.
    seen : bool array, shape (n_tags,)
        Whether training had an example of the tag.
    """

    seen: BoolArray

    def activations(self, features: Csr | sparse.csr_matrix) -> DoubleArray:
        """Return the sums of the active links' weights, shape (n_tokens, n_tags)."""
        return sums(features, self.weights)

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(folder, name, **sparse_arrays(self.weights), seen=self.seen)

    @classmethod
    def load(cls, folder: Path, name: str, n_features: int, n_tags: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or holds another kind or size of model.
        """
        weights, arrays = load_sparse(folder, name, _RULES, (n_features, n_tags))
        return cls(weights, arrays["seen"])
