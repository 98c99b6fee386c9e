"""brat standoff: .txt and .ann files."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora import Report, read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import CorpusError


def _folder(path: Path, text: str, annotations: str) -> Path:
    path.mkdir()
    (path / "n.txt").write_bytes(text.encode())
    (path / "n.ann").write_bytes(annotations.encode())
    return path


def test_only_text_bound_annotations_are_spans(tmp_path: Path) -> None:
    lines = "T2\tDATE 12 16\t2020\nR1\tof Arg1:T1 Arg2:T2\n#1\tNote T1\thm\nT1\tID 0 3\tA 1\n\n"
    (document,) = read_corpus(_folder(tmp_path / "c", "A\n1 seen in 2020", lines))
    assert document == Document("n", "A\n1 seen in 2020", (Span(0, 3, "ID"), Span(12, 16, "DATE")))


def test_fragments_of_a_discontinuous_span_become_spans(tmp_path: Path) -> None:
    reports: list[Report] = []
    corpus = _folder(
        tmp_path / "c", "May to June of\n2020", "T1\tDATE 0 3;7 14;15 19\tMay June of 2020\n"
    )
    (document,) = read_corpus(corpus, on_report=reports.append)
    assert document.spans == (Span(0, 3, "DATE"), Span(7, 19, "DATE"))
    assert reports == [Report("n", "discontinuous", 1)]


def test_carriage_returns_count(tmp_path: Path) -> None:
    corpus = _folder(tmp_path / "c", "a\r\nb\rc", "T1\tX 3 4\tb\r\nT2\tX 5 6\tc\r\n")
    (document,) = read_corpus(corpus)
    assert [document.span_text(s) for s in document.spans] == ["b", "c"]


def test_a_byte_order_mark_is_text_in_txt_and_none_in_ann(tmp_path: Path) -> None:
    (document,) = read_corpus(_folder(tmp_path / "c", "\ufeffab", "\ufeffT1\tX 1 2\ta\n"))
    assert document == Document("n", "\ufeffab", (Span(1, 2, "X"),))


def test_an_empty_third_column_is_not_compared(tmp_path: Path) -> None:
    (document,) = read_corpus(_folder(tmp_path / "c", "abc", "T1\tX 0 2\t\nT2\tX 2 3\n"))
    assert len(document.spans) == 2


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("T1 DATE 0 4 Anna", "not an annotation"),
        ("T1\tDATE 0 x\tAnna", "not an annotation"),
        ("T1\tDATE -1 4\tAnna", "not an annotation"),
        ("T1", "not an annotation"),
        ("T1\tDATE 4 4\t", "span 4-4 is empty or outside"),
        ("T1\tDATE 0 9\tAnna", "span 0-9 is empty or outside the text of 4"),
        ("T1\tDATE 0 4\tOtto", "third column"),
    ],
)
def test_a_malformed_line_is_named_without_its_text(
    tmp_path: Path, line: str, problem: str
) -> None:
    corpus = _folder(tmp_path / "c", "Anna", f"T0\tX 0 1\tA\n{line}\n")
    with pytest.raises(CorpusError, match=problem) as caught:
        read_corpus(corpus)
    assert str(caught.value).startswith(f"{corpus / 'n.ann'}: line 2: ")
    assert "\n" not in str(caught.value)
    assert "Anna" not in str(caught.value)
    assert "Otto" not in str(caught.value)


@pytest.mark.parametrize("missing", ["n.txt", "n.ann"])
def test_a_missing_half_is_named(tmp_path: Path, missing: str) -> None:
    corpus = _folder(tmp_path / "c", "Anna", "")
    (corpus / missing).unlink()
    with pytest.raises(CorpusError, match=r"has no \.(txt|ann) file"):
        read_corpus(corpus, "brat")


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    corpus = _folder(tmp_path / "c", "x", "")
    (corpus / "n.txt").write_bytes(b"Se\xc3\xb1or Pe\xf1a")
    with pytest.raises(CorpusError) as caught:
        read_corpus(corpus)
    assert str(caught.value) == f"{corpus / 'n.txt'}: byte 9: not UTF-8; convert the file to UTF-8"


@pytest.mark.parametrize("label", ["A B", "A\tB"])
def test_a_label_that_brat_cannot_hold_is_refused(tmp_path: Path, label: str) -> None:
    with pytest.raises(CorpusError, match="document 'n': brat labels"):
        write_corpus([Document("n", "x", (Span(0, 1, label),))], tmp_path / "c", "brat")
    assert not (tmp_path / "c").exists()


def test_sub_folders_stay(tmp_path: Path) -> None:
    write_corpus([Document("w/1", "x"), Document("w/2", "y")], tmp_path / "c", "brat")
    assert sorted(p.name for p in (tmp_path / "c" / "w").iterdir()) == [
        *("1.ann", "1.txt", "2.ann", "2.txt")
    ]
    assert [d.id for d in read_corpus(tmp_path / "c")] == ["w/1", "w/2"]


def test_the_third_column_holds_the_text_on_one_line(tmp_path: Path) -> None:
    write_corpus([Document("n", "a\r\nb", (Span(0, 4, "X"),))], tmp_path / "c", "brat")
    assert (tmp_path / "c" / "n.ann").read_bytes() == b"T1\tX 0 4\ta  b\n"


def test_two_texts_for_one_annotation_file_are_refused(tmp_path: Path) -> None:
    corpus = _folder(tmp_path / "c", "Anna", "")
    (corpus / "n.TXT").write_text("Anna")
    with pytest.raises(CorpusError, match=r"has no \.ann file"):
        read_corpus(corpus)


def test_numbers_of_thousands_of_digits_are_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Seen by Lee.")
    (tmp_path / "a.ann").write_text(f"T1\tNAME 8 {'9' * 5000}\tLee\n")
    with pytest.raises(CorpusError, match=r"a\.ann: line 1: not an annotation"):
        read_corpus(tmp_path, "brat")
