"""Excel workbooks (.xlsx): cells, comments, links, headers and footers, and properties.

A column whose heading names an identifier (``MRN``, ``Date of birth``) is PHI as
a whole, and so are the value beside such a label in a form, and every cell with a
date. The model reads other texts and long numbers. Formulas stay, without the
results that were stored with them. Pictures, charts, pivot tables and filters,
which repeat the content of cells, are left out.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from multideid.corpora.contract import Format
from multideid.corpora.identifier_names import LONGEST_FIELD, value_label
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    labelled,
)
from multideid.corpora.structured.dates import iso_date
from multideid.corpora.structured.embedded import TextPart, html_values
from multideid.corpora.structured.slots import EscapeRule, Slot, Source
from multideid.corpora.structured.telecom import contact_spans
from multideid.corpora.structured.xlsx_headings import headed_cells
from multideid.corpora.structured.xlsx_names import References
from multideid.corpora.structured.xlsx_properties import (
    property_text,
    rename_property,
    write_property,
)
from multideid.corpora.structured.xlsx_titles import Titles
from multideid.corpora.structured.xlsx_writing import (
    blanked,
    date_call,
    date_text,
    encoded_link,
    number_or_text,
    quoted,
    write_cell,
    write_formula,
    write_part,
)
from multideid.corpora.structured.zip_files import has_member, opened_zip
from multideid.document import Span

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

Values = Iterator[Value]

_NOT_READ = re.compile(r"xl/(?:vbaProject\.bin|embeddings/.*|activeX/.*|externalLinks/.*)")
_LONG_NUMBER = 5  # Digits.
_LINK = EscapeRule(re.compile("%(5B|5D|20)"), lambda match: chr(int(match[1], 16)))
_DAY = 10  # Characters of a date.
_PAGES = ("odd", "even", "first")
_QUOTES = EscapeRule(re.compile('""'), lambda match: '"')
_LITERAL = re.compile(r'"((?:[^"]|"")*)"')
_DATE_CALL = re.compile(r"\bDATE\((\d{4}),(\d{1,2}),(\d{1,2})\)", re.IGNORECASE)
_LONG_NUMBERS = re.compile(r"(?<![\w.$:!'\[])\d{5,15}(?![\w.:!'\]])")
_NO_TIME = datetime(1900, 1, 1)


class _Editable:
    """A text of a workbook, and where its new text goes.

    Parameters
    ----------
    text : str
    write : callable
        Takes the new text.
    """

    def __init__(self, text: str, write: Callable[[str], object]) -> None:
        self.source = Source(text)
        self._write = write

    def change(self, changes: Changes) -> None:
        """Write the text, if it changes."""
        new = self.source.rendered(changes)
        if new != self.source.text:
            self._write(new)


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the workbook as one record.

    Raises
    ------
    CorpusError
        If it is damaged, holds macros or objects, or openpyxl is not installed.
    """
    workbook = _opened(content)
    references, titles = References(workbook), Titles(workbook)
    reader = _Reader(workbook, titles)
    values = tuple(reader.values())

    def render(changes: Changes) -> bytes:
        for editable in reader.editables:
            editable.change(changes)
        titles.update()
        for sheet in workbook.worksheets:
            _name_table_columns(sheet)
        references.update()
        file = BytesIO()
        workbook.save(file)
        return file.getvalue()

    yield Record(values, render)


def _opened(content: Content) -> Workbook:
    try:
        from openpyxl import load_workbook
    except ImportError:
        problem = "Excel workbooks need the package openpyxl: pip install 'multideid[xlsx]'"
        raise content.error(problem) from None
    with opened_zip(content) as archive:
        for name in archive.namelist():
            if _NOT_READ.fullmatch(name):
                problem = f"holds {name}, which is not read: remove the macro, object or link"
                raise content.error(problem)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = BytesIO(content.read())
            workbook = load_workbook(data, keep_links=False, rich_text=True)
    except Exception as error:
        # Messages of openpyxl may quote cells.
        problem = f"is a workbook that cannot be read ({type(error).__name__}): save it again"
        raise content.error(problem) from None
    return workbook


