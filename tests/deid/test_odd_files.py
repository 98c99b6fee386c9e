"""A file that cannot be processed is reported without its text, and the others are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

import multideid
from multideid import DeidOptions
from multideid.corpora.structure import ReadingOptions
from multideid.corpora.structured import reading
from multideid.deid.files import plan_files
from multideid.deid.restore import read_records, restore_files
from multideid.document import Document
from multideid.redact import Key
from multideid.stacking import SingleDeidentifier


@pytest.fixture
def options() -> DeidOptions:
    notes = [Document("n", "Seen by Lee", ((8, 11, "DOCTOR"),))]
    return DeidOptions(model=SingleDeidentifier("majority").fit(notes), n_jobs=1)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Seen by Lee.")
    return folder


def test_fhir_with_a_key_twice_is_refused(notes: Path, options: DeidOptions) -> None:
    name = "Martha Alder"
    (notes / "b.json").write_text(
        f'{{"resourceType":"Patient","contact":{{"{name}":"x"}},"contact":{{}}}}'
    )
    result = multideid.deidentify_folder(notes, notes.parent / "out", options)
    (failure,) = result.failures
    assert "has a key twice" in failure.problem
    assert name not in str(failure)
    assert [path.name for path in (notes.parent / "out").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("name", ["b.txt", "b.csv", "b.json", "b.jsonl"])
@pytest.mark.parametrize(
    "case",
    [
        ("windows-1252", "utf-8", "is UTF-8, not cp1252: read it with --encoding utf-8"),
        ("cp500", "ascii", "is UTF-8, not cp500: read it with --encoding utf-8"),
        ("utf-16", "ascii", "is not utf-16-le: name another encoding"),
        ("utf-16", "utf-16-be", "is not utf-16-le: name another encoding"),
    ],
)
def test_text_in_another_encoding_than_the_one_named_is_refused(
    tmp_path: Path, options: DeidOptions, name: str, case: tuple[str, str, str]
) -> None:
    encoding, own, problem = case
    line = '{"text": "Seen by Muñoz."}' if name.startswith("b.json") else "text\nSeen by Muñoz."
    text = f"{line}\n" * (1 if name == "b.json" else 2)
    data = (text.replace("ñ", "n") if own == "ascii" else text).encode(own)
    (tmp_path / "in").mkdir()
    # UTF-16 has an even number of bytes.
    (tmp_path / "in" / name).write_bytes(data + b" " * (len(data) % 2))
    result = multideid.deidentify_folder(
        tmp_path / "in", tmp_path / "out", replace(options, encoding=encoding), column="text"
    )
    assert [problem in failure.problem for failure in result.failures] == [True]
    assert not list((tmp_path / "out").glob("*"))


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        (
            "b.xml",
            '<?xml version="1.0" encoding="ISO-8859-1"?><a>Seen by Muñoz</a>',
            "is UTF-8, but declares iso8859-1: correct its declaration",
        ),
        (
            "b.hl7",
            f"MSH|^~\\&|{'|' * 15}8859/1\rPID|||||Muñoz^Ana\r",
            "is UTF-8, not iso-8859-1: read it with --encoding utf-8",
        ),
    ],
)
def test_a_file_that_declares_another_encoding_than_its_own_is_refused(
    notes: Path, options: DeidOptions, name: str, data: str, problem: str
) -> None:
    (notes / name).write_bytes(data.encode())
    result = multideid.deidentify_folder(notes, notes.parent / "out", options)
    assert [failure.problem for failure in result.failures] == [problem]
    assert [path.name for path in (notes.parent / "out").iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    "encoding", ["windows-1252", "cp500", "utf-16", "utf-16-be", "gbk", "utf-8"]
)
def test_text_in_the_encoding_that_is_named_is_read(
    notes: Path, options: DeidOptions, encoding: str
) -> None:
    (notes / "a.txt").write_bytes("Seen by Lee. Café".encode(encoding))
    (notes / "empty.txt").write_bytes(b"")
    result = multideid.deidentify_folder(
        notes, notes.parent / "out", replace(options, encoding=encoding)
    )
    assert not result.failures
    written = (notes.parent / "out" / "a.txt").read_bytes().decode(encoding)
    assert written.startswith("Seen by [DOCTOR].")


def test_an_infinite_number_in_excel_stays(notes: Path, options: DeidOptions) -> None:
    book = openpyxl.Workbook()
    book.active.append(["MRN", "value"])
    book.active.append([4471, float("inf")])
    book.save(notes / "b.xlsx")
    result = multideid.deidentify_folder(notes, notes.parent / "out", options)
    assert not result.failures
    assert {path.name for path in (notes.parent / "out").iterdir()} == {"a.txt", "b.xlsx"}


@pytest.mark.parametrize("is_read", [False, True])
def test_a_reader_that_fails_costs_its_file_alone(
    notes: Path, options: DeidOptions, is_read: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = reading.read_records

    def failing(content, *args) -> Iterator:  # type: ignore[no-untyped-def,type-arg]
        records = list(read(content, *args))
        if content.name.endswith("b.txt"):
            yield from records[: int(is_read)]
            raise KeyError("Martha Alder")
        yield from records

    monkeypatch.setattr(reading, "read_records", failing)
    (notes / "b.txt").write_text("Seen by Lee.")
    result = multideid.deidentify_folder(notes, notes.parent / "out", options)
    (failure,) = result.failures
    assert failure.problem == "failed with KeyError"
    assert [path.name for path in (notes.parent / "out").iterdir()] == ["a.txt"]


def test_a_record_whose_bytes_cannot_be_made_costs_its_file_alone(
    notes: Path, options: DeidOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    from multideid.deid.record_text import RecordText

    render = RecordText.rendered

    def failing(fields: RecordText, *args: object) -> bytes:
        if "Lee B" in fields.text:
            raise ValueError("Lee B")
        return render(fields, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(RecordText, "rendered", failing)
    (notes / "b.txt").write_text("Seen by Lee B.")
    result = multideid.deidentify_folder(notes, notes.parent / "out", options)
    (failure,) = result.failures
    assert failure.problem == "failed with ValueError"
    assert [path.name for path in (notes.parent / "out").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("ids", ["1 1", "1 1 1_(2)", "1 1_(2) 1", "1_(2) 1 1 1_(2)"])
def test_records_of_one_id_are_documents_of_their_own(
    notes: Path, options: DeidOptions, ids: str
) -> None:
    names = [name.replace("_", " ") for name in ids.split()]
    records = [f'{{"id":"{name}","text":"Seen by Lee {n}."}}' for n, name in enumerate(names)]
    (notes / "b.jsonl").write_text("\n".join(records) + "\n")
    key = Key(b"0123456789abcdef")
    vault, out = notes.parent / "vault", notes.parent / "out"
    chosen = replace(options, json_id="id", key=key, vault=vault)
    result = multideid.deidentify_folder(notes, out, chosen)
    assert (result.documents, result.failures) == (1 + len(names), ())
    assert "Lee" not in (out / "b.jsonl").read_text()
    again = plan_files([out], notes.parent / "again", tables=False, overwrite=False)
    restore_files(again, read_records(vault, key), reading=ReadingOptions(json_id="id"))
    assert (notes.parent / "again" / "b.jsonl").read_text().splitlines() == records


def test_a_file_with_the_name_of_a_record_fails_alone(notes: Path, options: DeidOptions) -> None:
    (notes / "b.jsonl").write_text('{"id":"7.txt","text":"Seen by Lee."}\n')
    (notes / "b.jsonl id 7.txt").write_text("Lee left.")
    vault, out = notes.parent / "vault", notes.parent / "out"
    chosen = replace(options, json_id="id", key=Key(b"0123456789abcdef"), vault=vault)
    result = multideid.deidentify_folder(notes, out, chosen)
    (failure,) = result.failures
    assert "has another document of this name" in failure.problem
    assert [path.name for path in sorted(out.iterdir())] == ["a.txt", "b.jsonl"]
