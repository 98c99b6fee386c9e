"""Excel workbooks: texts change, structure and style stay."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, datetime

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.packaging.custom import (
    BoolProperty,
    DateTimeProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)
from openpyxl.styles import NamedStyle
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.table import Table
from structured_records import NAME, members_of, record_of, texts_of, with_masked, with_parts

from multideid.corpora.structure import Record
from multideid.corpora.structured import xlsx
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import RecordText
from multideid.errors import CorpusError


def _xlsx(change: Callable[[openpyxl.Workbook], None] = lambda w: None) -> bytes:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Notes"
    sheet.append(["MRN", "Patient name", "Seen", "Score", "Note"])
    note = "Ms. Alder (4458812) saw Dr. Lee."
    sheet.append([4458812, "Alder, Martha", date(2007, 3, 14), 3, note])
    sheet.append([None, None, datetime(2007, 3, 15, 9, 30), 123456, '=IF(D2>2,"call ""Lee""",E2)'])
    sheet["A2"].font = openpyxl.styles.Font(bold=True)
    sheet["E2"].comment = Comment("ask Martha", "Ann Lee")
    sheet["B2"].hyperlink = "mailto:alder@example.org"
    sheet.oddHeader.center.text = "St. Elsewhere Hospital"
    workbook.properties.creator = "Ann Lee"
    change(workbook)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def test_cells_are_read_and_columns_known_by_their_headings() -> None:
    record = record_of(xlsx, _xlsx())
    known = [(v.text[s.start : s.end], s.label) for v in record.values for s in v.known]
    assert known == [
        ("Ann Lee", "DOCTOR"),
        ("4458812", "MEDICALRECORD"),
        ("Alder, Martha", "PATIENT"),
        ("alder@example.org", "EMAIL"),
        ("2007-03-14", "DATE"),
        ("Ann Lee", "DOCTOR"),
        ("2007-03-15", "DATE"),
    ]
    headings = ["MRN", "Patient name", "Seen", "Score", "Note"]
    texts = ["Ms. Alder (4458812) saw Dr. Lee.", "ask Martha", "123456", 'call "Lee"']
    assert texts_of(record) == ["Notes", "St. Elsewhere Hospital", *headings, *texts]


def test_workbook_comes_out_with_its_formulas_and_styles() -> None:
    data = with_masked(record_of(xlsx, _xlsx()), "Elsewhere")
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)] == [
        ["[MEDICALRECORD]", "[PATIENT]", "[DATE]", 3, "Ms. [PATIENT] ([MEDICALRECORD]) saw Dr. "
         "[DOCTOR]."],
        [None, None, "[DATE] 09:30:00", 123456, '=IF(D2>2,"call ""[DOCTOR]""",E2)'],
    ]  # fmt: skip
    assert sheet["A2"].font.bold
    assert (sheet["E2"].comment.text, sheet["E2"].comment.author) == ("ask [PATIENT]", "[DOCTOR]")
    assert sheet["B2"].hyperlink.target == "mailto:%5BEMAIL%5D"
    assert sheet.oddHeader.center.text == "St. [X] Hospital"
    everything = b"".join(members_of(data).values())
    assert not any(p in everything for p in (b"Alder", b"4458812", b"Ann Lee"))


def test_new_dates_and_numbers_stay_dates_and_numbers() -> None:
    fields = RecordText(record_of(xlsx, _xlsx()))
    new = {"4458812": "7712345", "2007-03-14": "2009-05-01", "2007-03-15": "2009-05-02"}
    changes = [
        Change(s.start, s.end, new.get(fields.text[s.start : s.end], "X"))
        for s in fields.spans([], str)
    ]
    sheet = openpyxl.load_workbook(io.BytesIO(fields.rendered(changes))).active
    assert sheet["A2"].value == 7712345
    assert sheet["C2"].value == datetime(2009, 5, 1)
    assert sheet["C3"].value == datetime(2009, 5, 2, 9, 30)


def test_styles_inside_a_cell_stay() -> None:
    bold = InlineFont(b=True)

    def change(workbook: openpyxl.Workbook) -> None:
        workbook.active["F2"] = CellRichText("Ms. ", TextBlock(bold, "Jo"), "an Smith went")

    record = record_of(xlsx, _xlsx(change))
    assert "Ms. Joan Smith went" in texts_of(record)
    file = io.BytesIO(with_masked(record, NAME))
    parts = openpyxl.load_workbook(file, rich_text=True).active["F2"].value
    assert [str(part) for part in parts] == ["Ms. ", "[X]", " went"]
    assert parts[1].font.b


