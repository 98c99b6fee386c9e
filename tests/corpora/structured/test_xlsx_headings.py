"""Columns of worksheets are known by their headings, in whatever row these are."""

from __future__ import annotations

from datetime import date

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from multideid.corpora.structured.xlsx_headings import headed_cells

Rows = list[list[object]]

TABLE: Rows = [["Last name", "MRN", "Visits"], ["Short", 4712, 2], ["Day", 4713, 3]]
KNOWN = [("Short", "PATIENT"), (4712, "MEDICALRECORD"), ("Day", "PATIENT"), (4713, "MEDICALRECORD")]


def known(rows: Rows) -> list[tuple[object, str]]:
    """Return the values below headings that name identifiers, with their classes."""
    sheet = openpyxl.Workbook().active
    for row in rows:
        sheet.append(row)
    cells = ((cell.value, heading.label) for cell, heading in headed_cells(sheet))
    return [(value, label) for value, label in cells if value is not None and label]


@pytest.mark.parametrize(
    "title",
    [
        [],
        [["Report of ward 7"]],
        [["Report", "Ward 7", "March"]],
        [["Report", "Ward 7", date(2007, 3, 14)], [], ["Made by", "Lee"]],
        [[None, None, "Report"], []],
    ],
)
def test_headings_may_be_below_a_title(title: Rows) -> None:
    assert known([*title, *TABLE]) == KNOWN


@pytest.mark.parametrize("heading", ["MRN", "Patient ID", "Date of birth", "Phone"])
def test_a_single_name_of_an_identifier_is_a_heading_below_a_title(heading: str) -> None:
    rows: Rows = [["Report"], [heading, "Visits", 2019, "=1+1"], [4712, 2], ["4713", 3]]
    assert [value for value, _ in known(rows)] == [4712, "4713"]


def test_headings_in_several_styles_are_headings() -> None:
    heading = CellRichText("Last ", TextBlock(InlineFont(b=True), "name"))
    assert known([["Report"], [heading, "Visits"], ["Day", 3]]) == [("Day", "PATIENT")]


@pytest.mark.parametrize("gap", [[], [[]], [[], ["Other patients"], []]])
def test_a_table_below_another_has_headings_of_its_own(gap: Rows) -> None:
    second: Rows = [["City", "Phone", "Last name"], ["Lowell", "555-0142", "Hill"]]
    found = known([*TABLE, *gap, *second])
    assert found[: len(KNOWN)] == KNOWN
    assert found[-3:] == [("Lowell", "CITY"), ("555-0142", "PHONE"), ("Hill", "PATIENT")]
    assert not {"City", "Phone", "Last name"} & {value for value, _ in found}


def test_headings_that_are_repeated_are_no_values() -> None:
    assert known([*TABLE, TABLE[0], ["Hill", 4714, 4]]) == [
        *KNOWN,
        ("Hill", "PATIENT"),
        (4714, "MEDICALRECORD"),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [["Visits", "Note"], [3, "Name"], [4, "well"]],
        [["Visits", "Note"], [date(2007, 3, 14), "Name"], [4, "well"]],
        [["Ward", "Note"], ["7 West", "Name, and seen in clinic " + "x" * 100], ["8", "well"]],
        [["Ward", "Note"], *[["7", "well"]] * 20, ["7 West", "Name"], ["8 West", "well"]],
        [["Items"], ["Account"], ["closed"], ["moved"]],
    ],
)
def test_a_text_in_a_row_of_values_is_no_heading(rows: Rows) -> None:
    assert known(rows) == []


@pytest.mark.parametrize("note", ["Name", "Mercy Hospital"])
def test_a_note_beside_an_identifier_is_no_heading(note: str) -> None:
    rows: Rows = [["Last name", "Note"], ["Alder", note], ["Day", "well"]]
    assert known(rows) == [("Alder", "PATIENT"), ("Day", "PATIENT")]


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("Hospital", "Mercy Hospital"),
        ("City", "Kansas City"),
        ("Last name", "Street"),
        ("City", "Mobile"),
    ],
)
def test_a_value_that_names_an_identifier_stays_a_value(heading: str, value: str) -> None:
    rows: Rows = [[heading, "Note"], [value, "well"], ["Lowell", "well"]]
    assert [text for text, _ in known(rows)] == [value, "Lowell"]
