"""JSON Lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import CorpusError


def _file(path: Path, *lines: str) -> Path:
    file = path / "c.jsonl"
    file.write_bytes("\n".join(lines).encode())
    return file


def test_documents_are_read(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        '\ufeff{"id": "a", "text": "Lee", "spans": [{"start": 0, "end": 3, "label": "D"}]}',
        "",
        '{"id": 7, "text": "", "meta": {"k": 1}}',
    )
    assert read_corpus(file) == [
        Document("a", "Lee", (Span(0, 3, "D"),)),
        Document("7", "", (), {"k": 1}),
    ]


def test_a_record_without_an_id_is_called_by_its_line(tmp_path: Path) -> None:
    assert [d.id for d in read_corpus(_file(tmp_path, '{"text": "a"}', '{"text": "b"}'))] == [
        *("1", "2")
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"text": "Anna"', "not valid JSON at column"),
        ('["Anna"]', "not a JSON object"),
        ('{"id": "Anna"}', "has no text"),
        ('{"text": 1}', "has no text"),
        ('{"text": "Anna", "id": ""}', "id is not"),
        ('{"text": "Anna", "id": true}', "id is not"),
        ('{"text": "Anna", "spans": {}}', "spans is not a list"),
        ('{"text": "Anna", "meta": "Anna"}', "meta is not an object"),
        ('{"text": "Anna", "spans": [[0, 4, "X"]]}', "span 1 is not an object"),
        ('{"text": "Anna", "spans": [{"start": 0.0, "end": 4, "label": "X"}]}', "span 1"),
        ('{"text": "Anna", "spans": [{"start": true, "end": 4, "label": "X"}]}', "span 1"),
        ('{"text": "Anna", "spans": [{"start": 0, "end": 4}]}', "span 1"),
        ('{"text": "Anna", "n": ' + "9" * 5000 + "}", "JSON with too long a number"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_a_malformed_line_is_named_without_its_text(
    tmp_path: Path, line: str, problem: str
) -> None:
    file = _file(tmp_path, '{"text": "fine"}', line)
    with pytest.raises(CorpusError, match=problem) as caught:
        read_corpus(file, "jsonl")
    assert str(caught.value).startswith(f"{file}: line 2: ")
    assert "Anna" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_span_outside_the_text_is_named(tmp_path: Path) -> None:
    file = _file(tmp_path, '{"text": "x", "spans": [{"start": 0, "end": 4, "label": "X"}]}')
    with pytest.raises(CorpusError, match="document '1': span 0-4 is outside"):
        read_corpus(file)


def test_a_byte_that_is_not_utf8_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    file.write_bytes(b'{"text": "a"}\n{"text": "\xf1"}\n')
    with pytest.raises(CorpusError, match="byte 24: not UTF-8"):
        read_corpus(file)


def test_a_line_separator_of_unicode_ends_no_line(tmp_path: Path) -> None:
    gold = [Document("a", "x\u2028y\x85z\r\n")]
    write_corpus(gold, tmp_path / "c", "jsonl")
    assert read_corpus(tmp_path / "c") == gold


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet", "brat", "plain", "physionet"])
def test_a_lone_surrogate_is_named_and_not_dropped(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="document 'd': the lone surrogate at offset 4"):
        write_corpus([Document("d", "Anna\ud800")], tmp_path / "out", name)
    assert list(tmp_path.iterdir()) == []
