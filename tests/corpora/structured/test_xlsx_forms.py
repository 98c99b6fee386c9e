"""Forms in worksheets: the value to the right of a label is of the class that it names."""

from __future__ import annotations

from datetime import date

import openpyxl
import pytest

from multideid.corpora.structured.xlsx_headings import headed_cells

Rows = list[list[object]]

FORM: Rows = [["Patient name", "Young"], ["Age", 97], ["MRN", 8812], ["Visits", 3]]
KNOWN = [("Young", "PATIENT"), (97, "AGE"), (8812, "MEDICALRECORD")]
TABLE: Rows = [["Last name", "MRN", "Visits"], ["Day", 4712, 2], ["Hill", 4713, 3]]
OF_TABLE = [
    ("Day", "PATIENT"),
    (4712, "MEDICALRECORD"),
    ("Hill", "PATIENT"),
    (4713, "MEDICALRECORD"),
]


def known(rows: Rows) -> list[tuple[object, str]]:
    """Return the values that headings or labels say are PHI, with their classes."""
    sheet = openpyxl.Workbook().active
    for row in rows:
        sheet.append(row)
    cells = ((cell.value, heading.label) for cell, heading in headed_cells(sheet))
    return [(value, label) for value, label in cells if value is not None and label]


def side_by_side(left: Rows, right: Rows, gap: int) -> Rows:
    """Return rows that are beside others of two columns, with empty columns between."""
    pairs = zip(left, right, strict=True)
    return [[*row, *[None] * (2 - len(row) + gap), *other] for row, other in pairs]


@pytest.mark.parametrize(
    "rows",
    [
        FORM,
        [["Registration"], *FORM],
        [["Registration"], [], *FORM],
        [FORM[-1], *FORM[:-1]],
        [["Ward", "7 West"], *FORM],
        [row for line in FORM for row in (line, [])],
        [[f"{label}:", value] for label, value in FORM],
        [[label, None, value] for label, value in FORM],
        [[None, *row] for row in FORM],
        [*FORM, ["Hospital", None], ["Phone"]],
    ],
)
def test_values_are_of_the_class_of_the_label_to_the_left(rows: Rows) -> None:
    assert known(rows) == KNOWN


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ([["MRN", 8812]], [8812]),
        ([["Form"], ["MRN", "8812"], ["Ward", "7"]], ["8812"]),
        ([["Date of birth", date(1931, 3, 4)], ["Ward", 7]], [date(1931, 3, 4)]),
        ([["Patient name", "Young"], ["Doctor", "Lee"]], ["Young", "Lee"]),
        ([["First name", "Jo"], ["Last name", "Young"]], ["Jo", "Young"]),
        ([["Patient name:", "Young"], ["Ward:", 7], ["Note", "well"]], ["Young"]),
        ([["City", "Kansas City"], ["Hospital", "Mercy Hospital"]], None),
        ([["Street", "12 Elm St"], ["Zip", "01850"], ["Phone", "555-0142"]], None),
        ([["Name", "Alder"], ["MRN", "4712"], ["Ward", "7"]], ["Alder", "4712"]),
        ([["Patient name", "Young", "MRN", 8812, "Age", 97]], ["Young", 8812, 97]),
    ],
)
def test_forms_of_few_lines_are_known(rows: Rows, values: list[object] | None) -> None:
    wanted = [row[1] for row in rows] if values is None else values
    assert [value for value, _ in known(rows)] == wanted


@pytest.mark.parametrize("gap", [0, 1, 2])
def test_forms_may_be_side_by_side(gap: int) -> None:
    right: Rows = [["Ward", 7], ["Doctor", "Lee"], ["Bed", 4], ["Phone", "555-0142"]]
    values = [value for value, _ in known(side_by_side(FORM, right, gap))]
    assert values == ["Young", 97, "Lee", 8812, "555-0142"]


@pytest.mark.parametrize("gap", [0, 1])
def test_labels_beside_a_form_without_other_identifiers_stay(gap: int) -> None:
    right: Rows = [["Ward", "West"], ["Bed", 4], ["Diet", "none"], ["Room", 12]]
    assert known(side_by_side(FORM, right, gap)) == KNOWN


@pytest.mark.parametrize("gap", [[], [[]], [[], ["Visits of the ward"], []]])
def test_a_table_may_be_below_a_form(gap: Rows) -> None:
    assert known([*FORM, *gap, *TABLE]) == [*KNOWN, *OF_TABLE]


def test_a_form_may_be_below_a_table() -> None:
    assert known([*TABLE, [], *FORM]) == [*OF_TABLE, *KNOWN]


def test_a_form_may_be_beside_a_table() -> None:
    rows = [[*row, None, *line] for row, line in zip(FORM, [*TABLE, []], strict=True)]
    assert sorted(map(str, known(rows))) == sorted(map(str, [*KNOWN, *OF_TABLE]))


def test_a_form_may_have_a_column_for_each_patient() -> None:
    rows: Rows = [["Patient name", "Young", "Day"], ["MRN", 8812, 8813], ["Visits", 3, 4]]
    assert [value for value, _ in known(rows)] == ["Young", "Day", 8812, 8813]


def test_remarks_beside_the_values_of_a_form_are_none() -> None:
    rows: Rows = [["Patient name", "Young", "by mail"], ["MRN", 8812, "old"], ["Ward", 7, "x"]]
    assert [value for value, _ in known(rows)] == ["Young", 8812]


@pytest.mark.parametrize(
    "rows",
    [
        [["Patient name"], ["Age"], ["MRN"], ["Visits"]],
        [["Patient name", None], ["Date of birth", None], ["MRN", None]],
        [["Field", "Type"], ["Patient name", "text"], ["MRN", "integer"], ["Age", "integer"]],
    ],
)
def test_names_of_identifiers_one_below_the_other_are_no_values(rows: Rows) -> None:
    assert known(rows) == []


@pytest.mark.parametrize(
    "rows",
    [
        [["MRN", "Visits"], [4712, 2], [4713, 3]],
        [["MRN", 2019, 2020], [4712, 2, 5], [4713, 3, 6]],
        [["MRN", "Visit 1"], ["A-4712", 2], ["A-4713", 3]],
        [["City", "Zip"], ["Mobile", 36602], ["Lowell", 1850]],
        [["Last name", "Note", "MRN"], ["Street", "well", 4712], ["Day", "well", 4713]],
        [["Hospital", "Beds"], ["Mercy Hospital", 120], ["Hill Clinic", 80]],
        [["Hospital", "Kind"], ["Mercy Hospital", "public"], ["Hill Clinic", "private"]],
        [["Patient name", "Visits"], ["Young", 2], ["Day", 3]],
        [["Patient name", "Ward"], ["Young", "West"], ["Day", "East"]],
    ],
)
def test_tables_are_no_forms(rows: Rows) -> None:
    found = [value for value, _ in known(rows)]
    assert [row[0] for row in rows[1:]] == [v for v in found if v in {row[0] for row in rows}]
    assert not set(rows[0]) & set(found)
