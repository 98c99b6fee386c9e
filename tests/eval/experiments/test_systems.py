"""Multi with more and fewer systems, tests of differences, and costs of systems."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import Result, Setup, systems
from multideid.eval.experiments.differences import CorpusScorer
from multideid.eval.experiments.system_costs import SpeedSpec
from multideid.eval.statistics.randomization import randomization_p
from multideid.stacking import MultiDeidentifier
from multideid.taggers.registry import SystemInfo, make_system

BASE = ("dates", "titles")
FAST = {"n_resamples": 50}


@pytest.fixture(scope="module")
def found(corpus) -> Result:
    """The result of a base set of two systems and one more."""
    return systems([corpus], Setup(BASE, folds=2, n_jobs=1), add=["phones"], **FAST)


def _rows(found) -> dict:
    return {(row.change, row.system): row for row in found["rows"]}


def _evaluated(corpus, model):
    return evaluate(corpus.test, model.fit(corpus.train).predict(corpus.test))


def test_each_system_is_measured_alone_added_and_left_out(found) -> None:
    assert list(_rows(found)) == [
        ("alone", "dates"), ("alone", "titles"), ("alone", "phones"),
        ("base", ""), ("with", "phones"), ("without", "dates"), ("without", "titles"),
        ("all", ""), ("all without", "dates"), ("all without", "titles"),
        ("all without", "phones"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "members"),
    [
        (("base", ""), BASE),
        (("with", "phones"), (*BASE, "phones")),
        (("all without", "titles"), ("dates", "phones")),
    ],
)
def test_row_is_that_of_multi_of_these_systems(corpus, found, row, members) -> None:
    measured = _rows(found)[row]
    scores = _evaluated(corpus, MultiDeidentifier(members, 2, n_jobs=1))
    assert measured.tokens == scores.tokens.two_way()
    assert measured.spans == scores.spans.strict.micro()
    assert measured.leaking == scores.leak.documents


def test_base_systems_are_fitted_once_for_all_rows(corpus, setup, fitted) -> None:
    systems([corpus], setup, add=["phones"], **FAST)
    assert len(fitted) == 3 * (1 + setup.folds)


def test_second_run_fits_nothing_and_has_the_same_result(corpus, setup, fitted) -> None:
    first = systems([corpus], setup, add=["phones"], **FAST)
    fitted.clear()
    assert systems([corpus], setup, add=["phones"], **FAST) == first
    assert not fitted


def test_differences_are_from_the_base_set_and_from_all(found) -> None:
    rows = _rows(found)
    base, everything, less = rows["base", ""], rows["all", ""], rows["all without", "dates"]
    assert base.from_base is None
    assert everything.from_all is None
    assert less.from_base.token_f == less.tokens.f1 - base.tokens.f1
    assert less.from_all.span_f == less.spans.f1 - everything.spans.f1
    same = rows["all without", "phones"].from_base
    assert (same.token_f, same.span_f, same.token_p, same.span_p) == (0, 0, 1, 1)


def test_p_is_that_of_the_randomization_test(corpus) -> None:
    scorer = CorpusScorer(corpus, "multideid")
    nothing = [document.with_spans([]) for document in corpus.test]
    perfect, silent = scorer.outcome(corpus.test), scorer.outcome(nothing)
    found = perfect.minus(silent, 50, 4)
    counts = evaluate(corpus.test, corpus.test).spans.strict.per_document()
    expected = randomization_p(counts, silent.span_counts, n_shuffles=50, seed=4)
    assert (found.span_f, found.span_p) == (1.0, expected)
    assert (perfect.leaking, silent.leaking) == (0, len(corpus.test))


def test_costs_are_the_seconds_of_the_fits_and_the_speed_of_scoring(
    corpus, setup, monkeypatch
) -> None:
    monkeypatch.setattr("multideid.eval.experiments.specs.perf_counter", iter(range(99)).__next__)
    found = systems([corpus], setup, add=["phones"], **FAST)
    assert [cost.system for cost in found["costs"]] == [*BASE, "phones"]
    for cost in found["costs"]:
        assert (cost.whole_seconds, cost.fold_seconds, cost.seconds) == (1, 2, 3)
        assert cost.tokens_per_second > 0
    multi = [row for row in found["rows"] if row.change != "alone"]
    assert all(row.stacker_seconds > 0 for row in multi)


def test_speed_does_not_count_fitting_nor_the_first_scores(corpus, setup, monkeypatch) -> None:
    clock = iter([10.0, 12.0])
    monkeypatch.setattr("multideid.eval.experiments.system_costs.process_time", lambda: next(clock))
    found = systems([corpus], replace(setup, systems=("dates",)), add=[], **FAST)
    words = sum(len(document.text.split()) for document in corpus.test)
    assert found["costs"][0].tokens_per_second == words / 2
    assert [row.change for row in found["rows"]] == ["alone", "base"]


def test_all_other_built_in_systems_that_are_usable_are_tried(corpus, setup, monkeypatch) -> None:
    infos = [
        SystemInfo("dates", "", "multideid", True, None),
        SystemInfo("phones", "", "multideid", True, None),
        SystemInfo("broken", "", "multideid", False, "it needs more"),
        SystemInfo("small", "", "a plug-in", True, None),
    ]
    # The package's function of the same name hides the module from monkeypatch's own look-up.
    module = sys.modules["multideid.eval.experiments.systems"]
    monkeypatch.setattr(module, "describe_systems", lambda: infos)
    monkeypatch.setattr(module, "BUILT_IN", {"dates": "", "phones": "", "broken": ""})
    found = systems([corpus], setup, **FAST)
    assert found["added"] == ("phones",)
    assert "broken is left out: it needs more" in found.notes


def test_result_is_plain_json_and_its_text_is_signed(corpus, other, setup) -> None:
    found = systems([corpus, other], setup, add=["phones"], **FAST)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    text = found.to_text()
    for wanted in ("all without phones", "span - all", "tokens/s", *map(str, found.sources)):
        assert wanted in text
    assert "resamples 50; seed 0" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"add": ["nobody"]}, "'nobody'"),
        ({"add": ["dates"]}, "twice: dates"),
        ({"add": [], "n_resamples": 0}, "at least one shuffle"),
    ],
)
def test_invalid_arguments_are_refused_before_anything_is_fitted(
    corpus, setup, fitted, options, message
) -> None:
    with pytest.raises(UsageError, match=message):
        systems([corpus], setup, **options)
    assert not fitted


def test_speed_fits_are_keyed_by_system_and_parameters() -> None:
    one, other = make_system("stat-deid"), make_system("stat-deid", c=0.5)
    assert SpeedSpec(one).key() == SpeedSpec(make_system("stat-deid")).key()
    assert SpeedSpec(one).key() != SpeedSpec(other).key()
