"""Names of sheets become names that Excel allows, and can be restored."""

from __future__ import annotations

import io

import openpyxl
import pytest
from structured_records import record_of

from multideid.corpora.structured import xlsx
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import RecordText
from multideid.spans import splice

MASK = "[DOCTOR]"
HASH = "[DOCTOR-fbd8b750]"


def workbook(*titles: str) -> RecordText:
    """Return the text of a workbook with sheets of these names."""
    made = openpyxl.Workbook()
    made.active.title = titles[0]
    for title in titles[1:]:
        made.create_sheet(title)
    file = io.BytesIO()
    made.save(file)
    return RecordText(record_of(xlsx, file.getvalue()))


def changes_of(text: str, new: dict[str, str]) -> list[Change]:
    """Return the changes of some words of a text."""
    places = ((text.index(old), old, word) for old, word in new.items())
    return sorted(Change(start, start + len(old), word) for start, old, word in places)


@pytest.mark.parametrize(
    ("titles", "new", "written"),
    [
        (["Martha Alder"], {"Martha Alder": MASK}, ["(DOCTOR)"]),
        (["of Alder"], {"Alder": "<A>Alder</A>"}, ["of <A>Alder<_A>"]),
        (["of Alder"], {"Alder": "O'Brien'"}, ["of O'Brien"]),
        (["Alder"], {"Alder": ""}, ["Sheet"]),
        (["Alder"], {"Alder": "History"}, ["History_2"]),
        (["Alder", "Lee"], {"Alder": MASK, "Lee": MASK}, ["(DOCTOR)", "(DOCTOR)_2"]),
        (["Alder", "Lee"], {"Alder": "", "Lee": ""}, ["Sheet", "Sheet_2"]),
        (["Alder", "Lee"], {"Alder": "lee", "Lee": "Day"}, ["lee_2", "Day"]),
        (["Alder", "Notes"], {"Alder": "Notes"}, ["Notes_2", "Notes"]),
        (
            ["Alder, Jo and Martha Quincy-Al"],
            {"Alder": MASK, "Jo": MASK, "Martha Quincy": MASK},
            ["(DOCTOR), (DOCT and (DOCTOR)-Al"],
        ),
        (
            ["of Alder and somebody who is ok", "of Lee and somebody who is ok"],
            {"Alder": HASH, "Lee": HASH},
            ["of (DOCT and somebody who is ok", "of (DO_2 and somebody who is ok"],
        ),
        (["x" * 30 + "A", "x" * 30 + "B"], {"A": "C", "B": "C"}, ["x" * 30 + "C", "x" * 30 + "2"]),
    ],
)
def test_the_name_that_is_stored_is_the_one_that_is_written(
    titles: list[str], new: dict[str, str], written: list[str]
) -> None:
    fields = workbook(*titles)
    changes = list(fields.fitted(changes_of(fields.text, new)))
    data = fields.rendered(changes)
    assert openpyxl.load_workbook(io.BytesIO(data)).sheetnames == written
    again = RecordText(record_of(xlsx, data))
    assert again.text == splice(fields.text, changes)


def test_sheets_may_get_the_names_of_each_other() -> None:
    fields = workbook("Alder", "Lee")
    data = fields.rendered(changes_of(fields.text, {"Alder": "Lee", "Lee": "Alder"}))
    assert openpyxl.load_workbook(io.BytesIO(data)).sheetnames == ["Lee", "Alder"]
