"""A kernel SVM that finds PHI, and a linear SVM that classifies it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.svm_kernel.kernel_svm import (
    KERNELS,
    ExactTrainer,
    KernelModel,
    NystroemTrainer,
    shortlist,
)
from multideid.csr import Csr
from multideid.features.templates import Template
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.taggers.parameters import ABOVE_0, POS_TAGGER, SEED, ParamRule, at_least, one_of
from multideid.taggers.registry import make_system
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_LINEAR_C = 0.1
_TWO_WAY = ("O", "PHI")


class SvmKernelTagger(FeatureTagger):
    """The two-way SVM of Tafvizi et al. (5.5, Table 3) over Stat-Deid's features.

    It decides whether a token is PHI. A linear SVM, trained on PHI tokens alone,
    decides the tag of PHI tokens.

    Parameters
    ----------
    kernel : {"linear", "quadratic", "gaussian"}
    c : float, default 10.0
        Inverse regularisation strength of the quadratic and the Gaussian SVM. The
        linear ones use that of `stat-deid`.
    max_tokens : int, default 10000
        Maximum number of training tokens of the quadratic and the Gaussian SVM. Half
        are those with the smallest margins of the linear SVM, half are drawn at random.
    n_components : int, default 0
        Number of landmarks of the Nyström approximation of the quadratic and the
        Gaussian kernel; 0 for the exact kernel.
    pos_tagger : str, default "lexicon"
        As `multideid.text.pos.pos_column`.
    min_count : int, default 2
        Rarer features are left out.
    seed : int, default 0

    Attributes
    ----------
    two_way_ : KernelModel or LinearModel
    types_ : LinearModel
    """

    name: ClassVar[str] = "svm-kernel"
    summary: ClassVar[str] = "SVM of a linear, quadratic or Gaussian kernel: PHI or not (Tafvizi)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "kernel": one_of(*KERNELS),
        "c": ABOVE_0,
        "max_tokens": ABOVE_0,
        "n_components": at_least(0),
        "pos_tagger": POS_TAGGER,
        "min_count": at_least(1),
        "seed": SEED,
    }

    earlier_names: ClassVar[Mapping[str, str]] = {
        "tokens": "max_tokens",
        "components": "n_components",
    }

    two_way_: KernelModel | LinearModel
    types_: LinearModel

    def __init__(  # noqa: PLR0913, PLR0917 (parameters of a model)
        self,
        kernel: str = "linear",
        c: float = 10.0,
        max_tokens: int = 10_000,
        n_components: int = 0,
        pos_tagger: str = "lexicon",
        min_count: int = 2,
        seed: int = 0,
    ) -> None:
        self.kernel = kernel
        self.c = c
        self.max_tokens = max_tokens
        self.n_components = n_components
        self.pos_tagger = pos_tagger
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> Sequence[Template]:
        """Return the feature templates of Stat-Deid."""
        system = make_system("stat-deid", pos_tagger=self.pos_tagger)
        assert isinstance(system, FeatureTagger)
        return system.templates()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        self.two_way_ = self._train_two_way(features, labels)
        phi = np.flatnonzero(labels.ids > 0)
        self.types_ = SvmTrainer(_LINEAR_C, seed=self.seed).train(features[phi], labels.rows(phi))

    def _train_two_way(
        self, features: sparse.csr_matrix, labels: TokenLabels
    ) -> KernelModel | LinearModel:
        inside = labels.ids > 0
        linear = SvmTrainer(_LINEAR_C, seed=self.seed).train(
            features, TokenLabels(inside.astype(np.int32), _TWO_WAY)
        )
        if self.kernel == "linear":
            return linear
        rows = shortlist(_margins(linear, features), inside, self.max_tokens, self.seed)
        trainer: ExactTrainer | NystroemTrainer = ExactTrainer(self.kernel, self.c)
        if 0 < self.n_components < len(rows):
            trainer = NystroemTrainer(self.kernel, self.c, self.n_components, self.seed)
        return trainer.train(features[rows], inside[rows])

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        """Score "O" as 0, the most probable tag by its two-way margin, and the others lower."""
        scores = self.types_.scores(features)
        greatest = scores[:, 1:].max(axis=1, initial=-np.inf)
        margins = _margins(self.two_way_, features.matrix())
        scores += (margins - greatest).astype(np.float32)[:, None]
        scores[:, 0] = 0
        return scores

    def _save_model(self, folder: Path) -> None:
        self.two_way_.save(folder, "two-way")
        self.types_.save(folder, "types")

    def _load_model(self, folder: Path) -> None:
        n_features = self.extractor_.n_features_
        if self.kernel == "linear":
            self.two_way_ = LinearModel.load(folder, "two-way", n_features, len(_TWO_WAY))
        else:
            self.two_way_ = KernelModel.load(folder, "two-way", n_features, self.kernel)
        self.types_ = LinearModel.load(folder, "types", n_features, len(self.labels_))


def _margins(model: KernelModel | LinearModel, features: sparse.csr_matrix) -> FloatArray:
    """Return the two-way margins, above 0 for PHI."""
    if isinstance(model, KernelModel):
        return model.margins(features).astype(np.float32)
    scores = model.scores(features)
    return np.asarray(scores[:, 1] - scores[:, 0])
