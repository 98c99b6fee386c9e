"""Mega: one linear SVM over the united features of all base systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Template
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.linear import LinearModel, SvmTrainer
from multideid.registry import make_system
from multideid.stacking.decode import best_tags
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.ensemble import DEFAULT_SYSTEMS, check_seed, check_systems
from multideid.stacking.evidence import decisions
from multideid.stacking.jobs import Progress
from multideid.tagger import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

IntArray = npt.NDArray[np.int32]

_MIN_COUNT = 2


class MegaDeidentifier(Deidentifier):
    """A single SVM over the union of all systems' features (thesis, Figure 1-1).

    A system of rules has no feature templates; what it decides for the token
    is its feature, as the thesis took the MIMIC system's rules for features.

    Parameters
    ----------
    systems : sequence of str
    c : float, default 0.1
        Trades margin size for training errors.
    seed : int, default 0
    progress : callable, optional
    """

    kind: ClassVar[str] = "mega"

    def __init__(
        self,
        systems: Sequence[str] = DEFAULT_SYSTEMS,
        c: float = 0.1,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> None:
        self.systems = systems
        self.c = c
        self.seed = seed
        self.progress = progress

    def _fit(self, tokens: TokenTable, labels: TokenLabels) -> None:
        seed = check_seed(self.seed)
        taggers = {name: make_system(name) for name in check_systems(self.systems)}
        rules = {n: t for n, t in taggers.items() if not isinstance(t, FeatureTagger)}
        self.taggers_ = {name: tagger.fit(tokens, labels) for name, tagger in rules.items()}
        self.extractor_ = FeatureExtractor(_united(taggers), _MIN_COUNT).fit(tokens)
        self.model_ = SvmTrainer(self.c, seed=seed).train(self._features(tokens), labels)
        if self.progress:
            self.progress(1, 1, "mega")

    def _features(self, tokens: TokenTable) -> sparse.csr_matrix:
        blocks = [self.extractor_.transform(tokens)]
        blocks += [decisions(t.predict_scores(tokens)) for t in self.taggers_.values()]
        return sparse.csr_matrix(sparse.hstack(blocks, format="csr", dtype=np.float32))

    def _tags(self, tokens: TokenTable) -> IntArray:
        if not len(tokens):
            return np.zeros(0, dtype=np.int32)
        return best_tags(tokens, self.model_.scores(self._features(tokens)))

    def _save(self, folder: Path) -> None:
        self.extractor_.save(folder, "mega-features")
        self.model_.save(folder, "mega")

    def _load(self, folder: Path) -> None:
        templates = _united({name: make_system(name) for name in self.systems})
        self.extractor_ = FeatureExtractor(templates, _MIN_COUNT).load(folder, "mega-features")
        self.model_ = LinearModel.load(folder, "mega")


def _united(taggers: dict[str, BaseTagger]) -> list[Template]:
    return [t for tagger in taggers.values() if isinstance(tagger, FeatureTagger)
            for t in tagger.templates()]  # fmt: skip
