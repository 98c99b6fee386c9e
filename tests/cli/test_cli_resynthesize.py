"""``multideid resynthesize`` writes a corpus with new PHI and prints its distribution."""

from __future__ import annotations

import json

import pytest

from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.resynthesis import STYLES


@pytest.mark.parametrize("style", STYLES)
def test_a_corpus_is_written_in_every_style(invoke, corpus, tmp_path, style: str) -> None:
    out = tmp_path / "new"
    result = invoke("resynthesize", corpus, "--style", style, "--seed", 1, "--out", out, "--json")
    figures = json.loads(result.stdout)
    old, new = read_corpus(corpus), read_corpus(out, "brat")
    assert [len(d.spans) for d in new] == [len(d.spans) for d in old]
    assert all(a.text != b.text for a, b in zip(old, new, strict=True))
    assert (figures["format"], figures["style"], figures["spans"]) == ("brat", style, {"ID": 12})
    assert figures["words"]["after"]["ID"]["words"] == 12


def test_tables_are_printed(invoke, corpus, tmp_path) -> None:
    output = invoke("resynthesize", corpus, "--seed", 1, "--out", tmp_path / "new").output
    assert all(f"(Table {n})" in output for n in (1, 6, 10))


def test_a_seed_repeats_the_run(invoke, corpus, tmp_path) -> None:
    texts = []
    for name in ("one", "two"):
        out = tmp_path / name
        invoke("resynthesize", corpus, "--seed", 1, "--to", "jsonl", "--out", out)
        texts.append(out.read_text())
    assert texts[0] == texts[1]


def test_missing_seed_and_key_are_reported(invoke, corpus, tmp_path) -> None:
    result = invoke("resynthesize", corpus, "--out", tmp_path / "new")
    assert "neither seed nor key" in result.stderr


def test_fields_that_stay_are_named_without_their_values(invoke, tmp_path) -> None:
    meta = {"ward": "Zqxjk", "i2b2-2014": {"root": "r"}, "columns": {"bed": "Zqxjk"}}
    note = Document("1", "Dr. Lee", (Span(4, 7, "DOCTOR"),), meta)
    write_corpus([note], tmp_path / "a.jsonl", "jsonl")
    result = invoke("resynthesize", tmp_path / "a.jsonl", "--seed", 1, "--out", tmp_path / "new")
    assert "these fields of the documents stay as they are: ward, bed\n" in result.stderr
    assert "Zqxjk" not in result.output


@pytest.fixture
def plain(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "n.txt").write_text("Seen by Dr. [REMOVED] with zeta [REMOVED] zeta.\n")
    return folder


def test_placeholders_are_filled_and_reported(invoke, plain, tmp_path) -> None:
    command = ("resynthesize", plain, "--placeholders", "--seed", 1, "--out", tmp_path / "new")
    figures = json.loads(invoke(*command, "--json").stdout)
    assert figures["placeholders"]["by_label"] == {"DOCTOR": {"context": 1}}
    assert figures["placeholders"]["left"] == 1
    assert (figures["format"], figures["spans"]) == ("brat", {"DOCTOR": 1})
    (document,) = read_corpus(tmp_path / "new")
    assert document.text.endswith(" with zeta [REMOVED] zeta.\n")
    assert "1 placeholder left" in invoke(*command, "--overwrite").output


def test_a_model_is_asked_for_types(invoke, corpus, model, plain, tmp_path) -> None:
    command = ("resynthesize", plain, "--placeholders", "--model", model, "--seed", 1)
    result = invoke(*command, "--out", tmp_path / "new")
    # It knows badges alone, and these placeholders are none.
    assert result.exit_code == 2
    assert "no span of PHI" in result.stderr


def test_corpus_without_spans_is_refused_with_a_remedy(invoke, plain, tmp_path) -> None:
    result = invoke("resynthesize", plain, "--seed", 1, "--out", tmp_path / "new")
    assert result.exit_code == 2
    assert "--placeholders" in result.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--model", "m"), "--placeholders"),
        (("--seed", 1, "--key-file", "k"), "not both"),
        (("--style", "sloppy"), "shuffled"),
    ],
)
def test_options_that_make_no_sense_are_refused(invoke, corpus, tmp_path, options, problem) -> None:
    result = invoke("resynthesize", corpus, "--out", tmp_path / "new", *options)
    assert result.exit_code == 2
    assert problem in result.stderr
