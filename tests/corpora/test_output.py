"""Corpora are written atomically, never over an input, never outside the folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from multideid.corpora import (
    CorpusWarning,
    convert,
    format_names,
    iter_corpus,
    read_corpus,
    write_corpus,
)
from multideid.corpora.reports import Report
from multideid.document import Document, FailedDocument, Span
from multideid.errors import CorpusError, DocumentsFailedError


def _failing() -> Iterator[Document]:
    yield Document("a", "Anna")
    raise RuntimeError


@pytest.mark.parametrize("name", format_names())
def test_a_failure_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    with pytest.raises(RuntimeError):
        write_corpus(_failing(), tmp_path / "out", name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", format_names())
def test_a_failure_leaves_what_was_there_before(tmp_path: Path, name: str) -> None:
    write_corpus([Document("a", "before")], tmp_path / "out", name)
    with pytest.raises(RuntimeError):
        write_corpus(_failing(), tmp_path / "out", name, overwrite=True)
    assert [d.text for d in read_corpus(tmp_path / "out")] == ["before"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", format_names())
def test_what_exists_is_replaced_only_when_asked(tmp_path: Path, name: str) -> None:
    write_corpus([Document("a", "before")], tmp_path / "out", name)
    with pytest.raises(CorpusError, match="already exists"):
        write_corpus([Document("a", "after")], tmp_path / "out", name)
    write_corpus([Document("a", "after")], tmp_path / "out", name, overwrite=True)
    assert [d.text for d in read_corpus(tmp_path / "out")] == ["after"]


@pytest.mark.parametrize("place", ["corpus", "corpus/deeper", ".", "link"])
def test_an_input_is_never_written_over(tmp_path: Path, place: str) -> None:
    write_corpus([Document("a", "x")], tmp_path / "corpus", "brat")
    (tmp_path / "link").symlink_to(tmp_path / "corpus")
    with pytest.raises(CorpusError, match="is, contains or is inside the input"):
        convert(tmp_path / "corpus", tmp_path / place, "brat", overwrite=True)


@pytest.mark.parametrize("name", ["brat", "i2b2-2014", "plain"])
def test_ids_cannot_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    ids = ["../out", "/tmp/x", "a/../../b", "..", ".hidden", "nul\0", "a//b", "c/"]
    gold = [Document(i, "x") for i in ids]
    if name == "i2b2-2014":
        gold = [d for d in gold if "\0" not in d.id]
    write_corpus(gold, tmp_path / "deep" / "out", name)
    assert [p.name for p in tmp_path.iterdir()] == ["deep"]
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["out"]
    assert {d.id for d in read_corpus(tmp_path / "deep" / "out")} == {d.id for d in gold}


def test_an_id_that_is_too_long_for_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"x…': an id of more than 255 bytes") as caught:
        write_corpus([Document("x" * 999, "Anna")], tmp_path / "out", "plain")
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


def test_an_unwritable_place_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match="cannot be written: "):
        write_corpus([Document("a", "x")], tmp_path / "file" / "out", "jsonl")


@pytest.mark.parametrize("to", ["brat", "conll", "csv", "jsonl", "parquet", "spacy-json"])
def test_an_error_of_reading_the_documents_is_not_one_of_writing(tmp_path: Path, to: str) -> None:
    def documents() -> Iterator[Document]:
        yield Document("a", "x\n")
        (tmp_path / "nowhere").read_text()

    with pytest.raises(FileNotFoundError, match="nowhere"):
        write_corpus(documents(), tmp_path / "out", to)
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch) -> None:
    write_corpus([Document(name, "x") for name in "abc"], tmp_path / "in", "jsonl")

    written = (tmp_path / "in").read_bytes().splitlines(keepends=True)

    def lines() -> Iterator[bytes]:
        yield from written[:2]
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    documents = iter_corpus(tmp_path / "in", "jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda *_: nullcontext(lines()))
        next(documents)
    with pytest.raises(CorpusError, match="in: line 3: cannot be read: Input/output error"):
        write_corpus(documents, tmp_path / "out", "brat")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_an_empty_corpus_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no documents"):
        write_corpus([], tmp_path / "out", "jsonl")
    assert list(tmp_path.iterdir()) == []


def test_spans_that_plain_text_cannot_hold_are_reported(tmp_path: Path) -> None:
    with pytest.warns(CorpusWarning, match="1 spans not written"):
        write_corpus([Document("a", "x", (Span(0, 1, "D"),))], tmp_path / "out", "plain")


@pytest.mark.parametrize(
    ("to", "reported"), [("brat", [2]), ("conll", [2]), ("jsonl", []), ("spacy-json", [])]
)
def test_fields_that_a_new_format_does_not_keep_are_reported(
    tmp_path: Path, to: str, reported: list[int]
) -> None:
    fields = {"patient": "p1", "columns": {"ward": "A"}, "i2b2-2014": {"root": "r", "elements": {}}}
    write_corpus([Document("a", "x\n", (), fields), Document("b", "y\n")], tmp_path / "a", "jsonl")
    reports: list[Report] = []
    convert(tmp_path / "a", tmp_path / "b", to, on_report=reports.append)
    assert [r.count for r in reports if r.kind == "fields not written"] == reported


def test_one_warning_of_lost_fields_names_the_formats_that_keep_them(tmp_path: Path) -> None:
    documents = [Document(name, "x\n", (), {"patient": "Zanzibar"}) for name in "ab"]
    with pytest.warns(CorpusWarning) as warned:
        write_corpus(documents, tmp_path / "out", "brat")
    (message,) = [str(one.message) for one in warned]
    assert message.startswith(f"{tmp_path / 'out'}: fields of meta are not written: the format")
    assert message.endswith(
        "brat has no place for them; these have: csv, docbin, doccano, jsonl, label-studio, "
        "parquet, presidio-research, prodigy, spacy-json"
    )


def test_files_written_to_be_shared_are_as_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    (tmp_path / "usual folder").mkdir()
    write_corpus([Document("a", "x")], tmp_path / "out", "plain", private=False)
    write_corpus([Document("a", "x")], tmp_path / "file", "jsonl", private=False)
    modes = {p.name: p.stat().st_mode for p in tmp_path.iterdir()}
    assert modes["file"] == modes["usual"]
    assert modes["out"] == modes["usual folder"]


def test_written_files_are_private_unless_they_are_to_be_shared(tmp_path: Path) -> None:
    write_corpus([Document("a", "x")], tmp_path / "out", "plain")
    write_corpus([Document("a", "x")], tmp_path / "file", "jsonl")
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0
    assert (tmp_path / "out").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("failed", ["ward/bad", "folder", "/".join(["a" * 200] * 30)])
def test_an_id_without_older_output_discards_no_other_document(tmp_path: Path, failed: str) -> None:
    out = tmp_path / "out"
    (out / "folder.txt").mkdir(parents=True)
    (out / "folder.txt" / "kept").touch()
    (out / "ward").touch()
    write_corpus([Document("good", "x"), FailedDocument(failed, "")], out, "plain", overwrite=True)
    names = [path.relative_to(out).as_posix() for path in out.rglob("*")]
    assert sorted(names) == ["folder.txt", "folder.txt/kept", "good.txt", "ward"]


def test_an_id_too_long_for_a_path_does_not_keep_a_new_folder_from_being_made(
    tmp_path: Path,
) -> None:
    failed = FailedDocument("/".join(["a" * 200] * 30), "")
    assert write_corpus([Document("good", "x"), failed], tmp_path / "out", "plain") == 1
    assert read_corpus(tmp_path / "out") == [Document("good", "x")]


def test_files_of_several_documents_go_where_every_document_fails(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_corpus([Document("1-1", "x", (Span(0, 1, "ID"),))], out, "physionet")
    (out / "kept.md").touch()
    with pytest.raises(DocumentsFailedError):
        write_corpus([FailedDocument("1-1", "")], out, "physionet", overwrite=True)
    assert [path.name for path in out.iterdir()] == ["kept.md"]
