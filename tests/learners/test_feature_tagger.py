"""Feature taggers keep the contract of base taggers."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from multideid.arrays import FloatArray
from multideid.features.common import LOWER, SHAPE
from multideid.features.templates import Template, each
from multideid.learners.crf import CrfTrainer
from multideid.learners.crfsuite import CrfsuiteTrainer
from multideid.learners.feature_tagger import ChainTagger, FeatureTagger
from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.taggers.contract import BaseTagger
from multideid.testing import check_tagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


def some_templates() -> list[Template]:
    return [*each(LOWER, range(-1, 2), "word"), *each(SHAPE, (-1, 0), "shape")]


class Svm(FeatureTagger):
    name = "svm"
    summary = "A linear SVM."

    def __init__(self, c: float = 0.1) -> None:
        self.c = c

    def templates(self) -> list[Template]:
        return some_templates()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        self.model_ = SvmTrainer(self.c).train(features, labels)

    def _score(self, features: sparse.csr_matrix, tokens: TokenTable) -> FloatArray:
        return self.model_.scores(features)

    def _save_model(self, folder: Path) -> None:
        self.model_.save(folder, "svm")

    def _load_model(self, folder: Path) -> None:
        sizes = self.extractor_.n_features_, len(self.labels_)
        self.model_ = LinearModel.load(folder, "svm", *sizes)


class Chain(ChainTagger):
    name = "chain"
    summary = "A CRF."

    def __init__(self, epochs: int = 3, min_count: int = 2) -> None:
        self.epochs = epochs
        self.min_count = min_count

    def templates(self) -> list[Template]:
        return some_templates()

    def _trainer(self) -> CrfTrainer | CrfsuiteTrainer:
        return CrfTrainer(epochs=self.epochs)


class Crfsuite(Chain):
    name = "crfsuite"
    summary = "A CRF by crfsuite."

    def _trainer(self) -> CrfTrainer | CrfsuiteTrainer:
        return CrfsuiteTrainer("lbfgs", {"max_iterations": 10 * self.epochs})


@pytest.mark.parametrize("tagger", [Svm, Chain, Crfsuite])
def test_taggers_of_every_learner_keep_the_contract(tagger: type[BaseTagger]) -> None:
    check_tagger(tagger)


def test_use_before_fit_names_the_system(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError, match="'svm' is not fitted"):
        Svm().predict_scores(TokenTable.from_texts(["a"]))
    with pytest.raises(NotFittedError, match="'svm' is not fitted"):
        Svm().save(tmp_path)


def test_parameters_are_those_of_the_constructor_and_nothing_else() -> None:
    tagger = Chain(epochs=5)
    tagger.note, tagger.learned_ = "kept aside", 1  # type: ignore[attr-defined]
    assert tagger.get_params() == {"epochs": 5, "min_count": 2}
