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
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from multideid.corpora.contract import Format
from multideid.corpora.identifier_names import value_label
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
)
from multideid.corpora.structured.xlsx_cells import Cells
from multideid.corpora.structured.xlsx_editables import Editables, Values
from multideid.corpora.structured.xlsx_headings import headed_cells
from multideid.corpora.structured.xlsx_names import References
from multideid.corpora.structured.xlsx_properties import (
    property_text,
    rename_property,
    write_property,
)
from multideid.corpora.structured.xlsx_titles import Titles
from multideid.corpora.structured.zip_files import has_member, opened_zip

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_NOT_READ = re.compile(r"xl/(?:vbaProject\.bin|embeddings/.*|activeX/.*|externalLinks/.*)")
_PAGES = ("odd", "even", "first")
_NO_TIME = datetime(1900, 1, 1)


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
        reader.editables.change(changes)
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
        self.editables = Editables()
        self._cells = Cells(self.editables)

    def values(self) -> Values:
        """Yield the values, sheet by sheet and row by row."""
        yield from self._properties()
        for sheet in self._workbook.chartsheets:
            self._workbook.remove(sheet)
        for sheet in self._workbook.worksheets:
            _leave_out(sheet)
            yield from self._sheet(sheet)

    def _properties(self) -> Values:
        properties = self._workbook.properties
        properties.created = properties.modified = _NO_TIME
        properties.lastPrinted = None
        yield from self.editables.attributes(
            properties, "creator lastModifiedBy", "properties", "DOCTOR"
        )
        names = "title subject description keywords category identifier"
        yield from self.editables.attributes(properties, names, "properties")
        custom = self._workbook.custom_doc_props.props
        for n in range(len(custom)):
            yield from self._custom(custom, n)
        self._workbook.code_name = None
        for owner in (self._workbook, *self._workbook.worksheets):
            for known in owner.defined_names.values():
                write = partial(setattr, known, "attr_text")
                yield from self.editables.formula(known.attr_text, write, "name")
        formats = self._workbook._number_formats
        for n, text in enumerate(formats):
            yield from self.editables.formula(text, partial(formats.__setitem__, n), "format")

    def _custom(self, properties: list[Any], n: int) -> Values:
        """Yield the value and the name of a custom property."""
        name, value = str(properties[n].name), properties[n].value
        text, write = property_text(value), partial(write_property, properties, n)
        if isinstance(value, datetime):
            yield self.editables.date(text, write, "properties")
        else:
            yield from self.editables.text(text, write, "properties", value_label(name, text) or "")
        yield from self.editables.text(name, partial(rename_property, properties, n), "properties")

    def _sheet(self, sheet: Worksheet) -> Values:
        title = sheet.title
        source = self.editables.source(title, partial(self._titles.write, sheet))
        slot, fit = source.slot(0, len(title)), partial(self._titles.fitted, sheet)
        yield Value((slot,), place="sheet", title=True, fit=fit)
        for part in (f"{which}{end}" for which in _PAGES for end in ("Header", "Footer")):
            for side in ("left", "center", "right"):
                yield from self.editables.attributes(
                    getattr(getattr(sheet, part), side), "text", part
                )
        for cell, heading in headed_cells(sheet):
            label = heading.label_of(cell.value)
            yield from self._cells.values(cell, label, f"{title}!{cell.coordinate}")
        for rule in sheet.data_validations.dataValidation:
            yield from self.editables.attributes(
                rule, "prompt error promptTitle errorTitle", "validation"
            )
            for name in ("formula1", "formula2"):
                write = partial(setattr, rule, name)
                yield from self.editables.formula(getattr(rule, name), write, "validation")
        for formatted in sheet.conditional_formatting:
            for rule in formatted.rules:
                yield from self.editables.attributes(rule, "text", "formatting")
                for n, formula in enumerate(rule.formula):
                    write = partial(rule.formula.__setitem__, n)
                    yield from self.editables.formula(formula, write, "formatting")


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
