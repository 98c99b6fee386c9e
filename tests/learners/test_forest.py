"""Boosted trees as plain arrays predict like scikit-learn's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.arrays import FloatArray, IntArray
from multideid.learners.boosting import (
    AdaBooster,
    Booster,
    HistogramBooster,
    of_adaboost_model,
    of_histogram_model,
)
from multideid.learners.forest import LEAF, Forest, Tree

BOOSTERS = [HistogramBooster(rounds=8), AdaBooster(rounds=3, min_samples_leaf=1)]


def numbers(n_labels: int, seed: int = 0) -> tuple[FloatArray, IntArray, FloatArray]:
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 12, (240, 5)).astype(np.float32) / 4
    labels = (columns[:, 0] * 2 + columns[:, 1]).astype(np.int32) % n_labels
    return columns, labels, rng.random(240).astype(np.float32) + 0.1


@pytest.mark.parametrize("n_labels", [2, 4])
def test_a_forest_predicts_like_the_histogram_booster(n_labels: int) -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns, labels, weights = numbers(n_labels)
    model = HistGradientBoostingClassifier(max_iter=4, max_leaf_nodes=7, random_state=0)
    model.fit(columns, labels, weights)
    forest = of_histogram_model(model, n_labels + 1)
    unseen, _, _ = numbers(n_labels, seed=1)
    assert forest.scores(unseen).argmax(axis=1).tolist() == model.predict(unseen).tolist()
    expected = model.decision_function(unseen).reshape(len(unseen), -1)
    found = forest.scores(unseen)[:, 1:2] if n_labels == 2 else forest.scores(unseen)[:, :n_labels]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("booster", BOOSTERS)
@pytest.mark.parametrize("n_labels", [1, 2, 4])
def test_scores_by_numpy_are_those_of_compiled_loops(booster: Booster, n_labels: int) -> None:
    forest = booster.train(*numbers(n_labels), n_labels)
    unseen, _, _ = numbers(n_labels, seed=1)
    np.testing.assert_allclose(forest.scores(unseen, compiled=False), forest.scores(unseen))


@pytest.mark.parametrize("n_labels", [2, 4])
def test_a_forest_predicts_like_adaboost(n_labels: int) -> None:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    columns, labels, weights = numbers(n_labels)
    tree = DecisionTreeClassifier(max_depth=3)
    model = AdaBoostClassifier(tree, n_estimators=5, random_state=0).fit(columns, labels, weights)
    unseen, _, _ = numbers(n_labels, seed=1)
    found = of_adaboost_model(model, n_labels).scores(unseen)
    assert found.argmax(axis=1).tolist() == model.predict(unseen).tolist()
    np.testing.assert_allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize("booster", BOOSTERS, ids=lambda b: type(b).__name__)
def test_a_saved_forest_scores_the_same(booster: Booster, tmp_path: Path) -> None:
    columns, labels, weights = numbers(3)
    forest = booster.train(columns, labels, weights, 5)
    forest.save(tmp_path, "forest")
    loaded = Forest.load(tmp_path, "forest", n_columns=columns.shape[1], n_labels=5)
    np.testing.assert_array_equal(loaded.scores(columns), forest.scores(columns))
    assert (forest.scores(columns).argmax(axis=1) == labels).mean() > 0.8


@pytest.mark.parametrize("booster", BOOSTERS, ids=lambda b: type(b).__name__)
@pytest.mark.parametrize("seen", [[], [2], [2, 2]])
def test_training_data_of_one_label_gives_no_tree(booster: Booster, seen: list[int]) -> None:
    labels = np.array(seen, dtype=np.int32)
    columns = np.zeros((len(seen), 2), dtype=np.float32)
    forest = booster.train(columns, labels, np.ones(len(seen), dtype=np.float32), 4)
    expected = seen[0] if seen else 0
    assert forest.scores(np.ones((1, 2), dtype=np.float32)).argmax(axis=1).tolist() == [expected]


def test_trees_no_better_than_chance_give_way_to_the_first_label() -> None:
    columns, labels = np.zeros((4, 2), dtype=np.float32), np.arange(4, dtype=np.int32) % 2
    forest = AdaBooster().train(columns, labels, np.ones(4, dtype=np.float32), 4)
    assert forest.scores(columns).tolist() == [[1, 0, 0, 0]] * 4


def follower() -> Forest:
    """A tree that says 1 where column 0 is 1, and goes on while the token before was 1."""
    tree = Tree(
        np.array([0, 1, LEAF, LEAF, LEAF], dtype=np.int32),
        np.array([0.5, 1.5, 0, 0, 0]),
        np.array([1, 2, LEAF, LEAF, LEAF], dtype=np.int32),
        np.array([4, 3, LEAF, LEAF, LEAF], dtype=np.int32),
        np.array([0, 0, 0, 1, 1], dtype=np.int32),
        np.ones(5),
    )
    return Forest.join([tree], np.zeros(2))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
@settings(deadline=None, max_examples=40)
def test_predictions_are_features_of_the_next_token(tokens: list[tuple[bool, bool]]) -> None:
    flags, begins = (np.array(column) for column in zip(*tokens, strict=True))
    begins[0] = True
    columns = np.column_stack([flags, np.zeros((len(tokens), 2))]).astype(np.float32)
    found = follower().scores_in_order(columns, begins, 2).argmax(axis=1).tolist()
    expected: list[int] = []
    for n, (flag, begin) in enumerate(zip(flags.tolist(), begins.tolist(), strict=True)):
        expected.append(int(flag or (not begin and expected[n - 1] == 1)))
    assert found == expected
    before = [0 if b else 1 + expected[n - 1] for n, b in enumerate(begins.tolist())]
    assert columns[:, 1].tolist() == before
    assert columns[0, 2] == 0
    assert columns[1:, 2].tolist() == [
        0 if b else before[n] for n, b in enumerate(begins.tolist()[1:])
    ]
