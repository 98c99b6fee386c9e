"""The four hypotheses: comparisons and verdicts."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from multideid.eval import evaluate
from multideid.eval.experiments import Corpus, SignificanceTable, hypotheses, verdicts
from multideid.eval.statistics.z_table import ZRow, z_table
from multideid.stacking import MegaDeidentifier, MultiDeidentifier

PLUGINS = ("dates", "titles")


def _table(z: float, **classes: float) -> SignificanceTable:
    rows = [ZRow(label, (50, 50), (0.9, 0.9), value) for label, value in classes.items()]
    return SignificanceTable("one", "two", (*rows, ZRow("any PHI", (99, 99), (0.9, 0.91), z)))


@pytest.fixture(scope="module")
def found(corpus, other):
    from multideid.eval.experiments import Setup

    return hypotheses([corpus, other], Setup(PLUGINS, folds=2, n_jobs=1))


def test_mega_is_measured_on_every_corpus_as_it_would_be_alone(found, corpus, other) -> None:
    assert [(t.trained, t.measured) for t in found["transfers"]] == [
        ("sample", "sample"), ("sample", "other"), ("other", "sample"), ("other", "other")
    ]  # fmt: skip
    mega = MegaDeidentifier(PLUGINS).fit(corpus.train)
    there = evaluate(other.test, mega.predict(other.test))
    assert found["transfers"][1].token_f == there.tokens.two_way().f1
    assert found["transfers"][1].span_f == there.spans.strict.micro().f1


def test_universality_is_tested_on_each_pair_and_each_way(found) -> None:
    pairs = [f.corpus for f in found["findings"] if f.hypothesis == verdicts.UNIVERSALITY]
    assert pairs == ["sample, other", "sample -> other", "other -> sample"]


def test_mega_against_multi_is_table_b8(found, corpus) -> None:
    models = MegaDeidentifier(PLUGINS), MultiDeidentifier(PLUGINS, 2, n_jobs=1)
    first, second = (
        evaluate(corpus.test, model.fit(corpus.train).predict(corpus.test)) for model in models
    )
    (finding,) = [
        f for f in found["findings"] if (f.hypothesis, f.corpus) == ("mega vs. multi", "sample")
    ]
    assert finding.tables[0].rows == z_table(first, second)


def test_cross_validation_scores_every_training_document_once(found, corpus) -> None:
    gold = evaluate(corpus.train, corpus.train).tokens.two_way().gold
    crossed = [f for f in found["findings"] if f.corpus in ("sample, Mega", "sample, Multi")]
    assert [f.tables[0].overall.n[1] for f in crossed] == [gold, gold]


def test_each_hypothesis_ends_in_a_sentence_with_its_z(found) -> None:
    assert {f.hypothesis for f in found["findings"]} == set(verdicts.STATEMENTS)
    for finding in found["findings"]:
        assert f"z = {finding.tables[0].overall.z:+.2f}" in finding.sentence
        assert finding.sentence in found.to_text()
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_hypotheses_that_cannot_be_tested_are_listed(corpus, setup) -> None:
    alone = hypotheses([corpus], replace(setup, systems=("dates",)))
    untested = {f.hypothesis: f.sentence for f in alone["findings"] if f.supported is None}
    assert list(untested) == [verdicts.HIGH_DIMENSIONALITY, verdicts.UNIVERSALITY]
    assert "two corpora" in untested[verdicts.UNIVERSALITY]
    assert "one system" in untested[verdicts.HIGH_DIMENSIONALITY]


def test_systems_that_find_nothing_have_a_z_of_zero(corpus, setup) -> None:
    only_phones = [
        tuple(d.with_spans([s for s in d.spans if s.label == "PHONE"]) for d in part)
        for part in (corpus.train, corpus.test)
    ]
    result = hypotheses([Corpus("phones", *only_phones)], setup)
    assert json.dumps(result.to_dict(), allow_nan=False)
    same = [f for f in result["findings"] if f.hypothesis != verdicts.OVER_FITTING]
    assert {row.z for f in same for t in f.tables for row in t.rows} == {0.0}
    assert any("predicts no PHI at all" in note for note in result.notes)
    assert any("there is one class" in note for note in result.notes)


def test_corpora_with_different_classes_are_compared_with_a_note(corpus, setup) -> None:
    renamed = [
        tuple(d.with_spans([s._replace(label=f"X-{s.label}") for s in d.spans]) for d in part)
        for part in (corpus.train, corpus.test)
    ]
    found = hypotheses([corpus, Corpus("renamed", *renamed)], replace(setup, systems=("dates",)))
    assert any("different classes" in note for note in found.notes)
    across = next(f for f in found["findings"] if f.corpus == "sample -> renamed")
    assert across.tables[0].overall.z == 0
    assert {row.f[1] for row in across.tables[0].rows if row.label.startswith("X-")} == {0.0}


def test_class_missing_in_one_part_is_noted(corpus, setup) -> None:
    train, test = (
        tuple(d.with_spans([s for s in d.spans if s.label != "ID"]) for d in part)
        for part in (corpus.train, corpus.test)
    )
    for odd, message in (
        (replace(corpus, test=test), r"no .*\bID\b.* in the test documents"),
        (replace(corpus, train=train), r"no .*\bID\b.* in the training documents"),
    ):
        found = hypotheses([odd], replace(setup, systems=("dates",)))
        assert any(re.search(message, note) for note in found.notes)
        assert json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("judge", "z", "supported"),
    [
        (lambda t: verdicts.high_dimensionality("c", [t]), 0.5, True),
        (lambda t: verdicts.high_dimensionality("c", [t]), -2.5, False),
        (lambda t: verdicts.universality("c", t), -1.0, True),
        (lambda t: verdicts.universality("c", t), -2.0, False),
        (lambda t: verdicts.equally_good("c", "d", t), 1.9, True),
        (lambda t: verdicts.equally_good("c", "d", t), -2.5, False),
        (lambda t: verdicts.over_fitting("c", "Mega", t), -5.0, True),
        (lambda t: verdicts.over_fitting("c", "Mega", t), 2.0, False),
        (lambda t: verdicts.mega_vs_multi("c", t), -2.0, True),
        (lambda t: verdicts.mega_vs_multi("c", t), 0.0, False),
        (lambda t: verdicts.mega_vs_multi("c", t), 9.2, False),
    ],
)
def test_verdict_goes_by_the_significance_of_any_phi(judge, z, supported) -> None:
    finding = judge(_table(z))
    assert finding.supported is supported
    assert finding.sentence.startswith(
        "The data support it" if supported else "The data do not support it"
    )


def test_verdict_names_classes_that_differ_and_the_better_system() -> None:
    worse = verdicts.universality("c", _table(0.0, DATE=-3.0, ID=3.0))
    assert worse.sentence.endswith("but not for DATE.")
    assert "Multi is significantly better" in verdicts.mega_vs_multi("c", _table(3.0)).sentence
    assert "may be chance" in verdicts.mega_vs_multi("c", _table(1.0)).sentence


def test_best_single_system_is_the_one_that_counts() -> None:
    weak = SignificanceTable("weak", "all", (ZRow("any PHI", (9, 9), (0.2, 0.9), 5.0),))
    strong = SignificanceTable("strong", "all", (ZRow("any PHI", (9, 9), (0.99, 0.9), -3.0),))
    finding = verdicts.high_dimensionality("c", [weak, strong])
    assert finding.supported is False
    assert [table.first for table in finding.tables] == ["strong", "weak"]


def test_classes_are_the_tables_a1_to_a15(found, corpus) -> None:
    rows = [row for row in found["classes"] if row.corpus == "sample"]
    assert list(dict.fromkeys(row.features for row in rows)) == [
        "SVM, dates", "SVM, titles", "Mega", "Mega on other", "Mega, 2-fold", "Multi"
    ]  # fmt: skip
    mega = MegaDeidentifier(PLUGINS).fit(corpus.train)
    scores = evaluate(corpus.test, mega.predict(corpus.test)).tokens.per_class()
    found_by_mega = {row.label: row.score for row in rows if row.features == "Mega"}
    assert found_by_mega["DATE"] == scores["DATE"]
    assert {"non-PHI", "any PHI"} <= found_by_mega.keys()