def test_macros_and_damaged_workbooks_are_refused() -> None:
    with pytest.raises(CorpusError, match=r"holds xl/vbaProject\.bin, which is not read"):
        record_of(xlsx, with_parts(_xlsx(), **{"xl/vbaProject.bin": b"x"}))
    with pytest.raises(CorpusError, match="cannot be read") as caught:
        record_of(xlsx, with_parts(_xlsx(), **{"xl/workbook.xml": b"<Zanzibar"}))
    assert "Zanzibar" not in str(caught.value)


def test_what_repeats_the_content_of_cells_is_left_out() -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        chart = openpyxl.chart.BarChart()
        chart.add_data(openpyxl.chart.Reference(workbook.active, min_col=4, min_row=1, max_row=3))
        workbook.active.add_chart(chart, "H1")
        workbook.active.auto_filter.ref = "A1:E3"
        workbook.active.auto_filter.add_filter_column(1, ["Alder, Martha"])

    members = members_of(with_masked(record_of(xlsx, _xlsx(change))))
    assert not any("chart" in name for name in members)
    assert b"Alder" not in b"".join(members.values())


@pytest.mark.parametrize(
    ("custom", "masked"),
    [
        (StringProperty(name="MRN", value="4458812"), "[MEDICALRECORD]"),
        (IntProperty(name="MRN", value=8812), "[MEDICALRECORD]"),
        (IntProperty(name="Age", value=95), "[AGE]"),
        (IntProperty(name="Age", value=45), 45),
        (FloatProperty(name="Age", value=95.5), "[AGE]"),
        (DateTimeProperty(name="Seen", value=datetime(2007, 3, 14)), "[DATE]"),
        (BoolProperty(name="Patient name", value=True), True),
        (StringProperty(name="Colour", value="green"), "green"),
    ],
)
def test_properties_of_excel_are_known_by_their_names(custom: object, masked: object) -> None:
    workbook = openpyxl.Workbook()
    workbook.custom_doc_props.append(custom)
    written = openpyxl.load_workbook(
        io.BytesIO(with_masked(record_of(xlsx, _saved(workbook))))
    ).custom_doc_props
    assert written[custom.name].value == masked


@pytest.mark.parametrize(
    ("custom", "old", "new"),
    [
        (IntProperty(name="MRN", value=8812), "8812", 4471),
        (
            DateTimeProperty(name="Seen", value=datetime(2007, 3, 14)),
            "2007-03-14",
            date(2009, 5, 1),
        ),
    ],
)
def test_properties_of_excel_keep_their_type(custom: object, old: str, new: object) -> None:
    workbook = openpyxl.Workbook()
    workbook.custom_doc_props.append(custom)
    record = record_of(xlsx, _saved(workbook))
    data = RecordText(record).rendered([_change(record, old, str(new))])
    value = openpyxl.load_workbook(io.BytesIO(data)).custom_doc_props[custom.name].value
    assert (value.date() if isinstance(value, datetime) else value) == new


def test_ages_over_89_are_known_below_their_heading_and_others_stay() -> None:
    workbook = openpyxl.Workbook()
    for row in (["Ward 7"], ["Age", "Visits"], [94, 94], [45, 2], ["101", 2], [89.5, 2], [91.2, 3]):
        workbook.active.append(row)
    workbook.custom_doc_props.append(StringProperty(name="Age", value="97"))
    file = io.BytesIO()
    workbook.save(file)
    record = record_of(xlsx, file.getvalue())
    known = [v.text for v in record.values for span in v.known if span.label == "AGE"]
    assert known == ["97", "94", "101", "91.2"]
    masked = openpyxl.load_workbook(io.BytesIO(with_masked(record))).active
    assert list(masked.iter_rows(min_row=3, values_only=True)) == [
        ("[AGE]", 94),
        (45, 2),
        ("[AGE]", 2),
        (89.5, 2),
        ("[AGE]", 3),
    ]


