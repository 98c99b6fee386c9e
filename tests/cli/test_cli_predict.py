"""``multideid predict`` and ``multideid compare``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.corpora import detect_format, read_corpus, write_corpus
from multideid.document import Document
from multideid.stacking import (
    MegaDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    deidentifier,
)


def test_predictions_keep_the_format_and_the_texts(invoke, corpus, model, tmp_path) -> None:
    result = invoke("predict", model, corpus, "--out", tmp_path / "p")
    assert result.exit_code == 0
    assert detect_format(tmp_path / "p") == "brat"
    assert read_corpus(tmp_path / "p") == read_corpus(corpus)


def test_spans_that_were_there_are_replaced(invoke, model, tmp_path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    write_corpus([Document("a", "Ann, B-1234", ((0, 3, "NAME"),))], source, "jsonl")
    figures = json.loads(invoke("predict", model, source, "--out", out, "--json").stdout)
    assert read_corpus(out)[0].spans == ((5, 11, "ID"),)
    assert figures["spans"] == {"ID": 1}


def test_plain_text_comes_out_in_a_format_that_holds_spans(invoke, model, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("B-1234")
    assert invoke("predict", model, tmp_path / "in", "--out", tmp_path / "out").exit_code == 0
    assert detect_format(tmp_path / "out") == "brat"


def test_other_format_can_be_asked_for(invoke, corpus, model, tmp_path) -> None:
    out = tmp_path / "out.xml"
    assert invoke("predict", model, corpus, "--out", out, "--to", "i2b2-2006").exit_code == 0
    assert detect_format(out) == "i2b2-2006"


def test_document_that_fails_is_named_and_the_others_are_written(invoke, model, tmp_path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    texts = {"good": "B-1234", "bad": "UNBEARABLE Zanzibar", "fine": "B-4321"}
    write_corpus([Document(i, text) for i, text in texts.items()], source, "jsonl")
    result = invoke("predict", model, source, "--out", out, "--json")
    assert result.exit_code == 1
    assert [d.id for d in read_corpus(out)] == ["good", "fine"]
    assert "failed: bad:" in result.stderr
    assert [f["name"] for f in json.loads(result.stdout)["failed"]] == ["bad"]
    assert "Zanzibar" not in result.output


def test_nothing_is_written_where_every_document_fails(invoke, model, tmp_path) -> None:
    source = tmp_path / "in.jsonl"
    write_corpus([Document("bad", "UNBEARABLE Zanzibar")], source, "jsonl")
    result = invoke("predict", model, source, "--out", tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
    assert "Zanzibar" not in result.output


@pytest.mark.parametrize("to", ["brat", "i2b2-2014", "uima-json", "webanno-tsv", "jsonl"])
def test_a_document_that_fails_now_keeps_no_older_output(invoke, model, tmp_path, to) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    _write_texts(source, {"good": "B-1234", "ward/bad": "B-4321"})
    assert invoke("predict", model, source, "--out", out, "--to", to).exit_code == 0
    _write_texts(source, {"good": "B-1234", "ward/bad": "UNBEARABLE B-4321"})
    assert invoke("predict", model, source, "--out", out, "--to", to, "--overwrite").exit_code == 1
    assert [d.id for d in read_corpus(out)] == ["good"]


@pytest.mark.parametrize(
    ("to", "left"), [("brat", ["kept.md"]), ("physionet", ["kept.md"]), ("jsonl", [])]
)
def test_no_older_output_stays_where_every_document_fails_now(
    invoke, model, tmp_path, to, left
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    _write_texts(source, {"a": "B-1234", "b": "B-4321"})
    assert invoke("predict", model, source, "--out", out, "--to", to).exit_code == 0
    if out.is_dir():
        (out / "kept.md").touch()
    _write_texts(source, {"a": "UNBEARABLE", "b": "UNBEARABLE"})
    again = ("predict", model, source, "--out", out, "--to", to)
    assert invoke(*again).exit_code == 2
    assert len(read_corpus(out)) == 2
    assert invoke(*again, "--overwrite").exit_code == 1
    assert [path.name for path in out.rglob("*")] == left
    assert out.is_file() is False


def _write_texts(path: Path, texts: dict[str, str]) -> None:
    write_corpus([Document(i, text) for i, text in texts.items()], path, "jsonl", overwrite=True)


def test_input_is_not_written_over(invoke, corpus, model) -> None:
    result = invoke("predict", model, corpus, "--out", corpus, "--overwrite")
    assert result.exit_code == 2
    assert "input" in result.stderr


def test_folder_that_is_no_model_is_refused(invoke, corpus, tmp_path) -> None:
    result = invoke("predict", corpus, corpus, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "is not a multideid model" in result.stderr


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_predictions_of_several_processes_stay_in_order(
    invoke, model, tmp_path, monkeypatch, jobs
) -> None:
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 300)
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    corpus = [Document(f"d{n}", f"{n} B-{1000 + n}") for n in range(20)]
    write_corpus(corpus, source, "jsonl")
    result = invoke("predict", model, source, "--out", out, "--jobs", jobs, "--json")
    assert [d.id for d in read_corpus(out)] == [d.id for d in corpus]
    assert json.loads(result.stdout)["tokens"] == 40


@pytest.fixture(scope="module")
def compared(invoke, corpus, tmp_path_factory):
    """Return figures of a comparison, and the folder with its predictions."""
    kept = tmp_path_factory.mktemp("kept") / "predictions"
    command = ("compare", "--train", corpus, "--test", corpus, "--systems", "mimic,badge")
    options = ("--folds", 2, "--jobs", 1, "--save-predictions", kept, "--json")
    result = invoke(*command, *options)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout), kept


def test_comparison_has_every_system_and_every_ensemble(compared) -> None:
    figures, _ = compared
    assert list(figures["systems"]) == ["mimic", "badge", "vote", "mega", "multi"]
    assert (figures["reference"], figures["candidate"]) == ("mega", "multi")
    assert figures["systems"]["badge"]["spans"]["strict"]["micro"]["f"] == 1.0
    assert figures["signature"]["folds"] == 2


def test_kept_predictions_score_as_the_comparison_says(invoke, corpus, compared) -> None:
    figures, kept = compared
    for name, of_comparison in figures["systems"].items():
        scored = json.loads(invoke("evaluate", corpus, kept / f"{name}.jsonl", "--json").stdout)
        assert scored["spans"] == of_comparison["spans"]


def test_place_of_kept_predictions_is_checked_first(invoke, corpus, tmp_path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "mine").touch()
    command = ("compare", "--train", tmp_path / "nowhere", "--test", corpus)
    options = ("--systems", "badge", "--save-predictions")
    taken = invoke(*command, *options, tmp_path / "kept")
    inside = invoke(*command, *options, corpus / "kept")
    assert (taken.exit_code, inside.exit_code) == (2, 2)
    assert "is not empty" in taken.stderr
    assert "input" in inside.stderr


def test_scores_are_written_where_they_are_asked_for(invoke, corpus, tmp_path) -> None:
    model, out = tmp_path / "multi", tmp_path / "out.jsonl"
    options = ("--mode", "multi", "--systems", "badge", "--folds", 2, "--jobs", 1)
    assert invoke("train", corpus, *options, "--out", model).exit_code == 0
    for asked in ((), ("--scores",)):
        command = ("predict", model, corpus, "--to", "jsonl", "--out", out, "--overwrite")
        assert invoke(*command, *asked).exit_code == 0
        records = [json.loads(line) for line in out.read_text().splitlines()]
        spans = [span for record in records for span in record["spans"]]
        assert len(spans) == 12
        assert ["score" in span for span in spans] == [bool(asked)] * 12
        assert not any("votes" in record.get("meta", {}) for record in records)
    shown = invoke("evaluate", corpus, out).stdout
    assert "Scores of spans. Expected calibration error" in shown


@pytest.mark.parametrize("option", ["--scores", "--min-score=0.5"])
@pytest.mark.parametrize("kind", ["single", "vote", "mega"])
def test_scores_of_a_model_that_has_none_are_refused(
    invoke, corpus, tmp_path, kind, option
) -> None:
    kinds = {
        "single": SingleDeidentifier("badge"),
        "vote": VoteDeidentifier(["badge"], n_jobs=1),
        "mega": MegaDeidentifier(["badge"]),
    }
    kinds[kind].fit(read_corpus(corpus)).save(tmp_path / "model")
    out = tmp_path / "out.jsonl"
    ran = invoke("predict", tmp_path / "model", corpus, "--to", "jsonl", "--out", out, option)
    assert (ran.exit_code, ran.stdout, out.exists()) == (2, "", False)
    assert f"is for multi models, whose spans have scores; the model is of kind '{kind}'" in (
        ran.stderr
    )
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("options", [(), ("--to", "i2b2-2014")])
def test_scores_in_a_format_without_scores_are_refused(
    invoke, corpus, model, tmp_path, options
) -> None:
    ran = invoke("predict", model, corpus, "--out", tmp_path / "out", "--scores", *options)
    assert (ran.exit_code, ran.stdout, list(tmp_path.iterdir())) == (2, "", [])
    target = options[1] if options else "brat"
    told = f"the format {target} has no scores of spans; choose another by --to: csv, jsonl, parq"
    assert told in ran.stderr
