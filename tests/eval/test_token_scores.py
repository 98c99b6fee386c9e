"""The scores read off a confusion matrix agree with scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from multideid.errors import UsageError
from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.metrics.token_metrics import ConfusionMatrix

LABELS = ("AGE", "DATE", "NAME")
CODES = [0, 1, 2, 3]

pairs = st.lists(st.tuples(st.sampled_from(CODES), st.sampled_from(CODES)), min_size=1)


def figures(score: Score | MacroScore, beta: float = 1.0) -> tuple[float, float, float]:
    return score.precision, score.recall, score.f(beta)


@given(pairs, st.sampled_from([0.5, 1.0, 2.0]))
@settings(deadline=None)
def test_scores_are_those_of_scikit_learn(codes: list[tuple[int, int]], beta: float) -> None:
    gold, predicted = np.array(codes, dtype=np.int64).T
    matrix = ConfusionMatrix.from_codes(gold, predicted, LABELS)
    assert (matrix.counts == confusion_matrix(gold, predicted, labels=CODES)).all()

    def reference(gold: Any, predicted: Any, **options: Any) -> Any:
        return precision_recall_fscore_support(
            gold, predicted, beta=beta, zero_division=0.0, **options
        )[:3]

    per_class = [matrix.non_phi(), *matrix.per_class().values()]
    expected = np.array(reference(gold, predicted, labels=CODES, average=None)).T
    np.testing.assert_allclose([figures(s, beta) for s in per_class], expected)
    phi = reference(gold, predicted, labels=CODES[1:], average="micro")
    np.testing.assert_allclose(figures(matrix.phi_classes(), beta), phi)
    everything = reference(gold, predicted, labels=CODES, average="micro")
    np.testing.assert_allclose(figures(matrix.all_classes(), beta), everything)
    two_way = reference(gold > 0, predicted > 0, pos_label=True, average="binary")
    np.testing.assert_allclose(figures(matrix.two_way(), beta), two_way)
    occurring = sorted({code for pair in codes for code in pair} - {0})
    if occurring:
        macro = reference(gold, predicted, labels=occurring, average="macro")
        np.testing.assert_allclose(figures(matrix.macro(), beta), macro)


def test_no_phi_at_all_scores_zero_and_shows_the_counts() -> None:
    matrix = ConfusionMatrix.from_codes(np.zeros(5, np.int64), np.zeros(5, np.int64), LABELS)
    nothing = {"precision": 0.0, "recall": 0.0, "f": 0.0, "f2": 0.0}
    assert matrix.two_way().to_dict() == {**nothing, "correct": 0, "predicted": 0, "gold": 0}
    assert matrix.macro().to_dict() == {**nothing, "classes": 0}
    assert matrix.all_classes().f1 == 1.0


def test_a_matrix_that_does_not_fit_its_labels_is_refused() -> None:
    with pytest.raises(UsageError, match=r"shape \(4, 4\), not \(3, 3\)"):
        ConfusionMatrix(LABELS, np.zeros((3, 3), np.int64))
