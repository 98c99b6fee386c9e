"""The linear SVM's margins equal scikit-learn's, with all or only some tags."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.text.bio import TokenLabels, bio_names

N_FEATURES = 15
NAMES = bio_names(["DATE", "ID"])


def features(seed: int, n: int) -> sparse.csr_matrix:
    rng = np.random.default_rng(seed)
    return sparse.csr_matrix((rng.random((n, N_FEATURES)) < 0.3).astype(np.float32))


def labels(matrix: sparse.csr_matrix, tags: list[int]) -> TokenLabels:
    """Tag tokens with some of the tags, by a rule that can nearly be learned."""
    centres = np.random.default_rng(9).normal(size=(N_FEATURES, len(tags)))
    ids = np.array(tags)[(matrix.toarray() @ centres).argmax(axis=1)]
    return TokenLabels(ids.astype(np.int32), NAMES)


@pytest.mark.parametrize("tags", [[0, 3], [1, 2], [0, 1, 4], [0, 1, 2, 3, 4]])
def test_margins_are_those_of_scikit_learn(tags: list[int]) -> None:
    training, other = features(0, 200), features(1, 50)
    gold = labels(training, tags)
    scores = SvmTrainer(c=0.5, seed=3).train(training, gold).scores(other)
    svm = LinearSVC(C=0.5, multi_class="crammer_singer", tol=0.1, random_state=3)
    svm.fit(training, gold.ids)
    expected = svm.decision_function(other)
    if len(tags) == 2:
        expected = np.stack([-expected, expected], axis=1) / 2
    assert scores[:, tags] == pytest.approx(expected, abs=1e-5)
    assert scores.argmax(axis=1).tolist() == svm.predict(other).tolist()
    assert (scores.shape, scores.dtype) == ((50, 5), np.float32)


def objective(weights: np.ndarray, matrix: np.ndarray, ids: np.ndarray, c: float) -> float:
    """Return the primal objective of the thesis's equation 1.3, with the bias as a feature."""
    margins = matrix @ weights
    own = margins[np.arange(len(ids)), ids]
    rivals = margins + 1
    rivals[np.arange(len(ids)), ids] -= 1
    return float((weights**2).sum() / 2 + c * (rivals.max(axis=1) - own).sum())


def test_no_other_weights_serve_the_equation_of_the_thesis_better() -> None:
    training = features(0, 200)
    gold = labels(training, [0, 1, 2, 3, 4])
    trainer = SvmTrainer(c=0.5, tolerance=1e-6, max_iterations=100_000)
    model = trainer.train(training, gold)
    weights = np.vstack([model.weights.toarray(), model.bias])
    matrix = np.hstack([training.toarray(), np.ones((200, 1))])
    best = objective(weights, matrix, gold.ids, 0.5)
    rng = np.random.default_rng(5)
    for size in (1e-2, 1e-1, 1.0):
        for _ in range(50):
            other = weights + rng.normal(size=weights.shape) * size
            assert objective(other, matrix, gold.ids, 0.5) > best - 1e-3


def test_a_tag_without_example_has_a_low_margin_that_never_wins() -> None:
    training = features(0, 200)
    model = SvmTrainer().train(training, labels(training, [1, 2, 4]))
    absent = model.scores(features(1, 50))[:, [0, 3]]
    assert (absent == -2).all()
    far = LinearModel(model.weights, model.bias - 100, model.seen)
    scores = far.scores(features(1, 50))
    assert set(scores.argmax(axis=1).tolist()) <= {1, 2, 4}
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("tag", [0, 3])
def test_one_tag_alone_always_wins(tag: int) -> None:
    training = features(0, 20)
    gold = TokenLabels(np.full(20, tag, dtype=np.int32), NAMES)
    scores = SvmTrainer().train(training, gold).scores(features(1, 9))
    assert scores.argmax(axis=1).tolist() == [tag] * 9
    assert np.isfinite(scores).all()


def test_without_tokens_everything_is_outside() -> None:
    model = SvmTrainer().train(features(0, 0), TokenLabels(np.zeros(0, dtype=np.int32), NAMES))
    assert model.scores(features(1, 5)).argmax(axis=1).tolist() == [0] * 5


def test_tokens_without_known_features_and_empty_tables_are_scored() -> None:
    training = features(0, 200)
    model = SvmTrainer().train(training, labels(training, [0, 1, 2, 3, 4]))
    nothing = sparse.csr_matrix((3, N_FEATURES), dtype=np.float32)
    assert model.scores(nothing) == pytest.approx(np.tile(model.bias, (3, 1)))
    assert model.scores(features(0, 0)).shape == (0, 5)


def test_a_loaded_model_gives_the_same_scores(tmp_path: Path) -> None:
    training, other = features(0, 200), features(1, 50)
    model = SvmTrainer().train(training, labels(training, [0, 1, 4]))
    model.save(tmp_path, "svm")
    loaded = LinearModel.load(tmp_path, "svm", *model.weights.shape)
    assert np.array_equal(loaded.scores(other), model.scores(other))


def test_training_is_the_same_for_one_seed() -> None:
    training = features(0, 200)
    gold = labels(training, [0, 1, 2, 3, 4])
    first, again = (SvmTrainer().train(training, gold).scores(training) for _ in range(2))
    assert np.array_equal(first, again)


def test_a_token_of_greater_weight_decides_between_tokens_that_look_alike() -> None:
    alike = sparse.csr_matrix(np.ones((2, N_FEATURES), dtype=np.float32))
    gold = TokenLabels(np.array([1, 3], dtype=np.int32), NAMES)
    for weights, winner in (([1.0, 0.25], 1), ([0.25, 1.0], 3)):
        scores = SvmTrainer(c=0.1).train(alike, gold, np.array(weights)).scores(alike)
        assert scores.argmax(axis=1).tolist() == [winner, winner]
