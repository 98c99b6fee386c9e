"""The report of a de-identification: replaced spans, their scores and the systems' votes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from multideid.deid.report_page import PageReport
from multideid.deid.report_records import CsvReport, JsonReport, Report
from multideid.errors import UsageError
from multideid.files import atomic_file

_KINDS: dict[str, type[Report]] = {".json": JsonReport, ".csv": CsvReport, ".html": PageReport}


@contextmanager
def open_report(path: Path, show_phi: bool, overwrite: bool) -> Iterator[Report]:
    """Open a report; the file is written atomically, and only its owner can read it.

    Raises
    ------
    UsageError
        If the suffix is none of .json, .csv and .html, or the file exists and must
        not be overwritten.
    CorpusError
        If it cannot be written.
    """
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"{path}: a report is a .json, .csv or .html file")
    if os.path.lexists(path) and not overwrite:
        raise UsageError(f"{path} exists; choose another file, or allow overwriting")
    with (
        atomic_file(path) as staging,
        # A file name need not be UTF-8.
        TextIOWrapper(staging, "utf-8", "backslashreplace", newline="") as file,
    ):
        report = kind(file, show_phi)
        yield report
        report.finish()
