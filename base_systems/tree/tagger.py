"""A single decision tree that reads from left to right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from scipy import sparse

from multideid.arrays import FloatArray, LongArray
from multideid.base_systems.tree.model import TreeModel, TreeTrainer
from multideid.csr import Csr
from multideid.features.common import LOWER
from multideid.features.szarvas import szarvas_templates
from multideid.features.templates import Template, each
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.information_gain import most_informative
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import load_arrays, save_arrays
from multideid.taggers.parameters import SEED, ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_CHOSEN = {"columns": ArrayRule("int64", ("n_chosen",), low=0, below="n_features")}


class TreeTagger(FeatureTagger):
    """A single decision tree, the upper baseline of Szarvas (2007).

    Parameters
    ----------
    n_features : int, default 600
        Number of binary features, selected by information gain.
    min_samples_leaf : int, default 5
        Tokens that a leaf must have.
    ccp_alpha : float, default 3e-5
        Bits of entropy per token that a branch must save for each leaf that it adds.
    min_count : int, default 3
        Rarer features are left out.
    seed : int, default 0

    Attributes
    ----------
    chosen_ : int64 array, shape (n_features,)
        Columns of the selected features.
    tree_ : TreeModel
    """

    name: ClassVar[str] = "tree"
    summary: ClassVar[str] = "A single decision tree (Szarvas's C4.5 baseline, 2007)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "n_features": at_least(1),
        "min_samples_leaf": at_least(1),
        "ccp_alpha": at_least(0),
        "min_count": at_least(1),
        "seed": SEED,
    }

    earlier_names: ClassVar[Mapping[str, str]] = {
        "min_leaf": "min_samples_leaf",
        "pruning": "ccp_alpha",
    }

    chosen_: LongArray
    tree_: TreeModel

    def __init__(
        self,
        n_features: int = 600,
        min_samples_leaf: int = 5,
        ccp_alpha: float = 3e-5,
        min_count: int = 3,
        seed: int = 0,
    ) -> None:
        self.n_features = n_features
        self.min_samples_leaf = min_samples_leaf
        self.ccp_alpha = ccp_alpha
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> list[Template]:
        """Return the templates of Szarvas (2007), with the words around each at its offset."""
        return szarvas_templates(each(LOWER, (-3, -2, -1, 1, 2, 3), "trigger"))

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        self.chosen_ = most_informative(features, labels, self.n_features)
        trainer = TreeTrainer(self.min_samples_leaf, self.ccp_alpha, self.seed)
        self.tree_ = trainer.train(features[:, self.chosen_], labels, tokens.document)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        chosen = sparse.csr_matrix(features.matrix()[:, self.chosen_])
        return self.tree_.scores(chosen, tokens.document)

    def _save_model(self, folder: Path) -> None:
        save_arrays(folder, "chosen", columns=self.chosen_)
        self.tree_.save(folder, "tree")

    def _load_model(self, folder: Path) -> None:
        n_features = self.extractor_.n_features_
        self.chosen_ = load_arrays(folder, "chosen", _CHOSEN, n_features=n_features)["columns"]
        n_labels = len(self.labels_)
        n_tested = len(self.chosen_) + n_labels
        self.tree_ = TreeModel.load(folder, "tree", n_tested=n_tested, n_labels=n_labels)
