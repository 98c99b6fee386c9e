"""Names of files that look like PHI are warned of, and those in archives become neutral."""

from __future__ import annotations

import warnings
from unicodedata import normalize

import pytest

from multideid.corpora.identifier_names import IdentifierWarning
from multideid.deid.file_names import looks_like_phi, warn_of_names
from multideid.deid.member_names import MemberNames
from multideid.deid.repeated_names import RepeatedFileNames
from multideid.document import Span


def neutral(*names: str) -> list[str]:
    archive = MemberNames()
    own = [archive.add(name) for name in names]
    new = archive.neutral()
    return [new[name] for name in own]


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
        ("ssn_123-45-6789.txt", True),
        ("617-555-1212.txt", True),
        ("14Mar2007.txt", True),
        ("14-March-07 note.txt", True),
        ("March 14, 2007.txt", True),
        ("2007Mar14", True),
        ("mrn12345.txt", True),
        ("MRN-445", True),
        ("patient_00123.txt", True),
        ("Dr Lee", True),
        ("Dr Quincella.txt", True),
        ("note by mrs.kowalczyk.txt", True),
        ("Johnson", True),
        ("note-0012.txt", False),
        ("patient12.txt", False),
        ("Mar2007.txt", False),
        ("may_2007", False),
        ("marker 12.txt", False),
        ("part12345.txt", False),
        ("dr_xray.txt", False),
        ("ms.docx", False),
        ("Johnson & Johnson", False),
        ("smith fracture.txt", False),
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
    assert neutral(
        "ward/a.txt",
        "SMITH_JOHN/SMITH_JOHN.txt",
        "SMITH_JOHN/b.pdf.txt",
        "x/4458812.7.txt",
        "file-2",
    ) == ["ward/a.txt", "folder-2/file-2.txt", "folder-2/b.pdf.txt", "x/file-4.txt", "file-2"]


def test_neutral_names_are_not_given_twice() -> None:
    assert len({*neutral("file-2.txt", "SMITH_JOHN.txt", "a.txt", "a.txt", "file-5.txt")}) == 5


REPEATING = {
    "ALDER.txt": True,
    "Alder_M.txt": True,
    "malder.txt": True,
    "delacruz.txt": True,
    "mc_adoo.txt": True,
    "\u5c71\u7530\u3055\u3093.txt": True,
    "aldermartha2.txt": True,
    "hill_note.docx": True,
    "mg-12-a.txt": True,
    "note_031407.txt": True,
    "acc B7 12345.txt": True,
    "boston_clinic.txt": True,
    "balderdash.txt": False,
    "note.txt": False,
    "uphill.txt": False,
    "note-0012.txt": False,
    "2007.txt": False,
    "discharge.pdf": False,
}


FOUND = {
    "Martha Alder": "PATIENT",
    "Note": "DOCTOR",
    "Ruth de la Cruz": "PATIENT",
    "K. McAdoo": "DOCTOR",
    "\u5c71\u7530": "PATIENT",
    "J. Hill": "DOCTOR",
    "MG-12-A": "ID",
    "12345": "ID",
    "3/14/2007": "DATE",
    "2007": "DATE",
    "Boston": "LOCATION",
}


@pytest.mark.parametrize("name", REPEATING)
def test_names_that_repeat_phi_of_any_file_become_neutral(name: str) -> None:
    names = MemberNames()
    own = [names.add(each) for each in (name, f"{name}/x", "c")]
    for value, label in FOUND.items():
        for each in own[:2]:
            names.add_phi(each, value, [Span(0, len(value), label)])
    new = names.neutral()
    assert [new[each] != each for each in own] == [REPEATING[name], REPEATING[name], False]


def test_dates_count_for_their_own_file_only() -> None:
    names = MemberNames()
    own, other = names.add("a/note_031407.txt"), names.add("b/note_031407.txt")
    names.add_phi(own, "3/14/2007", [Span(0, 9, "DATE")])
    assert names.neutral() == {own: "a/file-1.txt", other: other}


def test_files_whose_names_repeat_their_phi_are_counted_in_a_warning() -> None:
    text, files = "Ms. Alder, 12/2007", RepeatedFileNames()
    spans = (Span(4, 9, "PATIENT"), Span(11, 18, "DATE"))
    names = ["a/b.txt", "alder.txt", "x_alder/b.txt", "2007/12/c.txt", "ALDER_MARTHA.txt"]
    for name in names:
        files.check(name, text, spans)
    with pytest.warns(
        IdentifierWarning, match="names of 2 of 5 files repeat.* is file 2 in"
    ) as seen:
        files.warn(names)
    assert "alder" not in str(seen[0].message)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "name", ["Kova\u010devi\u0107_note.txt", "Kovacevic_note.txt", "KOVACEVIC.txt"]
)
def test_names_of_files_repeat_phi_with_other_accents(name: str, form) -> None:
    files, text = RepeatedFileNames(), "seen by Kova\u010devi\u0107"
    name = normalize(form, name)
    files.check(name, text, [Span(8, 17, "DOCTOR")])
    with pytest.warns(IdentifierWarning, match="names of 1 of 1 files repeat PHI"):
        files.warn([name])


def test_files_with_such_names_are_counted_in_a_warning_that_does_not_show_them() -> None:
    shown = "names of 2 of 3 files.*the first .* is file 2"
    with pytest.warns(IdentifierWarning, match=shown) as caught:
        warn_of_names(["note.txt", "a/SMITH_JOHN.txt", "4458812/note.txt"])
    assert "SMITH" not in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_names(["note.txt", "a/b.txt"])
