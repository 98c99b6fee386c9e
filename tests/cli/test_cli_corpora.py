"""The commands about corpora: formats, sample-corpus, convert; and systems."""

from __future__ import annotations

import json

from multideid.corpora import describe_formats, read_corpus
from multideid.samples import sample_corpus


def test_a_mistake_that_the_xml_parser_comes_upon_is_named(invoke, tmp_path) -> None:
    tag = '<ID id="P0" start="0" end="99" text="B-1234" TYPE="IDNUM" comment=""/>'
    note = f"<deIdi2b2><TEXT><![CDATA[B-1234]]></TEXT><TAGS>{tag}</TAGS></deIdi2b2>"
    (tmp_path / "a.xml").write_text(note)
    result = invoke("convert", tmp_path / "a.xml", tmp_path / "b.jsonl", "--to", "jsonl")
    assert result.exit_code == 2
    assert "a.xml: " in result.stderr


def test_formats_lists_every_format(invoke) -> None:
    summaries = describe_formats()
    assert json.loads(invoke("formats", "--json").output) == summaries
    assert all(name in invoke("formats").output for name in summaries)


def test_systems_lists_built_in_ones_and_plug_ins(invoke) -> None:
    infos = {info["name"]: info for info in json.loads(invoke("systems", "--json").output)}
    assert {"badge", "lbj", "mimic", "mist", "stanford", "stat-deid"} <= infos.keys()
    assert infos["badge"]["usable"]


def test_systems_prints_a_line_for_each_system(invoke) -> None:
    lines = invoke("systems").output.splitlines()
    (line,) = [line for line in lines if line.startswith("badge ")]
    assert "yes" in line
    assert "Badge numbers such as B-1234." in line


def test_sample_corpus_is_written_with_its_gold_spans(invoke, tmp_path) -> None:
    out = tmp_path / "sample"
    figures = json.loads(invoke("sample-corpus", out, "-n", 3, "--seed", 5, "--json").output)
    written = read_corpus(out)
    assert {d.id: d.spans for d in written} == {d.id: d.spans for d in sample_corpus(3, seed=5)}
    assert figures["documents"] == 3
    assert sum(figures["spans"].values()) == sum(len(d.spans) for d in written)


def test_sample_corpus_is_written_in_the_format_asked_for(invoke, tmp_path) -> None:
    out = tmp_path / "sample.jsonl"
    assert invoke("sample-corpus", out, "-n", 2, "--to", "jsonl").exit_code == 0
    assert len(out.read_text().splitlines()) == 2


def test_a_sample_corpus_has_the_format_of_its_suffix(invoke, tmp_path) -> None:
    for name, kind in (("a.jsonl", "jsonl"), ("b.tsv", "csv"), ("c", "brat")):
        result = invoke("sample-corpus", tmp_path / name, "-n", 1, "--json")
        assert json.loads(result.output)["format"] == kind
    assert (tmp_path / "a.jsonl").is_file()


def test_existing_output_stays_unless_overwriting_is_asked_for(invoke, tmp_path) -> None:
    out = tmp_path / "sample.jsonl"
    out.write_text("mine")
    command = ("sample-corpus", out, "-n", 1, "--to", "jsonl")
    refused = invoke(*command)
    assert (refused.exit_code, out.read_text()) == (2, "mine")
    assert "already exists" in refused.stderr
    assert invoke(*command, "--overwrite").exit_code == 0


def test_convert_keeps_texts_and_spans(invoke, corpus, tmp_path) -> None:
    out = tmp_path / "notes.xml"
    assert invoke("convert", corpus, out, "--to", "i2b2-2006").exit_code == 0
    assert read_corpus(out) == read_corpus(corpus)


def test_convert_reads_tables_with_columns_of_other_names(invoke, tmp_path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("key,note\n7,hello\n")
    columns = ("--text-column", "note", "--id-column", "key")
    result = invoke("convert", table, tmp_path / "out.jsonl", "--to", "jsonl", *columns)
    assert result.exit_code == 0
    (document,) = read_corpus(tmp_path / "out.jsonl")
    assert (document.id, document.text) == ("7", "hello")


def test_convert_to_a_format_without_spans_warns_in_one_line(invoke, corpus, tmp_path) -> None:
    result = invoke("convert", corpus, tmp_path / "plain", "--to", "plain")
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: ")
    assert len(result.stderr.splitlines()) == 1


def test_convert_names_the_formats_there_are(invoke, corpus, tmp_path) -> None:
    result = invoke("convert", corpus, tmp_path / "out", "--to", "doc")
    assert result.exit_code == 2
    assert "brat" in result.stderr
    assert not (tmp_path / "out").exists()