def test_dates_in_formulas_are_dates() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = '=YEAR(TODAY())-YEAR(date(1961,6,15))&"DATE(1,2,3)"'
    file = io.BytesIO()
    workbook.save(file)
    record = record_of(xlsx, file.getvalue())
    assert _known(record) == [("1961-06-15", "DATE")]

    def changed(new: str) -> str:
        data = RecordText(record).rendered([_change(record, "1961-06-15", new)])
        return openpyxl.load_workbook(io.BytesIO(data)).active["A1"].value

    rest = '=YEAR(TODAY())-YEAR({})&"DATE(1,2,3)"'
    assert changed("1960-02-03") == rest.format("DATE(1960,2,3)")


def test_a_masked_date_in_a_formula_is_a_text() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = "=DATE(1961,6,15)"
    file = io.BytesIO()
    workbook.save(file)
    masked = openpyxl.load_workbook(io.BytesIO(with_masked(record_of(xlsx, file.getvalue()))))
    assert masked.active["A1"].value == '="[DATE]"'


def _known(record: Record) -> list[tuple[str, str]]:
    return [
        (v.text[s.start : s.end], s.label) for v in record.values for s in v.known if "19" in v.text
    ]


def _change(record: Record, old: str, new: str) -> Change:
    start = RecordText(record).text.index(old)
    return Change(start, start + len(old), new)


def _saved(workbook: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def _named_workbook() -> openpyxl.Workbook:
    """Return a workbook whose names of things are those of people."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = NAME
    sheet.append(["Joan's", "Other"])
    sheet.append([1, "x"])
    table = Table(displayName="Joan_Smith", ref="A1:B2")
    sheet.add_table(table)
    workbook.defined_names["Smith_Range"] = DefinedName(
        "Smith_Range", attr_text="'Joan Smith'!$A$1", comment="of Joan"
    )
    sheet.defined_names["Smith_Text"] = DefinedName("Smith_Text", attr_text='"of Joan"')
    other = workbook.create_sheet("other")
    other["A1"] = "=SUM('Joan Smith'!A1,Smith_Range)&Joan_Smith[Joan''s]&\"Smith_Range\""
    other["A2"] = "=VLOOKUP(4458812,A:B,2)"
    other["A3"].hyperlink = Hyperlink("A3", location="'Joan Smith'!A1")
    other["A4"], other["A4"].number_format = 5, '0 "for Joan"'
    rule = DataValidation(type="list", formula1='"Joan,Ann"', formula2='"of Joan"')
    rule.add("A5")
    other.add_data_validation(rule)
    other.conditional_formatting.add("A6", FormulaRule(formula=['A6="Joan"']))
    other.sheet_properties.codeName = "JoanSheet"
    workbook.add_named_style(NamedStyle("Style of Joan"))
    other["A6"].style = "Style of Joan"
    return workbook


def test_names_in_excel_become_neutral_and_formulas_follow() -> None:
    record = record_of(xlsx, _saved(_named_workbook()))
    phi = ("Joan Smith", "Joan", "Smith_Range", "4458812")
    data = with_masked(record, *phi, label="PATIENT")
    for name, part in members_of(data).items():
        assert b"Joan" not in part, name
        assert b"Smith" not in part, name
        assert b"4458812" not in part, name
    written = openpyxl.load_workbook(io.BytesIO(data))
    assert written.sheetnames == ["(PATIENT)", "other"]
    (table,) = written.worksheets[0].tables.values()
    assert [column.name for column in table.tableColumns] == ["[PATIENT]'s", "Other"]
    other = written["other"]
    assert other["A1"].value == (
        "=SUM('(PATIENT)'!A1,Name_2)&Table_1['[PATIENT']''s]&\"[PATIENT]\""
    )
    assert other["A2"].value == '=VLOOKUP("[PATIENT]",A:B,2)'
    assert other["A3"].hyperlink.location == "'(PATIENT)'!A1"
    assert written.defined_names["Name_2"].attr_text == "'(PATIENT)'!$A$1"


def test_names_of_excel_itself_stay() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = "=SUM(Sheet!A2:B3)+Sheet!$C$1"
    workbook.active.print_area = "A1:B3"
    record = record_of(xlsx, _saved(workbook))
    written = openpyxl.load_workbook(io.BytesIO(record.render({})))
    assert written.active["A1"].value == "=SUM(Sheet!A2:B3)+Sheet!$C$1"
    assert written.active.print_area == "'Sheet'!$A$1:$B$3"
