"""PhysioNet deid: NAME.text, NAME.phi and NAME-phi.phrase."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import CorpusError

TEXT = (
    "START_OF_RECORD=1||||1||||\nSeen by Lee\nin May.\n||||END_OF_RECORD\n\n"
    "START_OF_RECORD=12||||3||||\nNo PHI.\n\n||||END_OF_RECORD\n"
)


def _folder(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, content in files.items():
        (path / name.replace("__", "-").replace("_", ".")).write_bytes(content.encode())
    return path


def test_text_and_spans_are_read(tmp_path: Path) -> None:
    phi = "Patient 1\tNote 1\n8\t8\t11\n15 15 18\nPatient 12\tNote 3\n"
    corpus = _folder(tmp_path / "c", id_text=TEXT, id_phi=phi)
    expected = [
        Document("1-1", "Seen by Lee\nin May.", (Span(8, 11, "PHI"), Span(15, 18, "PHI"))),
        Document("12-3", "No PHI.\n"),
    ]
    assert read_corpus(corpus) == expected
    assert read_corpus(corpus / "id.text") == expected


def test_types_come_from_the_phrases(tmp_path: Path) -> None:
    corpus = _folder(
        tmp_path / "c",
        id_text=TEXT,
        id_deid="Patient 1\tNote 1\n0\t0\t4\n",
        id__phi_phrase="1 1 8 11 HCPName Lee\n1 1 15 18 Date May\n",
    )
    assert read_corpus(corpus)[0].spans == (Span(8, 11, "HCPName"), Span(15, 18, "Date"))


def test_the_gold_standard_is_preferred_to_an_output(tmp_path: Path) -> None:
    corpus = _folder(
        tmp_path / "c",
        id_text=TEXT,
        id_deid="Patient 1\tNote 1\n8\t8\t11\n",
        id_phi="Patient 1\tNote 1\n0\t0\t4\n",
    )
    assert read_corpus(corpus)[0].spans == (Span(8, 11, "PHI"),)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"id_text": TEXT[:-20]}, "id.text: line 6: a record"),
        ({"id_text": "Anna\n" + TEXT}, "id.text: line 1: a record"),
        ({"id_text": TEXT, "id_phi": "1 1 2\n"}, "id.phi: line 1: neither"),
        ({"id_text": TEXT, "id_phi": "Patient 1\tNote 1\nAnna\n"}, "id.phi: line 2: neither"),
        ({"id_text": TEXT, "id_phi": "Patient 9\tNote 1\n1 1 2\n"}, "has no record '9-1'"),
        ({"id_text": TEXT, "id_phi": "Patient 1\tNote 1\n1 1 99\n"}, "span 1-99 is outside"),
        ({"id_text": TEXT, "id__phi_phrase": "1 1 Anna\n"}, "id-phi.phrase: line 1: not a line"),
        ({"id_text": TEXT, "b_text": TEXT}, "contains 2 .text files; name one"),
        ({"id_text": "\n"}, "contains no documents"),
    ],
)
def test_a_malformed_corpus_gives_one_line(
    tmp_path: Path, files: dict[str, str], problem: str
) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(_folder(tmp_path / "c", **files), "physionet")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "Anna" not in str(caught.value)


def test_the_three_files_are_written_as_the_original_has_them(tmp_path: Path) -> None:
    documents = [Document("1-2", "Dr. Lee\nMay", (Span(4, 11, "X"),)), Document("a b", "")]
    write_corpus(documents, tmp_path / "c", "physionet")
    assert (tmp_path / "c" / "id.text").read_text() == (
        "START_OF_RECORD=1||||2||||\nDr. Lee\nMay\n||||END_OF_RECORD\n\n"
        "START_OF_RECORD=a%20b||||0||||\n\n||||END_OF_RECORD\n\n"
    )
    assert (tmp_path / "c" / "id.phi").read_text() == (
        "Patient 1\tNote 2\n4 4 11\nPatient a%20b\tNote 0\n"
    )
    assert (tmp_path / "c" / "id-phi.phrase").read_text() == "1 2 4 11 X Lee May\n"
    assert read_corpus(tmp_path / "c") == documents


@pytest.mark.parametrize("document_id", ["7", "a-0", "a-00", "-5", "p-1-2", "x|y%z/\n\u2003q"])
def test_any_id_comes_back(tmp_path: Path, document_id: str) -> None:
    gold = [Document(document_id, "Lee", (Span(0, 3, "X"),))]
    write_corpus(gold, tmp_path / "c", "physionet")
    assert read_corpus(tmp_path / "c") == gold


@pytest.mark.parametrize(
    "text", ["||||END_OF_RECORD", "Anna\n||||END_OF_RECORD\nx", "||||END_OF_RECORD \r\n"]
)
def test_a_text_that_would_end_its_record_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CorpusError, match="document 'd': its text contains the line that ends"):
        write_corpus([Document("d", text)], tmp_path / "c", "physionet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".phi", "-phi.phrase"])
def test_numbers_of_thousands_of_digits_are_refused_by_line(tmp_path: Path, ending: str) -> None:
    number = "9" * 5000
    (tmp_path / "id.text").write_text(TEXT)
    lines = {
        ".phi": f"Patient 1\tNote 1\n{number} 1 {number}\n",
        "-phi.phrase": f"1 1 8 {number} X",
    }
    (tmp_path / f"id{ending}").write_text(lines[ending])
    with pytest.raises(CorpusError, match=r"line \d"):
        read_corpus(tmp_path / "id.text", "physionet")
