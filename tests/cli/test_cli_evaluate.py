"""``multideid evaluate``."""

from __future__ import annotations

import json

from multideid.corpora import read_corpus, write_corpus


def test_corpora_of_different_formats_are_scored(invoke, corpus, half_right) -> None:
    figures = json.loads(invoke("evaluate", corpus, half_right, "--json").output)
    assert figures["spans"]["strict"]["micro"]["recall"] == 0.5
    assert figures["spans"]["strict"]["micro"]["precision"] == 1.0


def test_table_shows_both_views_and_the_signature(invoke, corpus, half_right) -> None:
    shown = invoke("evaluate", corpus, half_right).output
    assert "Spans, strict" in shown
    assert "Tokens (multideid)" in shown
    assert "6 documents" in shown


def test_tokenization_and_beta_are_passed_on(invoke, corpus, half_right) -> None:
    options = ("--tokenization", "whitespace", "--beta", "2")
    shown = invoke("evaluate", corpus, half_right, *options).output
    assert "Tokens (whitespace)" in shown
    assert "F2" in shown


def test_two_systems_are_tested_against_each_other(invoke, corpus, half_right, tmp_path) -> None:
    theirs, report = tmp_path / "theirs.jsonl", tmp_path / "page.html"
    write_corpus(read_corpus(corpus), theirs, "jsonl")
    command = ("evaluate", corpus, half_right, "--against", theirs)
    result = invoke(*command, "--report", report)
    ours = half_right.stem
    assert f"Spans, strict F1, {ours} against each other system" in result.stdout
    assert f"Tokens, theirs and {ours} (z positive: {ours} is better" in result.stdout
    assert "theirs" in report.read_text(encoding="utf-8")
    figures = json.loads(invoke(*command, "--json").stdout)
    assert list(figures["systems"]) == [ours, "theirs"]
    assert figures["span_f_differences"]["theirs"]["estimate"] < 0
    assert figures["misaligned_spans"] == 0


def test_the_format_of_predictions_is_that_of_both(invoke, corpus, tmp_path) -> None:
    for name in ("ours.data", "theirs.data"):
        write_corpus(read_corpus(corpus), tmp_path / name, "jsonl")
    options = ("--against", tmp_path / "theirs.data", "--pred-format", "jsonl", "--json")
    result = invoke("evaluate", corpus, tmp_path / "ours.data", *options)
    assert result.exit_code == 0, result.output
    assert list(json.loads(result.stdout)["systems"]) == ["ours", "theirs"]


def test_corpora_of_different_documents_are_refused_by_id(invoke, corpus, tmp_path) -> None:
    write_corpus(read_corpus(corpus)[1:], tmp_path / "fewer.jsonl", "jsonl")
    result = invoke("evaluate", corpus, tmp_path / "fewer.jsonl")
    assert result.exit_code == 2
    assert "'n0'" in result.stderr
    assert result.stdout == ""


def test_malformed_corpus_is_reported_by_file_and_line(invoke, corpus, tmp_path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "a", "text": "Alder"}\n{"id": "b", "text": Alder\n')
    result = invoke("evaluate", corpus, broken)
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert "Alder" not in result.output


NOTE = (
    "1 of 3 gold spans do not begin and end with a token, so that no system can predict them "
    "exactly: document 'n7' 7-10"
)


def test_gold_spans_off_token_boundaries_are_reported(invoke, misaligned) -> None:
    result = invoke("evaluate", misaligned, misaligned, "--json")
    assert json.loads(result.stdout)["misaligned_spans"] == 1
    assert f"note: {misaligned}: {NOTE}\n" in result.stderr
    assert "Zanzibar" not in result.output


def test_training_reports_gold_spans_off_token_boundaries(invoke, misaligned, tmp_path) -> None:
    result = invoke("train", misaligned, "--mode", "badge", "--out", tmp_path / "m", "--json")
    assert json.loads(result.stdout)["misaligned_spans"] == 1
    assert NOTE in result.stderr


def test_comparison_reports_gold_spans_off_token_boundaries(invoke, corpus, misaligned) -> None:
    pair = ("--train", corpus, "--test", misaligned)
    options = ("--systems", "badge", "--folds", 2, "--jobs", 1, "--json")
    result = invoke("compare", *pair, *options)
    assert json.loads(result.stdout)["misaligned_spans"] == {"train": 0, "test": 1}
    assert NOTE in result.stderr


def test_nothing_is_reported_of_spans_on_token_boundaries(invoke, corpus, half_right) -> None:
    result = invoke("evaluate", corpus, half_right, "--json")
    assert json.loads(result.stdout)["misaligned_spans"] == 0
    assert result.stderr == ""
