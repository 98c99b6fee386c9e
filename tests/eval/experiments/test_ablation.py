"""Parts alone and left out, and systems dropped one after another."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from template_notes import sample_corpus

from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import ablation
from multideid.eval.experiments.specs import TaggerSpec, restricted
from multideid.stacking import MegaDeidentifier, MultiDeidentifier, SingleDeidentifier, load_folder
from multideid.taggers.registry import make_system

PLUGINS = ("dates", "titles")


def _phi(corpus, model):
    return evaluate(corpus.test, model.fit(corpus.train).predict(corpus.test)).tokens.two_way()


def test_megas_rows_are_those_of_mega_with_these_features(corpus, setup) -> None:
    rows = ablation([corpus], setup, systems=["mega"])["rows"]
    assert [(row.change, row.part) for row in rows] == [
        ("all", ""), ("only", "dates"), ("only", "titles"), ("without", "dates"),
        ("without", "titles"),
    ]  # fmt: skip
    assert rows[0].phi == _phi(corpus, MegaDeidentifier(PLUGINS))
    assert rows[1].phi == _phi(corpus, MegaDeidentifier(PLUGINS, feature_classes=["dates"]))
    assert rows[4].phi == rows[1].phi
    assert rows[1].difference == rows[1].phi.f1 - rows[0].phi.f1


def test_multi_without_a_system_is_multi_of_the_others(corpus, setup) -> None:
    setup = replace(setup, systems=(*PLUGINS, "phones"))
    found = ablation([corpus], setup, systems=["multi"])
    without = {row.part: row.phi for row in found["rows"] if row.change == "without"}
    fewer = MultiDeidentifier(("dates", "phones"), 2, n_jobs=1)
    assert list(without) == [*setup.systems]
    assert without["titles"] == _phi(corpus, fewer)


def test_pruning_fits_no_system_again_and_does_not_look_at_the_test(corpus, setup, fitted) -> None:
    setup = replace(setup, systems=(*PLUGINS, "phones"))
    steps = ablation([corpus], setup, systems=["multi"])["pruning"]
    assert len(fitted) == 3 * (1 + setup.folds)
    assert [len(step.systems) for step in steps] == [3, 2, 1]
    assert {step.dropped for step in steps[1:]} < {*setup.systems}
    (chosen,) = [step for step in steps if step.is_chosen]
    assert chosen.out_of_fold == max(step.out_of_fold for step in steps)
    elsewhere = replace(corpus, test=tuple(sample_corpus(2, seed=77)))
    again = ablation([elsewhere], setup, systems=["multi"])["pruning"]
    assert [s.systems for s in again] == [s.systems for s in steps]


def test_base_system_has_a_row_alone_and_without_for_each_feature_class(corpus, setup) -> None:
    small = replace(corpus, train=corpus.train[:1], test=corpus.test[:1])
    found = ablation([small], setup, systems=["small"])
    classes = {t.group for t in make_system("small").templates()}
    for change in ("only", "without"):
        assert {row.part for row in found["rows"] if row.change == change} == classes
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert str(found.sources[0]) in found.to_text()


def test_whole_system_is_that_with_the_parameters(corpus, setup) -> None:
    params = {"min_count": 4}
    found = ablation([corpus], replace(setup, params={"small": params}), systems=["small"])
    assert found["rows"][0].phi == _phi(corpus, SingleDeidentifier("small", params))
    assert found.sources[0].signature.params == {"small": params}


def test_restricted_tagger_has_its_parameters_and_some_templates() -> None:
    tagger = restricted(make_system("stat-deid", c=0.7), ["length", "word"])
    assert {t.group for t in tagger.templates()} == {"length", "word"}
    assert (tagger.c, tagger.name) == (0.7, "stat-deid")
    assert {t.group for t in make_system("stat-deid").templates()} > {"length", "word"}


def test_choice_of_feature_classes_is_part_of_a_fits_key() -> None:
    tagger = make_system("stat-deid")
    whole, part = TaggerSpec(tagger), TaggerSpec(tagger, feature_classes=("word",))
    assert whole.key() != part.key()


def test_rules_have_no_feature_classes(corpus, setup) -> None:
    with pytest.raises(UsageError, match="mimic has no feature classes"):
        ablation([corpus], setup, systems=["mimic"])


def test_single_part_cannot_be_left_out_which_is_noted(corpus, setup) -> None:
    found = ablation([corpus], replace(setup, systems=("dates",)), systems=["mega", "multi"])
    assert [row.change for row in found["rows"]] == ["all", "all"]
    assert any("one part" in note for note in found.notes)


def test_mega_of_some_feature_classes_is_saved_and_loaded(corpus, tmp_path) -> None:
    mega = MegaDeidentifier(("dates", "small"), feature_classes=["word", "dates"])
    mega.fit(corpus.train[:1]).save(tmp_path / "model")
    again = load_folder(tmp_path / "model")
    assert {t.group for t in again.extractor_.templates} == {"word"}
    assert again.predict(corpus.test[:1]) == mega.predict(corpus.test[:1])


@pytest.mark.parametrize("classes", [["wrod"], []])
def test_mega_names_feature_classes_that_are_not_there(corpus, classes) -> None:
    with pytest.raises(UsageError, match="dates, titles"):
        MegaDeidentifier(PLUGINS, feature_classes=classes).fit(corpus.train)
