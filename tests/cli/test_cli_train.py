"""``multideid train``: modes, options and output."""

from __future__ import annotations

import json

import pytest

from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document
from multideid.stacking import load_folder


def test_ensemble_is_trained_and_its_trust_is_shown(invoke, corpus, tmp_path) -> None:
    options = ("--mode", "multi", "--systems", "mimic,badge", "--folds", 2, "--jobs", 1)
    result = invoke("train", corpus, *options, "--recall", 0.9, "--out", tmp_path / "m")
    assert result.exit_code == 0, result.output
    assert "multi of mimic, badge trained on 6 documents" in result.stdout
    header = result.stdout.splitlines()[-2]
    assert header.split() == ["mimic", "badge"]


def test_options_reach_the_model(invoke, corpus, tmp_path) -> None:
    options = ("--systems", "badge", "--folds", 3, "--recall", 0.9, "--seed", 4, "--jobs", 1)
    figures = json.loads(invoke("train", corpus, *options, "--out", tmp_path, "--json").stdout)
    model = load_folder(tmp_path)
    assert (model.folds, model.recall, model.seed) == (3, 0.9, 4)
    assert (figures["folds"], figures["recall"], figures["seed"]) == (3, 0.9, 4)
    assert figures["trust"] == {"ID": {"badge": 1.0}}
    assert (figures["documents"], figures["spans"]) == (6, {"ID": 12})


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("--mode", "mega", "--systems", "mimic,badge"), "mega"),
        (("--mode", "vote", "--systems", "mimic,badge", "--rule", "any", "--jobs", 1), "vote"),
        (("--mode", "badge"), "single"),
    ],
)
def test_every_mode_makes_a_model_of_its_kind(invoke, corpus, tmp_path, options, kind) -> None:
    result = invoke("train", corpus, *options, "--out", tmp_path / "m")
    assert result.exit_code == 0, result.output
    assert load_folder(tmp_path / "m").kind == kind


def test_parameters_reach_one_system(invoke, corpus, tmp_path) -> None:
    options = ("--mode", "stat-deid", "--param", "c=1", "--param", "min_count=1", "--json")
    result = invoke("train", corpus, *options, "--out", tmp_path / "m")
    assert json.loads(result.stdout)["params"] == {"stat-deid": {"c": 1, "min_count": 1}}
    tagger = load_folder(tmp_path / "m").taggers_["stat-deid"]
    assert tagger.get_params() | {"c": 1, "min_count": 1} == tagger.get_params()


@pytest.mark.parametrize(
    ("mode", "taken"),
    [
        (("--mode", "multi", "--folds", 2, "--jobs", 1), "systems"),
        (("--mode", "mega"), "systems"),
        (("--mode", "vote", "--jobs", 1), "systems"),
        (("--mode", "stat-deid"), "params"),
    ],
)
def test_parameters_with_the_system_before_them_serve_in_every_mode(
    invoke, corpus, tmp_path, mode, taken
) -> None:
    of = () if taken == "params" else ("--systems", "stat-deid,badge")
    params = ("--param", "stat-deid.c=1", "--param", "stat-deid.min_count=1", "--json")
    result = invoke("train", corpus, *mode, *of, *params, "--out", tmp_path / "m")
    wanted = {"c": 1, "min_count": 1}
    assert json.loads(result.stdout)["params"] == {"stat-deid": wanted}
    kept = load_folder(tmp_path / "m").get_params()[taken]
    assert kept == (wanted if taken == "params" else {"stat-deid": wanted, "badge": {}})


