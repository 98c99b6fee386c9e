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


def test_corpora_of_different_documents_are_refused_by_id(invoke, corpus, tmp_path) -> None:
    write_corpus(read_corpus(corpus)[1:], tmp_path / "fewer.jsonl", "jsonl")
    result = invoke("evaluate", corpus, tmp_path / "fewer.jsonl")
    assert result.exit_code == 2
    assert "'n0'" in result.stderr
    assert result.stdout == ""


def test_malformed_corpus_is_told_by_file_and_line(invoke, corpus, tmp_path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "a", "text": "Alder"}\n{"id": "b", "text": Alder\n')
    result = invoke("evaluate", corpus, broken)
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert "Alder" not in result.output
