"""The stacker: a linear SVM that combines the scores of the base systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.errors import ModelError
from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.persistence.files import load_json, save_json
from multideid.persistence.json_rules import check_json
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.meta_features import (
    MetaFeatures,
    ScoreNormalisation,
    candidate_tokens,
    n_meta_features,
    near,
    system_columns,
    with_context,
)
from multideid.stacking.odds import Odds
from multideid.stacking.phi_odds import NO_CANDIDATE
from multideid.stacking.uncertain_odds import Candidates
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

_PATTERN = {"c": float, "seed": int, "normalisations": [(float, float)]}


class TrainingSet(NamedTuple):
    """The training set of a stacker: candidate tokens of original and augmented text.

    Parameters
    ----------
    features : list of MetaFeatures
        Those of the original text, then those of each augmentation.
    gold : TokenLabels
        Gold tags of all these tokens, in the same order.
    weights : float64 array
        Sample weights of the tokens.
    """

    features: list[MetaFeatures]
    gold: TokenLabels
    weights: DoubleArray


class Stacker:
    """A linear SVM over the base systems' decisions and scores (thesis 1.2).

    Parameters
    ----------
    c : float
        Inverse of the regularisation strength.
    seed : int
    document_context : bool
        Whether meta-features include the scores of the word's other occurrences in
        the document (`multideid.stacking.meta_features.with_context`).
    decisions_only : bool
        Whether it learns from nothing but each system's decision for the token itself,
        as the thesis's Multi does.

    Attributes
    ----------
    model_ : LinearModel
    normalisations_ : list of ScoreNormalisation
        One per system.
    odds_ : Odds or None
        Set by `fit_odds`; None in models of older versions.
    """

    def __init__(
        self,
        c: float = 0.016,
        seed: int = 0,
        document_context: bool = True,
        decisions_only: bool = False,
    ) -> None:
        self.c = c
        self.seed = seed
        self.document_context = document_context
        self.decisions_only = decisions_only
        self.odds_: Odds | None = None

    def unfitted(self) -> Stacker:
        """Return a stacker with the same parameters."""
        return Stacker(self.c, self.seed, self.document_context, self.decisions_only)

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
            One array per system.
        augmented : sequence of sequences of float32 arrays, optional
            The scores of the same tokens in augmented text: for each of
            `multideid.stacking.augmentation.AUGMENTATIONS`, one array per system.
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
        """Learn the normalisation of scores, and return the training set of some documents.

        Parameters
        ----------
        tokens, labels, scores, augmented
            As `fit`.
        part : bool array, shape (n_tokens,)
            True for the tokens of these documents.
        """
        self.normalisations_ = [ScoreNormalisation.of(s[part]) for s in scores]
        normalisations = self.all_normalisations()
        views = [self.inputs(tokens, view) for view in (scores, *augmented)]
        rows = [np.flatnonzero(candidate_tokens(tokens, view) & part) for view in views]
        features = [
            MetaFeatures.of(tokens, view, normalisations, candidates)
            for view, candidates in zip(views, rows, strict=True)
        ]
        weights = [1.0, *(augment.weight for augment in AUGMENTATIONS)]
        counts = [len(candidates) for candidates in rows]
        gold = labels.rows(np.concatenate(rows))
        return TrainingSet(features, gold, np.repeat(weights[: len(views)], counts))

    def fit_weights(self, training_set: TrainingSet) -> Self:
        """Train the SVM.

        Parameters
        ----------
        training_set : TrainingSet
            Its list of features is emptied, to free memory for the solver.
        """
        features = _popped_matrix(training_set.features)
        if self.decisions_only:
            features = self._without_others(features, len(training_set.gold.names))
        trainer = SvmTrainer(self.c, seed=self.seed)
        self.model_ = trainer.train(features, training_set.gold, training_set.weights)
        return self

    def _without_others(self, features: sparse.csr_matrix, n_labels: int) -> sparse.csr_matrix:
        """Return meta-features with all columns empty but the decisions for the token itself."""
        n_systems = len(self.normalisations_)
        used = np.zeros(features.shape[1], dtype=np.bool_)
        for system in range(n_systems):
            first = system_columns(system, n_systems + self.document_context, n_labels).start
            used[first : first + n_labels] = True
        features.data[~used[features.indices]] = 0
        features.eliminate_zeros()
        return features

    def margins(
        self,
        tokens: TokenTable,
        scores: Sequence[FloatArray],
        inputs: Sequence[FloatArray] | None = None,
        wanted: BoolArray | None = None,
        *,
        compiled: bool = False,
    ) -> FloatArray:
        """Return the SVM's margin of every tag, shape (n_tokens, n_labels).

        With `odds_`, PHI's best tag leads "O" by the log odds of PHI. Tokens that are no
        candidates get `NO_CANDIDATE` for "O" and 0 for other tags.

        Parameters
        ----------
        tokens : TokenTable
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One array per system.
        inputs : sequence of float32 arrays, optional
            The result of `inputs`, if it was computed already.
        wanted : bool array, shape (n_tokens,), optional
            True for the tokens whose margins are needed; those of others may be as if they
            were no candidates. Default: all.
        compiled : bool
            Whether the odds use compiled loops.
        """
        inputs = self.inputs(tokens, scores) if inputs is None else inputs
        chosen = candidate_tokens(tokens, inputs)
        if wanted is not None:
            chosen &= near(tokens.document, wanted)
        rows = np.flatnonzero(chosen)
        margins = np.zeros(scores[0].shape, dtype=np.float32)
        margins[:, 0] = NO_CANDIDATE
        features = MetaFeatures.of(tokens, inputs, self.all_normalisations(), rows)
        found = self.model_.scores(features.rows())
        if self.odds_:
            candidates = Candidates(rows, tokens.document, self.odds_.forms_of(tokens))
            own = [s[rows] for s in scores]
            found = self.odds_.applied(candidates, found, own, compiled=compiled)
        margins[rows] = found
        return margins

    def fit_odds(
        self,
        tokens: TokenTable,
        margins: FloatArray,
        scores: Sequence[FloatArray],
        phi: BoolArray,
        fold: LongArray,
    ) -> FloatArray:
        """Learn the odds of PHI, and return the out-of-fold margins with them.

        Nothing is learned with `decisions_only`, or if there is nothing to tell apart.

        Parameters
        ----------
        tokens, margins, scores, phi, fold
            As for `Odds.out_of_fold`.
        """
        if self.decisions_only:
            return margins
        self.odds_, found = Odds.out_of_fold(tokens, margins, scores, phi, fold)
        return found

    def inputs(self, tokens: TokenTable, scores: Sequence[FloatArray]) -> Sequence[FloatArray]:
        """Return the scores that meta-features are made of, with the context if it is used."""
        if not self.document_context:
            return scores
        return with_context(tokens, scores, self.normalisations_)

    def all_normalisations(self) -> list[ScoreNormalisation]:
        """Return the normalisation of each of the `inputs`; context is normalised already."""
        return [*self.normalisations_, *[ScoreNormalisation(0.0, 1.0)] * self.document_context]

    def trust(
        self, tokens: TokenTable, labels: TokenLabels, scores: Sequence[FloatArray]
    ) -> DoubleArray:
        """Return each system's share in the margin of each PHI class.

        For class k and system s, where the sum is over the gold tokens of class
        k, x_s holds the decision and normalised scores of s for the token itself
        and w the weights of its gold tag::

            contribution[k, s] = max(0, sum(w @ x_s))
            share[k, s] = contribution[k, s] / contribution[k].sum()

        Returns
        -------
        float64 array, shape (n_classes, n_systems)
            Rows sum to one, or are all 0 for a class that no system supports.
        """
        n_labels = len(labels.names)
        phi = np.flatnonzero(labels.ids)
        scores = self.inputs(tokens, scores)
        features = MetaFeatures.of(tokens, scores, self.all_normalisations(), phi).matrix()
        weights = self.model_.weights.toarray()
        shares = np.zeros((n_labels // 2, len(self.normalisations_)))
        for tag in range(1, n_labels):
            rows = np.flatnonzero(labels.ids[phi] == tag)
            for system in range(len(self.normalisations_)):
                columns = system_columns(system, len(scores), n_labels)
                added = features[rows][:, columns] @ weights[columns, tag]
                shares[(tag - 1) // 2, system] += added.sum()
        shares = np.maximum(shares, 0)
        totals = shares.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(shares, totals, out=np.zeros_like(shares), where=totals > 0))

    def save(self, folder: Path) -> None:
        """Write the normalisations, the SVM and the odds."""
        self.model_.save(folder, "stacker")
        params = {
            "c": self.c,
            "seed": self.seed,
            "document_context": self.document_context,
            "decisions_only": self.decisions_only,
        }
        bounds = [[one.low, one.high] for one in self.normalisations_]
        odds = self.odds_.save(folder) if self.odds_ else {}
        save_json(folder, "stacker", {**params, "normalisations": bounds, **odds})

    @classmethod
    def load(cls, folder: Path, n_systems: int, n_labels: int) -> Self:
        """Read a stacker that `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged, or is of other systems.
        """
        values = load_json(folder, "stacker", _PATTERN)
        context = values.get("document_context", False)
        decisions_only = values.get("decisions_only", False)
        check_json(folder / "stacker.json", context, bool)
        check_json(folder / "stacker.json", decisions_only, bool)
        stacker = cls(values["c"], values["seed"], context, decisions_only)
        bounds = values["normalisations"]
        if len(bounds) != n_systems or not all(low < high for low, high in bounds):
            raise ModelError(folder / "stacker.json", "normalises the scores of other systems")
        stacker.normalisations_ = [ScoreNormalisation(low, high) for low, high in bounds]
        n_columns = n_meta_features(n_systems + context, n_labels)
        stacker.model_ = LinearModel.load(folder, "stacker", n_columns, n_labels)
        stacker.odds_ = Odds.load(folder, values, n_systems)
        return stacker


def _popped_matrix(features: list[MetaFeatures]) -> sparse.csr_matrix:
    """Return the float64 matrix of all the features, and empty the list."""
    from scipy import sparse

    matrices = []
    while features:
        matrices.append(features.pop(0).matrix())
    stacked = sparse.vstack(matrices, format="csr")
    matrices.clear()
    # Converted here, since the solver would keep both its float64 copy and the original.
    return sparse.csr_matrix(stacked.astype(np.float64))