def test_documents_of_a_group_share_a_fold(invoke, corpus, tmp_path) -> None:
    wards = [Document(d.id, d.text, d.spans, {"ward": "A"}) for d in read_corpus(corpus)]
    write_corpus(wards, tmp_path / "one.jsonl", "jsonl")
    last = Document(wards[-1].id, wards[-1].text, wards[-1].spans, {"ward": "B"})
    write_corpus([*wards[:-1], last], tmp_path / "two.jsonl", "jsonl")
    options = ("--systems", "badge", "--folds", 2, "--jobs", 1, "--groups", "ward", "--json")
    refused = invoke("train", tmp_path / "one.jsonl", *options, "--out", tmp_path / "m")
    assert "needs at least 2 groups; there are 1" in refused.stderr
    done = invoke("train", tmp_path / "two.jsonl", *options, "--out", tmp_path / "m")
    assert json.loads(done.stdout)["groups"] == "ward"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--mode", "most"), "multi, mega, vote, or one of the systems badge"),
        (("--systems", "badge,bagde"), "did you mean 'badge'"),
        (("--systems", "badge,badge"), "badge"),
        (("--systems", ","), "at least one"),
        (("--mode", "badge", "--systems", "mimic"), "--systems is for --mode multi"),
        (("--mode", "mega", "--recall", 0.9), "--recall is for --mode multi"),
        (("--mode", "mega", "--param", "c=1"), "such as stat-deid.mesh=true, where there are"),
        (("--mode", "mega", "--param", "mist.learning_rate"), "--param must be SYSTEM.NAME=VALUE"),
        (
            ("--systems", "badge", "--param", "mist.learning_rate=1"),
            "system 'mist' is not used; used are",
        ),
        (
            ("--param", "mist.learning_rate=1", "--param", "mist.learning_rate=2"),
            "learning_rate of system 'mist' twice",
        ),
        (
            ("--param", "mist.learning_rate=fast"),
            "system 'mist': learning_rate must be a number; got 'fast'",
        ),
        (
            ("--param", "mist.learning_rate=0"),
            "system 'mist': learning_rate must be above 0; got 0",
        ),
        (("--mode", "stat-deid", "--param", "c"), "--param must be NAME=VALUE"),
        (("--mode", "stat-deid", "--param", "d=1"), "has no parameter 'd'"),
        (("--mode", "mist", "--param", "rate=1"), "'rate'; it is now 'learning_rate'"),
        (("--mode", "stat-deid", "--param", "mesh=yes"), "mesh must be true or false; got"),
        (("--mode", "vote", "--seed", 1), "--seed is for --mode multi or mega"),
        (("--mode", "mega", "--no-augmentation"), "--augmentation is for --mode multi"),
        (("--features", "paper", "--augmentation"), "the plain stacker, which has no"),
        (("--mode", "multi", "--rule", "any"), "--rule is for --mode vote"),
        (("--mode", "vote", "--groups", "ward"), "--groups is for --mode multi or mega"),
        (("--systems", "badge", "--groups", "ward"), "document 'n0' has no 'ward' in meta"),
        (("--mode", "vote", "--systems", "badge", "--rule", "few"), "two-of-three"),
        (("--systems", "badge", "--recall", 1.5), "recall"),
        (("--systems", "badge", "--folds", 60), "fold"),
        (("--format", "doc"), "brat"),
    ],
)
def test_wrong_use_is_reported_and_writes_nothing(
    invoke, corpus, tmp_path, options, problem
) -> None:
    out = tmp_path / "m"
    result = invoke("train", corpus, *options, "--jobs", 1, "--out", out)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not out.exists()


def test_existing_output_is_reported_before_the_corpus_is_read(invoke, tmp_path) -> None:
    (tmp_path / "m").write_text("mine")
    result = invoke("train", tmp_path / "nowhere", "--mode", "badge", "--out", tmp_path / "m")
    assert result.exit_code == 2
    assert "m exists" in result.stderr


def test_model_is_replaced_only_if_asked(invoke, corpus, tmp_path) -> None:
    command = ("train", corpus, "--mode", "badge", "--out", tmp_path / "m")
    assert [invoke(*command).exit_code for _ in range(2)] == [0, 2]
    assert invoke(*command, "--overwrite").exit_code == 0


