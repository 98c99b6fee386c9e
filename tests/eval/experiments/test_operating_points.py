"""Curves agree with scikit-learn, and achieved recalls with Multi's own."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_curve

from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import Curve, Setup, operating_points
from multideid.stacking import MultiDeidentifier
from multideid.stacking.thresholds import RecallWarning

CHEAP = ("titles", "small")


@pytest.fixture(scope="module")
def found(corpus):
    setup = Setup(CHEAP, folds=2, n_jobs=1)
    return operating_points([corpus], setup, recalls=(0.8, 0.97))


@given(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=1, max_size=60))
def test_curve_is_scikit_learns(tokens) -> None:
    gold, score = (np.array(column) for column in zip(*tokens, strict=True))
    gold[0] = True
    curve = Curve.of("c", "any PHI", gold, score.astype(float))
    precision, recall, thresholds = precision_recall_curve(gold, score)
    assert curve.recall == pytest.approx(recall[:-1][::-1])
    assert curve.precision == pytest.approx(precision[:-1][::-1])
    assert curve.shift == pytest.approx(-thresholds[::-1])
    assert curve.average_precision == pytest.approx(average_precision_score(gold, score))
    assert curve.recall_now == pytest.approx((gold & (score > 0)).sum() / gold.sum())


def test_what_no_system_contests_is_beyond_the_curve() -> None:
    curve = Curve.of("c", "ID", np.array([True, True, False]), np.array([1.0, -1000.0, -1000.0]))
    assert (curve.recall, curve.highest_recall) == ((0.5,), 0.5)
    nothing = Curve.of("c", "ID", np.array([True, False]), np.array([-1000.0, -1000.0]))
    assert (nothing.recall, nothing.highest_recall, nothing.precision_now) == ((), 0.0, 0.0)


def test_long_curve_is_thinned_and_keeps_its_ends() -> None:
    rng = np.random.default_rng(0)
    gold, score = rng.random(5000) < 0.3, rng.random(5000)
    curve = Curve.of("c", "ID", gold, score)
    assert len(curve.recall) == 200
    assert curve.recall[-1] == 1
    assert curve.shift[0] == -score.max()


def test_scores_are_those_of_multi_with_that_recall(found, corpus) -> None:
    multi = MultiDeidentifier(CHEAP, 2, recall=0.97, n_jobs=1)
    with pytest.warns(RecallWarning) as warned:
        multi.fit(corpus.train)
    scores = evaluate(corpus.test, multi.predict(corpus.test))
    point = found["points"][1]
    assert point.achieved.estimate == scores.tokens.two_way().recall
    assert point.precision == scores.tokens.two_way().precision
    assert point.span_f == scores.spans.strict.micro().f1
    assert point.achieved.low <= point.achieved.estimate <= point.achieved.high
    assert {f"sample: {warning.message}" for warning in warned} <= set(found.notes)


def test_request_is_met_if_the_test_documents_have_that_recall(found) -> None:
    for point in found["points"]:
        assert point.is_met == (point.achieved.estimate >= point.requested)
    assert found["points"][0].achieved.estimate <= found["points"][1].achieved.estimate


def test_there_is_a_curve_for_any_phi_and_for_each_class(found, corpus) -> None:
    labels = {span.label for d in corpus.train for span in d.spans}
    there = labels & {span.label for d in corpus.test for span in d.spans}
    assert [curve.label for curve in found["curves"]] == ["any PHI", *sorted(there)]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert str(found.sources[0]) in found.to_text()


def test_test_documents_without_phi_have_no_curve(corpus, setup) -> None:
    bare = replace(corpus, test=tuple(d.with_spans([]) for d in corpus.test))
    found = operating_points([bare], setup, recalls=(0.9,))
    assert list(found["curves"]) == []
    assert found["points"][0].achieved.estimate == 0
    assert any("in the test documents" in note for note in found.notes)


@pytest.mark.parametrize("recalls", [(), (1.0,), (0.5, 0.0)])
def test_recalls_that_cannot_be_requested_are_refused(corpus, setup, recalls) -> None:
    with pytest.raises(UsageError, match="above 0 and below 1"):
        operating_points([corpus], setup, recalls=recalls)
