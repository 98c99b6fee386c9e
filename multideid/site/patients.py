"""What a site knows of its patients: a table of names, numbers, dates and addresses."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from multideid.errors import ResourceError, UsageError, installing, reason
from multideid.redact.surrogates import patient_id
from multideid.site.date_search import is_date
from multideid.site.known_forms import forms_of
from multideid.site.name_variants import missing_packages
from multideid.site.patient_columns import IDS, label_of

if TYPE_CHECKING:
    import pandas as pd

PATIENT = "patient"
"""The key of `Document.meta` with the id of a document's patient."""

_SEVERAL = re.compile(r"(?:(?<!\s)\s++)?+[;|]\s*+")
_SPREADSHEETS = (".xlsx", ".xls", ".ods")
_CELLS = "\x1f"
_SHORTEST_NUMBER = 5  # Characters of a record number by which a note finds its patient.
_NUMBER = re.compile(r"[^\W_]+")
_MOST_PARTS = 6  # Of a record number, between punctuation.
_HYPHEN = re.compile(r"[-\u2010-\u2013]")


class PatientsWarning(UserWarning):
    """Columns of a table of patients that are not used, or spellings that are not searched for."""


class _Layout(NamedTuple):
    """The columns of a table that are used.

    Parameters
    ----------
    id : int
    labels : dict of int to str
    """

    id: int
    labels: dict[int, str]


class Patients:
    """A table of patients, with one or more rows for each.

    A column is used if its name says what it contains, such as ``first_name``, ``mrn``,
    ``dob``, ``phone`` or ``doctor``, or is a PHI label; several values in a cell are
    separated by ``;``. A column ``patient``, ``patient_id``, ``id`` or ``mrn`` identifies
    the patient.

    Parameters
    ----------
    columns : sequence of str
    rows : iterable of sequence of str
        Cells in the order of the columns.

    Raises
    ------
    UsageError
        If no column identifies the patient, or none has values to look for.

    Warns
    -----
    PatientsWarning
        If columns or rows are not used, or packages of the extra ``fuzzy`` are missing.

    Attributes
    ----------
    labels : tuple of str
        The label of each column that is used.

    Examples
    --------
    >>> table = Patients(["patient", "last_name"], [["7", "Alder"]])
    >>> table.values("7", "")
    {'PATIENT': {'Alder'}}
    """

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        layout = _layout(columns)
        self.labels = tuple(layout.labels.values())
        # Joined cells take a fifth of the memory of lists.
        self._rows: dict[str, list[str]] = {}
        self._by_number: dict[str, str] = {}
        n_lost = sum(not self._add(layout, cells) for cells in rows)
        if n_lost:
            message = f"{n_lost} rows of the patients have no id, and are not used"
            warnings.warn(message, PatientsWarning, stacklevel=3)
        if missing := missing_packages():
            message = f"{' and '.join(missing)} are not looked for; {installing('fuzzy')}"
            warnings.warn(message, PatientsWarning, stacklevel=3)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<Patients: {len(self)}>"

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a CSV, TSV or Parquet file; cells of a CSV file may also be parted by ``;``.

        Raises
        ------
        ResourceError
            If it cannot be read; names the line.
        UsageError
            As for the constructor.
        """
        source = Path(path)
        if source.suffix.lower() in _SPREADSHEETS:
            raise ResourceError(path, "is a spreadsheet; save the table as CSV in UTF-8")
        try:
            if source.suffix.lower() == ".parquet":
                from multideid.corpora.parquet_batches import require_pyarrow

                require_pyarrow()
                import pandas as pd

                return cls.of_frame(pd.read_parquet(source))
            return cls._of_csv(source)
        except OSError as error:
            raise ResourceError(path, f"cannot be read: {reason(error)}") from None
        except UnicodeDecodeError:
            raise ResourceError(path, "not UTF-8; save the table in UTF-8") from None

    @classmethod
    def _of_csv(cls, source: Path) -> Self:
        with source.open(encoding="utf-8-sig", newline="") as file:
            delimiter = _delimiter(source, file.readline())
            file.seek(0)
            lines = csv.reader(file, delimiter=delimiter, strict=True)
            try:
                columns = next(lines, [])
                return cls(columns, _checked(source, lines, len(columns)))
            except csv.Error:
                problem = "is not a valid table"
                raise ResourceError(source, problem, f"line {lines.line_num}") from None

    @classmethod
    def of_frame(cls, frame: pd.DataFrame) -> Self:
        """Take a data frame; cells are texts, numbers, dates or missing."""
        rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)
        return cls([str(name) for name in frame.columns], ([_text(c) for c in row] for row in rows))

    @classmethod
    def of_mapping(cls, patients: Mapping[Any, Mapping[str, Any]]) -> Self:
        """Take a mapping of each patient's id to the values by column."""
        columns = list(dict.fromkeys(name for values in patients.values() for name in values))
        rows = ([str(key), *(_text(values.get(name)) for name in columns)]
                for key, values in patients.items())  # fmt: skip
        return cls([PATIENT, *columns], rows)

    def content(self) -> Iterator[str]:
        """Yield what the table knows, in an order that is the same for equal tables."""
        yield _CELLS.join(self.labels)
        for key, rows in sorted(self._rows.items()):
            yield _CELLS.join([key, *rows])

    def values(self, patient: object, text: str) -> dict[str, set[str]]:
        """Return what is known of a patient, by label.

        Parameters
        ----------
        patient : object
            The patient's id. If it is missing or unknown, the patients are those whose
            record number is in the text.
        text : str
            The note.
        """
        key = patient_id(patient)
        keys = [key] if key in self._rows else list(self._found_in(text))
        found: dict[str, set[str]] = {}
        for row in (row for key in keys for row in self._rows[key]):
            for label, cell in zip(self.labels, row.split(_CELLS), strict=True):
                for value in filter(None, _SEVERAL.split(cell)):
                    found.setdefault(label, set()).update(forms_of(label, value))
        return found

    def _add(self, layout: _Layout, cells: Sequence[str]) -> bool:
        """Keep a row, if it has an id; return whether it does."""
        key = patient_id(cells[layout.id])
        if not key:
            return False
        kept = [cells[n].strip().replace(_CELLS, " ") for n in layout.labels]
        self._rows.setdefault(key, []).append(_CELLS.join(kept))
        numbers = (n for n, label in enumerate(self.labels) if label == "MEDICALRECORD")
        for value in (value for n in numbers for value in _SEVERAL.split(kept[n])):
            number = _record_number("".join(_NUMBER.findall(value)).lower())
            if len(number) >= _SHORTEST_NUMBER:
                self._by_number[number] = key
        return True

    def _found_in(self, text: str) -> Iterator[str]:
        if self._by_number:
            numbers = sorted(set(map(_record_number, _numbers_in(text))))
            yield from dict.fromkeys(filter(None, map(self._by_number.get, numbers)))


