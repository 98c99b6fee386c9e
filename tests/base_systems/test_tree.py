"""The decision tree chooses telling features, and reads from left to right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from multideid.base_systems.tree import TreeTagger
from multideid.base_systems.tree.model import LEAF, TreeModel, TreeTrainer
from multideid.features.szarvas import word_forms_of
from multideid.features.templates import Conjunction
from multideid.learners.information_gain import most_informative
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

NAMES = ("O", "B-X", "I-X")


def view_values(name: str, text: str) -> list[str]:
    """The values of one of the system's views, by word."""
    parts = (t.parts[0] for t in TreeTagger().templates() if isinstance(t, Conjunction))
    view = next(view for view, offset in parts if view.name == name and offset == 0)
    column = view.column(TokenTable.from_texts([text]))
    return [column.names[code] for code in column.codes.tolist()]


def tags(*ids: int) -> TokenLabels:
    return TokenLabels(np.array(ids, dtype=np.int32), NAMES)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("in brackets", "a (b c) d", "001110"),
        ("in brackets", "a ) b\n( c", "000001"),
        ("in quotes", 'a "b" c', "00110"),
        ("line in capitals", "A 1 B\nC d", "111100"),
        ("position in sentence", "A b c. D e", "022101"),
    ],
)
def test_a_token_has_the_attribute_of_its_context(name: str, text: str, expected: str) -> None:
    assert "".join(view_values(name, text)) == expected


def test_word_forms_list_inner_capitals_and_digits() -> None:
    assert word_forms_of("McDonald") == ["capital inside"]
    assert word_forms_of("B12") == ["digit"]
    assert word_forms_of("smith") == []


def test_the_most_informative_features_are_those_that_occur_with_a_tag() -> None:
    always, never = [1, 1, 1, 1], [0, 0, 0, 0]
    half, matches, opposes = [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]
    features = sparse.csr_matrix(np.array([always, never, half, matches, opposes]).T)
    assert most_informative(features, tags(1, 1, 0, 0), 2).tolist() == [3, 4]


def test_the_predicted_tag_of_a_token_is_a_feature_of_the_next() -> None:
    # Node 1 says B where the token has the feature; node 3 says I behind B.
    model = TreeModel(
        np.array([0, LEAF, 2, LEAF, LEAF], dtype=np.int32),
        np.array([2, LEAF, 4, LEAF, LEAF], dtype=np.int32),
        np.array([1, LEAF, 3, LEAF, LEAF], dtype=np.int32),
        np.eye(3, dtype=np.float32)[[0, 1, 0, 2, 0]],
    )
    features = sparse.csr_matrix(np.array([[1], [0], [0], [1], [0]], dtype=np.float32))
    document = np.array([0, 0, 0, 0, 1], dtype=np.int32)
    assert model.scores(features, document).argmax(axis=1).tolist() == [1, 2, 0, 1, 0]


def test_the_arrays_predict_like_scikit_learns_tree() -> None:
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    dense = (rng.random((300, 8)) < 0.5).astype(np.float32)
    labels = tags(*(dense[:, 0] * (1 + dense[:, 3])).astype(int).tolist())
    alone = np.arange(300, dtype=np.int32)
    model = TreeTrainer(min_samples_leaf=5, ccp_alpha=0).train(
        sparse.csr_matrix(dense), labels, alone
    )
    grown = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0)
    expected = grown.fit(dense, labels.ids).predict_proba(dense)
    np.testing.assert_allclose(model.scores(sparse.csr_matrix(dense), alone), expected, atol=1e-6)


def test_it_needs_no_example_to_be_fitted(tmp_path: Path) -> None:
    empty = TokenTable.from_texts([""])
    TreeTagger().fit(empty, tags()).save(tmp_path)
    scores = TreeTagger.load(tmp_path).predict_scores(TokenTable.from_texts(["A b"]))
    assert scores.argmax(axis=1).tolist() == [0, 0]
