"""Learning curves: nested draws, intervals, and invalid arguments."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import Corpus, learning_curve
from multideid.eval.experiments.corpora import Data
from multideid.eval.experiments.learning_curve import _Curve
from multideid.eval.statistics.significance import mean_interval
from multideid.stacking import SingleDeidentifier


def test_last_point_is_the_system_trained_on_everything(corpus, setup) -> None:
    curve = learning_curve([corpus], setup, systems=["titles"], fractions=(0.5, 1.0), draws=2)
    predicted = SingleDeidentifier("titles").fit(corpus.train).predict(corpus.test)
    last = curve["points"][-1]
    assert (last.fraction, last.documents, last.draws) == (1.0, 5, 1)
    found = evaluate(corpus.test, predicted)
    assert last.scores["token_f"].estimate == found.tokens.two_way().f1
    assert last.scores["span_f"].estimate == found.spans.strict.micro().f1


def test_larger_share_of_a_draw_holds_the_smaller_one(corpus, setup) -> None:
    curve = _Curve(corpus, Data.of(corpus.train, corpus.test), setup, (0.4, 0.8), 3)
    for small, large in zip(curve._plans(0.4), curve._plans(0.8), strict=True):
        assert set(small.train) < set(large.train)
    assert len({tuple(plan.train) for plan in curve._plans(0.4)}) > 1


def test_interval_is_students(corpus) -> None:
    interval = mean_interval([0.4, 0.5, 0.6], 0, 1)
    assert interval.estimate == pytest.approx(0.5)
    # t(0.975, 2) = 4.3027, and the standard error is 0.1 / sqrt(3).
    assert interval.high == pytest.approx(0.5 + 4.3027 * 0.1 / 3**0.5, abs=1e-5)
    assert mean_interval([1.0, 0.9], 0, 1).high == 1


def test_several_corpora_and_systems_are_in_one_table(corpus, other, setup) -> None:
    names = ["dates", "vote", "multi"]
    curve = learning_curve([corpus, other], setup, systems=names, fractions=(0.4, 1.0))
    assert [(p.corpus, p.system) for p in curve["points"][::2]] == [
        (c, s) for c in ("sample", "other") for s in names
    ]
    text = curve.to_text()
    assert all(str(source) in text for source in curve.sources)
    assert json.loads(json.dumps(curve.to_dict(), allow_nan=False)) == curve.to_dict()


def test_draws_without_any_phi_give_zeros_and_no_error(corpus, setup) -> None:
    bare = tuple(document.with_spans([]) for document in corpus.train[1:])
    odd = replace(corpus, train=(corpus.train[0], *bare))
    curve = learning_curve([odd], setup, systems=["dates", "small"], fractions=(0.3,), draws=2)
    assert min(p.scores["token_f"].low for p in curve["points"]) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"draws": 0}, "draws"),
        ({"fractions": (0.0,)}, "shares"),
        ({"fractions": ()}, "shares"),
        ({"systems": ["nobody"]}, "'nobody'"),
        ({"systems": []}, "none"),
        ({"systems": ["mega", "mega"]}, "once"),
    ],
)
def test_invalid_arguments_are_refused(corpus, setup, wrong, message) -> None:
    with pytest.raises(UsageError, match=message):
        learning_curve([corpus], setup, **wrong)


def test_unusable_corpora_are_refused(corpus, setup) -> None:
    unannotated = tuple(document.with_spans([]) for document in corpus.train)
    for corpora, message in (
        ([], "at least one"),
        ([corpus, corpus], "sample"),
        ([Corpus("x", (), corpus.test)], "no training"),
        ([Corpus("x", corpus.train, ())], "no test"),
        ([Corpus("x", unannotated, corpus.test)], "span"),
    ):
        with pytest.raises(UsageError, match=message):
            learning_curve(corpora, setup)
