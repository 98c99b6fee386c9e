"""One learner of the vote: the attributes of a trigger variant and boosted trees over them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray, IntArray
from multideid.base_systems.szarvas.classes import document_begins
from multideid.base_systems.szarvas.coding import Coding
from multideid.learners.forest import Forest
from multideid.persistence.files import load_json, save_json

N_BEFORE = 3
"""Number of previous tokens with classes that are features of a token."""


@dataclass(frozen=True, slots=True)
class Learner:
    """Boosted trees that read a document from left to right.

    Parameters
    ----------
    coding : Coding
        Columns of the trigger variant.
    forest : Forest
        Over the columns that all variants share, those of the variant, and the classes
        of the `N_BEFORE` previous tokens.
    log_odds : bool
        Whether the forest's scores are log odds instead of shares of votes.
    """

    coding: Coding
    forest: Forest
    log_odds: bool

    def probabilities(
        self, shared: FloatArray, features: sparse.csr_matrix, document: IntArray
    ) -> FloatArray:
        """Return class probabilities, with the predictions for previous tokens as features.

        Parameters
        ----------
        shared : float32 array, shape (n_tokens, n_columns)
        features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
        document : int32 array, shape (n_tokens,)

        Returns
        -------
        float32 array, shape (n_tokens, n_classes)
        """
        before = np.zeros((len(document), N_BEFORE), dtype=np.float32)
        columns = np.hstack([shared, self.coding.transform(features), before])
        scores = self.forest.scores_in_order(columns, document_begins(document), N_BEFORE)
        if self.log_odds:
            scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True), dtype=np.float32)

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>-*.npz`` into `folder`."""
        self.coding.save(folder, f"{name}-triggers")
        self.forest.save(folder, f"{name}-trees")
        save_json(folder, name, {"log_odds": self.log_odds})

    @classmethod
    def load(
        cls, folder: Path, name: str, *, n_features: int, n_shared: int, n_labels: int
    ) -> Self:
        """Read what `save` wrote.

        Parameters
        ----------
        folder : Path
        name : str
        n_features : int
            Number of binary features.
        n_shared : int
            Number of columns that all variants share.
        n_labels : int
            Number of classes.
        """
        coding = Coding.load(folder, f"{name}-triggers", n_features)
        log_odds = load_json(folder, name, {"log_odds": bool})["log_odds"]
        sizes = {"n_columns": n_shared + coding.width + N_BEFORE, "n_labels": n_labels}
        return cls(coding, Forest.load(folder, f"{name}-trees", **sizes), log_odds)
