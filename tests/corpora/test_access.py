"""The public functions: reading, streaming, reports and detection."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from multideid.corpora import (
    CorpusWarning,
    Report,
    detect_format,
    format_names,
    iter_corpus,
    read_corpus,
    write_corpus,
)
from multideid.document import Document
from multideid.errors import CorpusError, UsageError

OVERLAP = '[{"start": 0, "end": 4, "label": "X"}, {"start": 2, "end": 3, "label": "Y"}]'


def _jsonl(path: Path, *ids: str, spans: str = "[]") -> Path:
    file = path / "c.jsonl"
    file.write_text("".join(f'{{"id": "{i}", "text": "Anna", "spans": {spans}}}\n' for i in ids))
    return file


def test_irregularities_are_counted_in_one_warning_without_text(tmp_path: Path) -> None:
    file = _jsonl(tmp_path, "a", "b", spans=OVERLAP)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_corpus(file)
    (warning,) = caught
    assert warning.category is CorpusWarning
    assert "2 overlapping spans" in str(warning.message)
    assert "(2 documents, the first 'a')" in str(warning.message)
    assert "Anna" not in str(warning.message)


def test_reports_go_to_a_callable_and_then_nothing_is_warned_of(tmp_path: Path) -> None:
    reports: list[Report] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_corpus(_jsonl(tmp_path, "a", "b", spans=OVERLAP), on_report=reports.append)
    assert [str(r).split(":")[0] for r in reports] == ["document 'a'", "document 'b'"]


def test_a_repeated_id_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="document 'a': this id occurs twice"):
        read_corpus(_jsonl(tmp_path, "a", "b", "a"))


def test_documents_stream(tmp_path: Path) -> None:
    documents = iter_corpus(_jsonl(tmp_path, "a", "b", "a"))
    assert [next(documents).id, next(documents).id] == ["a", "b"]


def test_an_unknown_format_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=", ".join(format_names())):
        read_corpus(tmp_path, "brut")


@pytest.mark.parametrize("name", [None, *format_names()])
def test_a_path_that_does_not_exist_is_named(tmp_path: Path, name: str | None) -> None:
    with pytest.raises(CorpusError, match=r"nowhere.*: there is no such file or folder"):
        read_corpus(tmp_path / "nowhere", name)


@pytest.mark.parametrize("name", ["brat", "i2b2-2006", "i2b2-2014", "plain"])
def test_an_empty_folder_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="contains no documents"):
        read_corpus(tmp_path, name)


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet"])
def test_a_folder_where_a_file_is_needed_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="is a folder"):
        read_corpus(tmp_path, name)


def test_a_folder_without_a_known_format_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no file of a known format"):
        detect_format(tmp_path)


def test_a_folder_of_several_formats_is_not_guessed(tmp_path: Path) -> None:
    write_corpus([Document("a", "x")], tmp_path / "c", "plain")
    write_corpus([Document("a", "x")], tmp_path / "c" / "b.xml", "i2b2-2006")
    with pytest.raises(CorpusError, match="i2b2-2006 and plain; name the format"):
        detect_format(tmp_path / "c")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a", '\ufeff<?xml version="1.0"?>\n<!-- <TEXT> -->\n<ROOT><RECORD ID="1">', "i2b2-2006"),
        ("a.xml", "<ROOT>\n<DOCUMENT ID = '1'>\n<TEXT>", "i2b2-2006"),
        ("a.xml", "<MEDDOCAN>\n<TEXT><![CDATA[<RECORD ID=", "i2b2-2014"),
        ("a.dat", 'id,"text",spans\n', "csv"),
        ("a.csv", "key,note\n", "csv"),
        ("a", '{"text": "x"}', "jsonl"),
        ("a", "START_OF_RECORD=1||||1||||\n", "physionet"),
        ("a.txt", "text, and more\n", "plain"),
        ("a.txt", "<5 mg", "plain"),
        ("A.TXT", "", "plain"),
    ],
)
def test_a_file_is_known_by_its_content(
    tmp_path: Path, name: str, content: str, expected: str
) -> None:
    (tmp_path / name).write_bytes(content.encode())
    assert detect_format(tmp_path / name) == expected


def test_a_file_that_nothing_fits_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_bytes(b"\xd0\xcf\x11\xe0Anna")
    with pytest.raises(CorpusError, match="its format is not recognised; name the format"):
        detect_format(tmp_path / "a.doc")


def test_a_file_without_content_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    with pytest.raises(CorpusError, match=r"a\.jsonl: is empty$"):
        detect_format(tmp_path / "a.jsonl")


def test_plain_text_ids_are_relative_paths_and_hidden_files_are_left(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    for name in ("w/1.txt", "2.TXT", ".3.txt"):
        (tmp_path / name).write_bytes(b"a\r\nb")
    assert read_corpus(tmp_path) == [Document("2", "a\r\nb"), Document("w/1", "a\r\nb")]
    assert read_corpus(tmp_path / "w" / "1.txt") == [Document("1", "a\r\nb")]
