"""The stacked SVM: which system to trust for which PHI class."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, FloatArray
from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.persistence import load_json, save_json
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.meta_features import (
    MetaFeatures,
    ScoreNormalisation,
    candidate_tokens,
    own_columns,
)
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

NO_CANDIDATE = np.float32(1e3)
"""Margin by which a token is outside that no system gives a PHI tag, or nearly."""


class TrainingSet(NamedTuple):
    """What a stacker's weights are learned from.

    Parameters
    ----------
    seen : list of MetaFeatures
        Of the candidate_tokens tokens, of the text as it is and in each augmentation.
    gold : TokenLabels
        Their tags, one after another.
    weights : float64 array
        What each of them counts for.
    """

    seen: list[MetaFeatures]
    gold: TokenLabels
    weights: DoubleArray


class Stacker:
    """A linear SVM over the base systems' decisions and margins (thesis 1.2).

    Parameters
    ----------
    c : float
        Trades margin size for training errors.
    seed : int

    Attributes
    ----------
    model_ : LinearModel
    normalisations_ : list of ScoreNormalisation
        One a system.
    """

    def __init__(self, c: float = 0.016, seed: int = 0) -> None:
        self.c = c
        self.seed = seed

    def fit(
        self,
        tokens: TokenTable,
        labels: TokenLabels,
        scores: Sequence[FloatArray],
        augmented: Sequence[Sequence[FloatArray]] = (),
    ) -> Self:
        """Learn from out-of-fold scores of the base systems.

        Parameters
        ----------
        tokens : TokenTable
        labels : TokenLabels
            Gold tags.
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One a system.
        augmented : sequence of sequences of float32 arrays, optional
            For each of `multideid.stacking.augmentation.AUGMENTATIONS`, scores of the
            same tokens in text with words changed, one a system.
        """
        everything = np.ones(len(tokens), dtype=np.bool_)
        return self.fit_weights(self.training_set(tokens, labels, scores, augmented, everything))

    def training_set(
        self,
        tokens: TokenTable,
        labels: TokenLabels,
        scores: Sequence[FloatArray],
        augmented: Sequence[Sequence[FloatArray]],
        part: BoolArray,
    ) -> TrainingSet:
        """Set the scales, and return what is to be learned from some of the documents.

        Parameters
        ----------
        tokens, labels, scores, augmented
            As `fit`.
        part : bool array, shape (n_tokens,)
            Marks the tokens of the documents to learn from.
        """
        self.normalisations_ = [ScoreNormalisation.of(s[part]) for s in scores]
        views = [scores, *augmented]
        rows = [np.flatnonzero(candidate_tokens(tokens, view) & part) for view in views]
        seen = [
            MetaFeatures.of(tokens, view, self.normalisations_, chosen)
            for view, chosen in zip(views, rows, strict=True)
        ]
        weights = [1.0, *(augment.weight for augment in AUGMENTATIONS)]
        counts = [len(chosen) for chosen in rows]
        gold = labels.rows(np.concatenate(rows))
        return TrainingSet(seen, gold, np.repeat(weights[: len(views)], counts))

    def fit_weights(self, training_set: TrainingSet) -> Self:
        """Set the weights.

        Parameters
        ----------
        training_set : TrainingSet
            What is seen is taken out of it: the solver needs the memory.
        """
        features = _features(training_set.seen)
        trainer = SvmTrainer(self.c, seed=self.seed)
        self.model_ = trainer.train(features, training_set.gold, training_set.weights)
        return self

    def margins(self, tokens: TokenTable, scores: Sequence[FloatArray]) -> FloatArray:
        """Return the SVM's margin of every tag, shape (n_tokens, n_labels).

        A token that no system contests is outside by `NO_CANDIDATE`, which no
        shift of a class's decision makes up for.
        """
        rows = np.flatnonzero(candidate_tokens(tokens, scores))
        margins = np.zeros(scores[0].shape, dtype=np.float32)
        margins[:, 0] = NO_CANDIDATE
        seen = MetaFeatures.of(tokens, scores, self.normalisations_, rows)
        margins[rows] = self.model_.scores(seen.matrix())
        return margins

    def trust(
        self, tokens: TokenTable, labels: TokenLabels, scores: Sequence[FloatArray]
    ) -> DoubleArray:
        """Return each system's share of the margin of each PHI class.

        For the gold tokens of a class: the mean of what a system's decision and
        scores for the token itself add to the margin of its tag, over the sum
        of what all systems add; what lowers the margin counts as nothing.

        Returns
        -------
        float64 array, shape (n_classes, n_systems)
            Rows sum to one, or are 0 for a class no system supports.
        """
        n_labels = len(labels.names)
        phi = np.flatnonzero(labels.ids)
        features = MetaFeatures.of(tokens, scores, self.normalisations_, phi).matrix()
        weights = self.model_.weights
        shares = np.zeros((n_labels // 2, len(scores)))
        for tag in range(1, n_labels):
            rows = np.flatnonzero(labels.ids[phi] == tag)
            for system in range(len(scores)):
                columns = own_columns(system, len(scores), n_labels)
                added = features[rows][:, columns] @ weights[columns, tag]
                shares[(tag - 1) // 2, system] += added.sum()
        shares = np.maximum(shares, 0)
        totals = shares.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(shares, totals, out=np.zeros_like(shares), where=totals > 0))

    def save(self, folder: Path) -> None:
        """Write what was learned."""
        self.model_.save(folder, "stacker")
        bounds = [[one.low, one.high] for one in self.normalisations_]
        save_json(folder, "stacker", {"c": self.c, "seed": self.seed, "normalisations": bounds})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        values = load_json(folder, "stacker")
        stacker = cls(values["c"], values["seed"])
        stacker.normalisations_ = [
            ScoreNormalisation(low, high) for low, high in values["normalisations"]
        ]
        stacker.model_ = LinearModel.load(folder, "stacker")
        return stacker


def _features(seen: list[MetaFeatures]) -> sparse.csr_matrix:
    """Return the float64 matrix of some evidence, which is taken out of the list."""
    matrices = []
    while seen:
        matrices.append(seen.pop(0).matrix())
    stacked = sparse.vstack(matrices, format="csr")
    matrices.clear()
    # The solver wants float64, and would make a copy beside what is here.
    return sparse.csr_matrix(stacked.astype(np.float64))
