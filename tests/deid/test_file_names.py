"""Names of files that look like PHI are warned of, and those in archives become neutral."""

from __future__ import annotations

import warnings

import pytest

from multideid.corpora.identifier_names import IdentifierWarning
from multideid.deid.file_names import NeutralNames, looks_like_phi, warn_of_names


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("SMITH_JOHN.txt", True),
        ("JohnSmith1961.txt", True),
        ("letter to Martha.docx", True),
        ("hernandez.txt", True),
        ("KOWALCZYK_JOHN.txt", True),
        ("MARY_KOWALCZYK.txt", True),
        ("patricia.txt", True),
        ("4458812.txt", True),
        ("mrn000441290_note.txt", True),
        ("2024-03-14.txt", True),
        ("note_14.03.2024.txt", True),
        ("3_14_07.txt", True),
        ("note-0012.txt", False),
        ("batch_000123.txt", False),
        ("discharge_summary_2.docx", False),
        ("notes_jan.txt", False),
        ("2024.txt", False),
        ("v1.2.3.txt", False),
        ("radiology report.pdf", False),
    ],
)
def test_names_dates_and_numbers_are_found(name: str, found: bool) -> None:
    assert looks_like_phi(name) is found


def test_files_in_archives_get_neutral_names_and_keep_layout_and_suffixes() -> None:
    neutral = NeutralNames()
    names = [
        "ward/a.txt",
        "SMITH_JOHN/SMITH_JOHN.txt",
        "SMITH_JOHN/b.pdf",
        "x/4458812.7.txt",
        "file-2",
    ]
    assert [neutral(name) for name in names] == [
        "ward/a.txt",
        "folder-2/file-2.txt",
        "folder-2/b.pdf",
        "x/file-4.txt",
        "file-2",
    ]
    assert neutral.changed == 3


def test_neutral_names_are_not_given_twice() -> None:
    neutral = NeutralNames()
    assert neutral("file-2.txt") != neutral("SMITH_JOHN.txt")


def test_files_with_such_names_are_counted_in_a_warning_that_does_not_show_them() -> None:
    shown = "names of 2 of 3 files.*the first .* is file 2"
    with pytest.warns(IdentifierWarning, match=shown) as caught:
        warn_of_names(["note.txt", "a/SMITH_JOHN.txt", "4458812/note.txt"])
    assert "SMITH" not in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_names(["note.txt", "a/b.txt"])