def as_patients(patients: Any) -> Patients:
    """Return a table of patients, or make it from a file, a data frame or a mapping.

    Raises
    ------
    UsageError, ResourceError
        As for `Patients`.
    """
    if isinstance(patients, Patients):
        return patients
    if isinstance(patients, str | Path):
        return Patients.read(patients)
    if isinstance(patients, Mapping):
        return Patients.of_mapping(patients)
    if hasattr(patients, "itertuples"):
        return Patients.of_frame(patients)
    kind = type(patients).__name__
    raise UsageError(f"patients must be a file, a data frame or a mapping; got {kind}")


def _layout(columns: Sequence[str]) -> _Layout:
    names = [re.sub(r"[\s-]+", "_", name.strip().lower()) for name in columns]
    id_name = next((name for name in IDS if name in names), None)
    if id_name is None:
        raise UsageError(f"the table of patients needs a column {', '.join(IDS[:4])} or mrn")
    labels = {n: label for n, name in enumerate(names) if (label := label_of(name))}
    if not labels:
        raise UsageError("the table of patients has no column to look for, such as last_name")
    unused = [columns[n] for n, name in enumerate(names) if n not in labels and name != id_name]
    if unused:
        message = f"columns of the patients that are not used: {', '.join(unused)}"
        warnings.warn(message, PatientsWarning, stacklevel=4)
    return _Layout(names.index(id_name), labels)


def _delimiter(source: Path, header: str) -> str:
    """Return what parts the cells: a spreadsheet writes ``;`` where the comma is decimal."""
    if source.suffix.lower() == ".tsv":
        return "\t"
    return "," if "," in header else next((d for d in ";\t" if d in header), ",")


def _checked(source: Path, lines: Any, width: int) -> Iterator[list[str]]:
    for cells in lines:
        if cells and len(cells) != width:
            problem = f"has {len(cells)} cells, the header {width}"
            raise ResourceError(source, problem, f"line {lines.line_num}")
        if cells:
            yield cells


def _record_number(written: str) -> str:
    """Return a number without zeros before it, unless what is left is so short as to be common."""
    plain = written.lstrip("0")
    return plain if len(plain) >= _SHORTEST_NUMBER else written


def _numbers_in(text: str) -> Iterator[str]:
    """Yield what may be record numbers: words with a digit, also joined if hyphens are between."""
    words = list(_NUMBER.finditer(text))
    for n, word in enumerate(words):
        number, end = "", word.start()
        for part in words[n : n + _MOST_PARTS]:
            if number and not _HYPHEN.fullmatch(text, end, part.start()):
                break
            number, end = number + part[0].lower(), part.end()
            # By chance, some patient has the digits of nearly every date.
            is_other_date = end > word.end() and is_date(text[word.start() : end])
            if any(map(str.isdigit, number)) and not is_other_date:
                yield number


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        # A column of numbers with gaps holds floats.
        return str(int(value))
    if isinstance(value, list | tuple | set | np.ndarray):
        return ";".join(map(_text, value))
    if hasattr(value, "isoformat"):
        return str(value.isoformat())[:10]
    return str(value)
