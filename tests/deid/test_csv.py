"""Editing one column of a CSV file leaves every other byte."""

from __future__ import annotations

import csv
import io
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.deid import csv as csv_module
from multideid.deid.csv import column_rows
from multideid.deid.table_errors import TableError

CELLS = st.text(st.sampled_from('ab ,;"\r\n\té😀'), max_size=6)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=5)
)
# With a shorter line end, minimal quoting leaves a carriage return without quotes.
DIALECTS = st.sampled_from(
    [
        (csv.QUOTE_ALL, "\n"),
        (csv.QUOTE_ALL, "\r"),
        (csv.QUOTE_ALL, "\r\n"),
        (csv.QUOTE_MINIMAL, "\r\n"),
    ]
)


def _write(rows: list[list[str]], dialect: tuple[int, str]) -> str:
    quoting, line_end = dialect
    file = io.StringIO(newline="")
    csv.writer(file, quoting=quoting, lineterminator=line_end).writerows(rows)
    return file.getvalue()


def _contents(text: str, delimiter: str = ",") -> list[str]:
    rows = column_rows([text], delimiter, ["text"])
    return [content for row in rows for content in row.contents]


def _rewritten(text: str, contents: list[str], delimiter: str = ",") -> str:
    new = iter(contents)
    rows = column_rows([text], delimiter, ["text"])
    return "".join(r.with_contents([next(new)], delimiter) if r.cells else r.text for r in rows)


def _header(rows: list[list[str]]) -> list[str]:
    return ["text", "x", "y", "z"][: len(rows[0])] if rows else ["text"]


@given(TABLES, DIALECTS)
def test_cells_are_those_that_the_csv_module_wrote(rows, dialect) -> None:
    text = _write([_header(rows), *rows], dialect)
    assert _contents(text) == [row[0] for row in rows]


@given(TABLES, DIALECTS, st.integers(1, 9))
def test_rows_are_the_same_however_the_file_is_read(rows, dialect, size) -> None:
    text = "\ufeff" + _write([_header(rows), *rows], dialect)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert list(column_rows(pieces, ",", ["text"])) == list(column_rows([text], ",", ["text"]))
    assert "".join(row.text for row in column_rows(pieces, ",", ["text"])) == text


@given(TABLES, DIALECTS, st.data())
def test_exchanged_cells_are_read_back_and_others_stay(rows, dialect, data) -> None:
    text = _write([_header(rows), *rows], dialect)
    new = data.draw(st.lists(CELLS, min_size=len(rows), max_size=len(rows)))
    changed = _rewritten(text, new)
    read = list(csv.reader(io.StringIO(changed, newline="")))[1:]
    assert read == [[cell, *row[1:]] for cell, row in zip(new, rows, strict=True)]


def test_text_outside_the_column_stays_byte_for_byte() -> None:
    text = 'id,"text",note\r\n"1",hello,""\n\n2,"say ""B-1000""", x \r\n'
    assert _rewritten(text, ["hello", 'say "[ID]"']) == text.replace("B-1000", "[ID]")
    assert _rewritten(text, _contents(text)) == text


def test_cells_of_several_columns_are_exchanged_in_any_order() -> None:
    text = 'a,b,c,d\n1,"x, y",3,"z"\n'
    (_, row) = column_rows([text], ",", ["d", "b"])
    assert row.contents == ("z", "x, y")
    assert row.with_contents(["Z", "X"], ",") == '1,"X",3,"Z"\n'
    assert row.with_contents(["z", "a,b"], ",") == '1,"a,b",3,"z"\n'


def test_last_row_needs_no_line_end() -> None:
    text = "id\ttext\n1\thello"
    assert _rewritten(text, ["bye"], "\t") == "id\ttext\n1\tbye"


def test_empty_content_is_quoted_so_that_its_row_stays() -> None:
    text = "text\nsecret\nhello\n"
    assert _rewritten(text, ["", "hello"]) == 'text\n""\nhello\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no column 'text'"),
        ("id,note\n1,Alder\n", "no column 'text' among its 2"),
        ("text,text\n1,2\n", "more than one column"),
        ("id,text\n1,Alder, Ann\n", "row 1 has 3 cells, the header 2"),
        ("id,text\n1,ok\n2\n", "row 2 has 1 cells"),
        ('id,text\n1,"Alder\n', "quotes in row 1"),
        ('id,text\n1,ok\n2,"Alder"Ann\n', "quotes in row 2"),
        ('id,"text\n', "quotes in the header"),
    ],
)
def test_table_in_which_columns_may_be_shifted_is_refused(text, problem) -> None:
    with pytest.raises(TableError) as refused:
        list(column_rows([text], ",", ["text"]))
    assert problem in str(refused.value)
    assert "Alder" not in str(refused.value)


def test_row_that_never_ends_is_refused_before_all_is_read(monkeypatch) -> None:
    monkeypatch.setattr(csv_module, "_LONGEST_ROW", 1000)
    endless = chain(['text\n"'], repeat("Alder"))
    with pytest.raises(TableError, match="longer than 1,000 characters"):
        list(column_rows(endless, ",", ["text"]))