def test_progress_is_drawn_where_asked_for_and_else_not_in_pipes(invoke, corpus, tmp_path) -> None:
    command = ("train", corpus, "--systems", "badge", "--folds", 2, "--jobs", 1, "--overwrite")
    quiet = invoke(*command, "--out", tmp_path / "m")
    shown = invoke(*command, "--out", tmp_path / "m", "--progress")
    assert quiet.stderr == ""
    assert shown.exit_code == 0
    assert shown.stderr != ""


@pytest.mark.parametrize("mode", [("--mode", "badge"), ("--systems", "mimic,badge", "--folds", 2)])
def test_document_on_which_a_system_fails_is_named_and_not_quoted(
    invoke, corpus, tmp_path, mode
) -> None:
    documents = [*read_corpus(corpus), Document("bad", "UNBEARABLE Zanzibar B-1234")]
    write_corpus(documents, tmp_path / "in.jsonl", "jsonl")
    command = ("train", tmp_path / "in.jsonl", *mode, "--jobs", 1)
    result = invoke(*command, "--out", tmp_path / "m")
    assert result.exit_code == 2
    assert "document 'bad'" in result.stderr
    assert "Zanzibar" not in result.output
    assert not (tmp_path / "m").exists()


def test_classes_that_pass_through_are_named_and_can_be_switched_off(
    invoke, corpus, tmp_path
) -> None:
    options = ("--mode", "vote", "--rule", "any", "--systems", "mimic,badge", "--jobs", 1)
    result = invoke("train", corpus, *options, "--out", tmp_path / "m")
    assert "found by rules and kept: EMAIL (mimic), URL (mimic); --no-pass" in result.stdout
    off = invoke(
        "train", corpus, *options, "--no-pass-through", "--out", tmp_path / "off", "--json"
    )
    assert json.loads(off.stdout)["passing_labels"] == {}
    (tmp_path / "note.txt").write_text("B-1234 writes to b@ward.org\n")
    for number, (model, *choice) in enumerate(
        [("m",), ("off", "--pass-through"), ("off",), ("m", "--no-pass-through")]
    ):
        out = tmp_path / f"clean{number}"
        arguments = ("--model", tmp_path / model, *choice, "--out", out, "--jobs", 1)
        invoke("deid", tmp_path / "note.txt", *arguments)
        mail = "[EMAIL]" if number < 2 else "b@ward.org"
        assert (out / "note.txt").read_text() == f"[ID] writes to {mail}\n"


@pytest.mark.parametrize(
    ("choice", "augmentation"),
    [((), True), (("--augmentation",), True), (("--no-augmentation",), False)],
)
def test_the_stacker_is_trained_without_augmentation_if_asked(
    invoke, corpus, tmp_path, choice, augmentation
) -> None:
    options = ("--systems", "mimic,badge", "--folds", 2, "--jobs", 1, *choice)
    result = invoke("train", corpus, *options, "--out", tmp_path / "m", "--json")
    assert load_folder(tmp_path / "m").augmentation is augmentation
    assert json.loads(result.stdout).get("augmentation", True) is augmentation


def test_features_paper_is_the_setting_of_the_thesis(invoke, corpus, tmp_path) -> None:
    options = ("--systems", "mist,badge", "--folds", 2, "--jobs", 1, "--features", "paper")
    result = invoke("train", corpus, *options, "--out", tmp_path / "m", "--json")
    assert json.loads(result.stdout)["features"] == "paper"
    model = load_folder(tmp_path / "m")
    assert model.taggers_["mist"].features == "paper"
    assert model.stacker_.decisions_only
    settings = (model.document_context, model.augmentation, model.pass_through)
    assert settings == (False, False, False)


def test_features_paper_without_a_system_that_has_the_choice_is_refused(
    invoke, corpus, tmp_path
) -> None:
    options = ("--mode", "badge", "--features", "paper", "--out", tmp_path / "m")
    result = invoke("train", corpus, *options)
    assert result.exit_code == 2
    assert "badge has no such choice" in " ".join(result.output.split())
