"""Names in workbooks that formulas use: of sheets, ranges, tables and their columns.

People name ranges and tables, so these names become neutral (``Name_1``). Names of
sheets and columns are texts, which may change. Formulas follow all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from openpyxl import Workbook

# Texts in quotes come first, so that nothing in them is taken for a name.
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")
    |'(?P<quoted>(?:[^']|''){1,62})'!
    |\[(?P<column>(?:[^\[\]']|'.){1,600})\]
    |(?<![\w.\\])(?P<name>[^\W\d][\w.\\]*+)(?!\()(?P<sheet>!?)""",
    re.VERBOSE,
)
_OWN = re.compile(r"_xl[.\w]*")
_PLAIN_TITLE = re.compile(r"[^\W\d]\w*")
_SPECIAL = re.compile(r"(['\[\]#@])")
_OWN_TABLE_STYLE = re.compile(r"TableStyle(?:Light|Medium|Dark)\d+")


class Formula(NamedTuple):
    """A formula, or a reference to cells, and where its new text goes."""

    text: str
    write: Callable[[str], object]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


class References:
    """The names in a workbook before it changes.

    Parameters
    ----------
    workbook : openpyxl.Workbook
    """

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._titles = [sheet.title for sheet in workbook.worksheets]
        self._columns = {
            (table.name, n): str(column.name)
            for sheet in workbook.worksheets
            for table in sheet.tables.values()
            for n, column in enumerate(table.tableColumns)
        }
        self._names: dict[str, str] = {}

    def update(self) -> None:
        """Give ranges, tables and styles neutral names, and let formulas follow all names."""
        columns = dict(self._changed_columns())
        for sheet in self._workbook.worksheets:
            self._rename_tables(sheet)
        for owner in (self._workbook, *self._workbook.worksheets):
            self._rename_ranges(owner)
        _rename_styles(self._workbook)
        new = [sheet.title for sheet in self._workbook.worksheets]
        titles = {old: n for old, n in zip(self._titles, new, strict=True) if old != n}
        for formula in list(formulas(self._workbook)):
            text = _followed(formula.text, titles, self._names, columns)
            if text != formula.text:
                formula.write(text)

    def _changed_columns(self) -> Iterator[tuple[str, str]]:
        for sheet in self._workbook.worksheets:
            for table in sheet.tables.values():
                for n, column in enumerate(table.tableColumns):
                    old = self._columns.get((table.name, n), str(column.name))
                    if old != column.name:
                        yield old, str(column.name)

    def _rename_tables(self, sheet: Any) -> None:
        tables = list(sheet.tables.values())
        sheet.tables.clear()
        for table in tables:
            new = f"Table_{len(self._names) + 1}"
            self._names.update({n: new for n in (table.name, table.displayName) if n})
            table.name = table.displayName = new
            table.comment = None
            style = table.tableStyleInfo
            if style is not None and not _OWN_TABLE_STYLE.fullmatch(style.name or ""):
                table.tableStyleInfo = None
            for column in table.tableColumns:
                # Cells hold the formulas and labels too.
                column.calculatedColumnFormula = column.totalsRowFormula = None
                column.totalsRowLabel = column.uniqueName = None
                column.totalsRowFunction = None
            sheet.tables.add(table)

    def _rename_ranges(self, owner: Any) -> None:
        ranges = list(owner.defined_names.values())
        owner.defined_names.clear()
        for known in ranges:
            if not _OWN.fullmatch(known.name):
                new = self._names.setdefault(known.name, f"Name_{len(self._names) + 1}")
                known.name = new
            for text in ("comment", "description", "help", "statusBar", "customMenu"):
                setattr(known, text, None)
            owner.defined_names[known.name] = known


def formulas(workbook: Workbook) -> Iterator[Formula]:
    """Yield what may use names: formulas, conditions, links and ranges."""
    for owner in (workbook, *workbook.worksheets):
        for known in owner.defined_names.values():
            yield from _attributes(known, "attr_text")
    for sheet in workbook.worksheets:
        for cell in sheet._cells.values():
            if cell.data_type == "f":
                holder = (cell, "value") if isinstance(cell.value, str) else (cell.value, "text")
                yield from _attributes(*holder)
            if cell.hyperlink is not None:
                yield from _attributes(cell.hyperlink, "location")
        for rule in sheet.data_validations.dataValidation:
            yield from _attributes(rule, "formula1", "formula2")
        yield from _conditions(sheet)


def _conditions(sheet: Any) -> Iterator[Formula]:
    for formatted in sheet.conditional_formatting:
        for rule in formatted.rules:
            for n, text in enumerate(rule.formula):
                yield Formula(str(text), _setter(rule.formula, n))


def _setter(texts: list[str], number: int) -> Callable[[str], None]:
    return lambda new: texts.__setitem__(number, new)


def _attributes(owner: Any, *names: str) -> Iterator[Formula]:
    for name in names:
        text = getattr(owner, name, None)
        if isinstance(text, str):
            yield Formula(text, lambda new, name=name: setattr(owner, name, new))  # type: ignore[misc]


def _followed(
    formula: str, titles: Mapping[str, str], names: Mapping[str, str], columns: Mapping[str, str]
) -> str:
    """Return a formula with the new names of sheets, ranges, tables and columns."""
    folded = {old.casefold(): new for old, new in names.items()}

    def new(match: re.Match[str]) -> str:
        quoted, column, name = match["quoted"], match["column"], match["name"]
        if quoted is not None:
            title = titles.get(quoted.replace("''", "'"))
            return match[0] if title is None else f"{_quoted(title)}!"
        if column is not None:
            header = columns.get(re.sub("'(.)", r"\1", column.removeprefix("@")))
            return match[0] if header is None else "[" + _SPECIAL.sub(r"'\1", header) + "]"
        if name is not None and match["sheet"]:
            return f"{_quoted(titles[name])}!" if name in titles else match[0]
        return match[0] if name is None else folded.get(name.casefold(), name)

    return _TOKEN.sub(new, formula)


def _quoted(title: str) -> str:
    doubled = title.replace("'", "''")
    return title if _PLAIN_TITLE.fullmatch(title) else f"'{doubled}'"


def _rename_styles(workbook: Workbook) -> None:
    for number, style in enumerate(workbook._named_styles, start=1):
        if style.builtinId is None and style.name != "Normal":
            style.name = f"Style {number}"
