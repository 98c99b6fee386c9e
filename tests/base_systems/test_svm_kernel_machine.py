"""A kernel SVM is kept as a weighted sum of kernels, whichever way it was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

from multideid.base_systems.svm_kernel.kernel_svm import (
    KERNELS,
    ExactTrainer,
    Kernel,
    KernelModel,
    NystroemTrainer,
    shortlist,
)

RNG = np.random.default_rng(0)
FEATURES = sparse.csr_matrix((RNG.random((200, 12)) < 0.4).astype(np.float32))
# Exclusive or of two features, which no linear SVM can separate.
INSIDE = np.asarray(FEATURES[:, 0].toarray() != FEATURES[:, 1].toarray()).ravel()


def share_right(model: KernelModel) -> float:
    return float(((model.margins(FEATURES) > 0) == INSIDE).mean())


@pytest.mark.parametrize("name", KERNELS)
def test_margins_are_those_of_the_library(name: str) -> None:
    model = ExactTrainer(name).train(FEATURES, INSIDE)
    library = SVC(gamma=model.kernel.gamma, **KERNELS[name]).fit(FEATURES, INSIDE)
    expected = library.decision_function(FEATURES)
    np.testing.assert_allclose(model.margins(FEATURES), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["quadratic", "gaussian"])
def test_kernels_separate_classes_that_a_linear_svm_cannot(name: str) -> None:
    assert share_right(ExactTrainer("linear").train(FEATURES, INSIDE)) < 0.9
    assert share_right(ExactTrainer(name, c=10).train(FEATURES, INSIDE)) == 1
    assert share_right(NystroemTrainer(name, c=10, n_components=80).train(FEATURES, INSIDE)) > 0.97


def test_an_approximation_keeps_no_more_than_its_landmarks() -> None:
    model = NystroemTrainer("gaussian", n_components=20).train(FEATURES, INSIDE)
    kept = {tuple(row) for row in model.vectors.toarray()}
    assert model.vectors.shape == (20, 12)
    assert kept <= {tuple(row) for row in FEATURES[:20].toarray()}


@pytest.mark.parametrize("trainer", [ExactTrainer("gaussian"), NystroemTrainer("gaussian")])
def test_a_single_class_is_always_right(trainer: ExactTrainer | NystroemTrainer) -> None:
    for inside in (True, False):
        model = trainer.train(FEATURES, np.full(200, inside))
        assert ((model.margins(FEATURES) > 0) == inside).all()


def test_the_width_follows_the_features_spread() -> None:
    library = SVC(gamma="scale").fit(FEATURES, INSIDE)
    assert Kernel.scaled("gaussian", FEATURES).gamma == pytest.approx(library._gamma, rel=1e-5)
    assert Kernel.scaled("gaussian", sparse.csr_matrix((3, 0))).gamma == 1


def test_a_saved_model_gives_the_same_margins(tmp_path: Path) -> None:
    model = ExactTrainer("quadratic").train(FEATURES, INSIDE)
    model.save(tmp_path, "model")
    loaded = KernelModel.load(tmp_path, "model", FEATURES.shape[1], "quadratic")
    assert loaded.kernel == model.kernel
    np.testing.assert_array_equal(loaded.margins(FEATURES), model.margins(FEATURES))


def test_the_hardest_are_on_the_shortlist_and_as_many_others() -> None:
    margins = np.array([5.0, -5.0, -1.0, 0.1, 4.0, -4.0])
    inside = np.array([True, False, True, True, True, False])
    chosen = shortlist(margins, inside, 4).tolist()
    assert set(chosen[:2]) == {2, 3}
    assert len(set(chosen)) == 4
    everything = shortlist(margins, inside, 9).tolist()
    assert set(everything[:3]) <= {2, 3, 4, 5}
    assert sorted(everything) == [0, 1, 2, 3, 4, 5]