class _Reader:
    """Reads a workbook, and leaves out what repeats the content of cells."""

    def __init__(self, workbook: Workbook, titles: Titles) -> None:
        self._workbook, self._titles = workbook, titles
        self.editables: list[_Editable] = []

    def values(self) -> Values:
        """Yield the values, sheet by sheet and row by row."""
        yield from self._properties()
        for sheet in self._workbook.chartsheets:
            self._workbook.remove(sheet)
        for sheet in self._workbook.worksheets:
            _leave_out(sheet)
            yield from self._sheet(sheet)

    def _text(
        self, text: Any, write: Callable[[str], object], place: str, label: str = ""
    ) -> Values:
        """Yield a text, which is PHI as a whole if it has a label."""
        if isinstance(text, str) and text.strip():
            source = self._editable(text, write)
            part = TextPart(source, 0, len(text), text)
            if not label and (found := html_values(part, place)):
                yield from found
                return
            slot = source.slot(0, len(text))
            yield labelled(slot, label, place) if label else Value((slot,), place=place)

    def _editable(self, text: str, write: Callable[[str], object]) -> Source:
        editable = _Editable(text, write)
        self.editables.append(editable)
        return editable.source

    def _attributes(self, owner: Any, names: str, place: str, label: str = "") -> Values:
        for name in names.split():
            write = partial(setattr, owner, name)
            yield from self._text(getattr(owner, name, None), write, place, label)

    def _properties(self) -> Values:
        properties = self._workbook.properties
        properties.created = properties.modified = _NO_TIME
        properties.lastPrinted = None
        yield from self._attributes(properties, "creator lastModifiedBy", "properties", "DOCTOR")
        names = "title subject description keywords category identifier"
        yield from self._attributes(properties, names, "properties")
        custom = self._workbook.custom_doc_props.props
        for n in range(len(custom)):
            yield from self._custom(custom, n)
        self._workbook.code_name = None
        for owner in (self._workbook, *self._workbook.worksheets):
            for known in owner.defined_names.values():
                write = partial(setattr, known, "attr_text")
                yield from self._formula(known.attr_text, write, "name")
        formats = self._workbook._number_formats
        for n, text in enumerate(formats):
            yield from self._formula(text, partial(formats.__setitem__, n), "format")

    def _custom(self, properties: list[Any], n: int) -> Values:
        """Yield the value and the name of a custom property."""
        name, value = str(properties[n].name), properties[n].value
        text, write = property_text(value), partial(write_property, properties, n)
        if isinstance(value, datetime):
            slot = self._editable(text, write).slot(0, len(text))
            yield Value((slot,), iso_date(text[:_DAY]), free=False, place="properties")
        else:
            yield from self._text(text, write, "properties", value_label(name, text) or "")
        yield from self._text(name, partial(rename_property, properties, n), "properties")

    def _sheet(self, sheet: Worksheet) -> Values:
        title = sheet.title
        source = self._editable(title, partial(self._titles.write, sheet))
        slot, fit = source.slot(0, len(title)), partial(self._titles.fitted, sheet)
        yield Value((slot,), place="sheet", title=True, fit=fit)
        for part in (f"{which}{end}" for which in _PAGES for end in ("Header", "Footer")):
            for side in ("left", "center", "right"):
                yield from self._attributes(getattr(getattr(sheet, part), side), "text", part)
        for cell, heading in headed_cells(sheet):
            label = heading.label_of(cell.value)
            yield from self._cell(cell, label, f"{title}!{cell.coordinate}")
        for rule in sheet.data_validations.dataValidation:
            yield from self._attributes(rule, "prompt error promptTitle errorTitle", "validation")
            for name in ("formula1", "formula2"):
                write = partial(setattr, rule, name)
                yield from self._formula(getattr(rule, name), write, "validation")
        for formatted in sheet.conditional_formatting:
            for rule in formatted.rules:
                yield from self._attributes(rule, "text", "formatting")
                for n, formula in enumerate(rule.formula):
                    write = partial(rule.formula.__setitem__, n)
                    yield from self._formula(formula, write, "formatting")

    def _cell(self, cell: Any, label: str, place: str) -> Values:
        yield from self._content(cell, label, place)
        if cell.comment is not None:
            yield from self._attributes(cell.comment, "text", place)
            yield from self._attributes(cell.comment, "author", place, "DOCTOR")
        if cell.hyperlink is not None:
            yield from self._attributes(cell.hyperlink, "tooltip display", place)
            yield from self._link(cell.hyperlink, place)

    def _link(self, link: Any, place: str) -> Values:
        if isinstance(link.target, str) and link.target:
            source = self._editable(link.target, partial(setattr, link, "target"))
            slot = source.slot(0, len(link.target), _LINK, encoded_link)
            yield Value((slot,), contact_spans(slot.text, "URL"), free=False, place=place)

    def _content(self, cell: Any, label: str, place: str) -> Values:
        value, write = cell.value, partial(write_cell, cell)
        if isinstance(value, list):
            yield from self._rich_text(value, label, place)
        elif cell.data_type == "f":
            formula = getattr(value, "text", value)
            yield from self._formula(formula, partial(write_formula, cell), place)
        elif isinstance(value, datetime | date):
            text = date_text(value)
            slot = self._editable(text, write).slot(0, len(text))
            yield Value((slot,), iso_date(slot.text[:_DAY]), free=False, place=place)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield from self._number(value, write, label, place)
        elif isinstance(value, str) and cell.data_type != "e":
            is_field = len(value) <= LONGEST_FIELD and "\n" not in value
            yield from self._text(value, write, place, label if is_field else "")

    def _number(
        self, value: float, write: Callable[[str], object], label: str, place: str
    ) -> Values:
        text = f"{value:.0f}" if float(value).is_integer() else str(value)
        if label or (text.isdigit() and len(text) >= _LONG_NUMBER):
            yield from self._text(text, write, place, label)

    def _rich_text(self, parts: list[Any], label: str, place: str) -> Values:
        """Yield a text whose parts have styles of their own."""
        slots = []
        for n, part in enumerate(parts):
            text = part if isinstance(part, str) else part.text
            write = partial(write_part, parts, n)
            slots.append(self._editable(text, write).slot(0, len(text)))
        length = sum(len(slot.text) for slot in slots)
        known = (Span(0, length, label),) if label and 0 < length <= LONGEST_FIELD else ()
        yield Value(tuple(slots), known, free=not known, place=place)

    def _formula(self, formula: Any, write: Callable[[str], object], place: str) -> Values:
        """Yield the texts in quotes in a formula, and its dates."""
        if not isinstance(formula, str):
            return
        source = self._editable(formula, write)
        for match in _LITERAL.finditer(formula):
            slot = source.slot(*match.span(1), _QUOTES, quoted)
            yield Value((slot,), place=place)
        # Dates and numbers in quotes are texts, which were read.
        outside = _LITERAL.sub(blanked, formula)
        for match in _DATE_CALL.finditer(outside):
            yield date_call(source, match, place)
        for match in _LONG_NUMBERS.finditer(outside):
            slot = Slot(*match.span(), match[0], None, number_or_text)
            source.parts.append(slot)
            yield Value((slot,), place=place)


def _leave_out(sheet: Worksheet) -> None:
    """Remove what repeats the content of cells, or cannot be read."""
    sheet._images, sheet._charts, sheet._pivots = [], [], []
    sheet.auto_filter.filterColumn = []
    sheet.scenarios = sheet.sheet_properties.codeName = None
    for table in sheet.tables.values():
        if table.autoFilter is not None:
            table.autoFilter.filterColumn = []


def _name_table_columns(sheet: Worksheet) -> None:
    """Let the columns of tables have the names in their cells, as Excel demands."""
    for table in sheet.tables.values():
        if table.headerRowCount != 0:
            header = sheet[table.ref][0]
            for column, cell in zip(table.tableColumns, header, strict=False):
                column.name = str(cell.value)


def _recognise(content: Content) -> bool:
    return has_member(content, "xl/workbook.xml")


FORMAT = Format(
    "xlsx",
    "Excel workbooks (.xlsx); deid reads cells, and knows columns by their headings",
    structure=Structure(_recognise, read, (".xlsx",)),
)
