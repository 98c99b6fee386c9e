"""Functions that de-identify folders, tables, data frames and streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from multideid.arguments import as_path, check_text, is_missing
from multideid.deid.csv import TableError
from multideid.deid.file_names import warn_of_names
from multideid.deid.files import FileJob, JobPlan, check_targets, plan_files
from multideid.deid.notes import rewrite_notes, rewrite_stream
from multideid.deid.opening import OpenRun, open_run
from multideid.deid.options import DeidOptions
from multideid.deid.results import DeidResult, FrameResult
from multideid.deid.run import Redaction, Run
from multideid.deid.tables import (
    Columns,
    check_frame,
    rewrite_csv,
    rewrite_frame,
    rewrite_parquet,
    rewrite_table,
    warn_of_kept_identifiers,
)
from multideid.errors import CorpusError, UsageError
from multideid.files import remove_stale
from multideid.locks import remove_leftovers

if TYPE_CHECKING:
    import pandas as pd

TEXT_COLUMN = "text"
"""The default name of the column with the text."""


def deidentify_folder(
    source: str | Path,
    out: str | Path,
    options: DeidOptions | None = None,
    *,
    column: str | Sequence[str] | None = None,
) -> DeidResult:
    """De-identify a folder of notes into another folder of the same layout.

    Files that end in ``.txt`` are read, in UTF-8, and with `column` also CSV,
    TSV and Parquet files. Bytes outside the PHI stay. A file that cannot be
    read, or on which the model fails, is not written.

    Parameters
    ----------
    source : str or Path
        A folder, or a single file.
    out : str or Path
        The folder to write to.
    options : DeidOptions, optional
    column : str or sequence of str, optional
        Columns of tables to rewrite; the others are kept. Default: tables are
        not read.

    Returns
    -------
    DeidResult

    Raises
    ------
    UsageError
        If there is nothing to read, options do not go together, or a file to
        write is an input or exists and must not be overwritten.
    CorpusError
        If the folder cannot be read or written.
    ModelError
        If the model cannot be loaded.

    Examples
    --------
    >>> from multideid import DeidOptions, deidentify_folder
    >>> result = deidentify_folder(
    ...     "notes", "clean", DeidOptions(mode="surrogate", recall="high")
    ... )  # doctest: +SKIP
    >>> result.documents, result.labels, result.failures  # doctest: +SKIP
    (2, {'DATE': 3, 'DOCTOR': 1}, ())
    """
    chosen = _chosen(options)
    columns = None if column is None else _named_columns(column)
    tables = columns is not None
    read, written = as_path("the source", source), as_path("out", out)
    plan = plan_files([read], written, tables=tables, overwrite=chosen.may_overwrite)
    return deidentify_files(plan, chosen, columns=columns)


def deidentify_files(
    plan: JobPlan, options: DeidOptions | None = None, *, columns: Sequence[str] | None = None
) -> DeidResult:
    """De-identify the files of a plan; first the notes, then the tables.

    Parameters
    ----------
    plan : JobPlan
        As `multideid.deid.files.plan_files` returns.
    options : DeidOptions, optional
    columns : sequence of str, optional
        Columns of tables to rewrite. Default: ``"text"``.

    Returns
    -------
    DeidResult

    Raises
    ------
    UsageError, CorpusError, ModelError
        As for `deidentify_folder`.

    Warns
    -----
    IdentifierWarning
        If names of files, or of files in archives, look like PHI. Files keep their
        names; those in archives get neutral ones.
    """
    chosen = _chosen(options)
    if chosen.patient_field is not None and not any(job.has_fields for job in plan.jobs):
        problem = "the patient field is a column of a table or a key in JSON, and there is neither"
        raise UsageError(problem)
    chosen.check_files(plan.jobs)
    warn_of_names([Path(job.source_name or job.name).as_posix() for job in plan.jobs])
    outputs = {job.out for job in plan.jobs}
    texts = tuple(columns or (TEXT_COLUMN,))
    with open_run(chosen, plan.jobs, outputs, columns) as opened:
        rewrite_files(opened.increment.jobs, Columns(texts, chosen.patient_field), opened.run)
        return _result(opened, plan)


def rewrite_files(jobs: Sequence[FileJob], columns: Columns, run: Run) -> None:
    """Rewrite files: first the notes, then the tables."""
    for folder in {job.target.parent for job in jobs}:
        remove_leftovers(folder)
    rewrite_notes([job for job in jobs if not job.is_table], run)
    for job in jobs:
        if job.is_table:
            rewrite_table(job, columns, run)


def deidentify_csv(
    source: str | Path,
    target: str | Path,
    options: DeidOptions | None = None,
    *,
    column: str | Sequence[str] = TEXT_COLUMN,
    delimiter: str | None = None,
) -> DeidResult:
    """De-identify columns of a CSV file; every other byte stays.

    Parameters
    ----------
    source, target : str or Path
        The files to read and to write.
    options : DeidOptions, optional
    column : str or sequence of str
        Names of the columns to rewrite. A short value in a column that is named as an
        identifier or a date, or has the form of one, is replaced as a whole, and also in
        the other columns of its row.
    delimiter : str, optional
        One character. Default: a tab if the suffix is ``.tsv``, else a comma, or whichever of
        comma, semicolon, tab and bar the columns are found with.

    Returns
    -------
    DeidResult
        The cells of a row in `failures` are empty.

    Raises
    ------
    CorpusError
        If the table cannot be read or written; nothing is written then.
    UsageError, ModelError
        As for `deidentify_folder`.

    Examples
    --------
    >>> from multideid import deidentify_csv
    >>> result = deidentify_csv("notes.csv", "clean.csv", column="note")  # doctest: +SKIP
    """
    chosen = _chosen(options)
    columns = Columns(_named_columns(column), chosen.patient_field)
    with _table_run(source, target, columns, chosen) as opened:
        for job in opened.increment.jobs:
            rewrite_csv(job, columns, opened.run, delimiter)
        return _result(opened)


def deidentify_parquet(
    source: str | Path,
    target: str | Path,
    options: DeidOptions | None = None,
    *,
    column: str | Sequence[str] = TEXT_COLUMN,
) -> DeidResult:
    """De-identify columns of a Parquet file; other columns, types and metadata stay.

    Parameters and errors are those of `deidentify_csv`.

    Returns
    -------
    DeidResult

    Examples
    --------
    >>> from multideid import deidentify_parquet
    >>> deidentify_parquet("notes.parquet", "clean.parquet")  # doctest: +SKIP
    """
    chosen = _chosen(options)
    columns = Columns(_named_columns(column), chosen.patient_field)
    with _table_run(source, target, columns, chosen) as opened:
        for job in opened.increment.jobs:
            rewrite_parquet(job, columns, opened.run)
        return _result(opened)


def deidentify_frame(
    frame: pd.DataFrame,
    columns: str | Sequence[str] = TEXT_COLUMN,
    options: DeidOptions | None = None,
    *,
    id: str | None = None,
    patient: str | None = None,
) -> FrameResult:
    """De-identify columns of a data frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        Not changed.
    columns : str or sequence of str
        Names of the columns to rewrite. Missing values stay. A short value in a column that is
        named as an identifier or a date, or has the form of one, is replaced as a whole.
        Surrogates of the columns of a row agree.
    options : DeidOptions, optional
        Without a vault, which restores files only.
    id : str, optional
        The column that names the rows in failures and reports, and from which, without
        patients, surrogates follow. Default: their numbers.
    patient : str, optional
        The column that identifies the patient. Default: that of `options`.

    Returns
    -------
    FrameResult
        With a copy of the data frame; the text of a row in `failures` is empty.

    Raises
    ------
    UsageError
        If it is no data frame of pandas, a column is missing or repeated, a value is not
        a string, or options do not go together.
    ModelError
        If the model cannot be loaded.

    Warns
    -----
    IdentifierWarning
        If other columns or the index, which stay as they are, look like identifiers.

    Examples
    --------
    >>> import pandas as pd
    >>> from multideid import deidentify_frame
    >>> notes = pd.DataFrame({"text": ["Seen on 3/14/2007."]})
    >>> deidentify_frame(notes).frame["text"][0]  # doctest: +SKIP
    'Seen on [DATE].'
    """
    check_frame(frame)
    chosen = _frame_options(_chosen(options), patient)
    names = _text_columns(frame, columns)
    rewritten = Columns(tuple(names), chosen.patient_field)
    with open_run(chosen) as opened:
        changed = rewrite_frame(frame, rewritten, opened.run, id)
    warn_of_kept_identifiers(frame, names)
    return FrameResult(frame=changed, **_figures(opened.run))


def _named_columns(column: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns of a file, each once."""
    one = isinstance(column, str) or not isinstance(column, Iterable)
    names: tuple[Any, ...] = (column,) if one else tuple(column)
    for name in names:
        check_text("column", name)
    if not names:
        raise UsageError("no column is named; name those with text")
    return tuple(dict.fromkeys(names))


def _frame_options(options: DeidOptions, patient: str | None) -> DeidOptions:
    if options.vault is not None:
        raise UsageError("a vault restores files; write the data frame to a file first")
    return options if patient is None else replace(options, patient_field=patient)


def _text_columns(frame: pd.DataFrame, columns: Any) -> list[Any]:
    is_list = isinstance(columns, Iterable) and not isinstance(columns, str)
    # A tuple may be the name of one column.
    is_name = isinstance(columns, tuple) and columns in frame.columns
    names = list(dict.fromkeys(columns)) if is_list and not is_name else [columns]
    if not names:
        raise UsageError("no column is named; name those with text")
    if any(map(is_missing, names)):
        raise UsageError("the name of a column is missing; name those with text")
    return names


def _chosen(options: DeidOptions | None) -> DeidOptions:
    if not isinstance(options, DeidOptions | None):
        kind = type(options).__name__
        raise UsageError(f"options must be a DeidOptions(mode=...), not a {kind}")
    return options or DeidOptions()


def deidentify_stream(
    source: BinaryIO, target: BinaryIO, options: DeidOptions | None = None, *, name: str = "stream"
) -> DeidResult:
    """De-identify a text in UTF-8; if it fails, nothing is written.

    Parameters
    ----------
    source, target : binary file
        Such as ``sys.stdin.buffer`` and ``sys.stdout.buffer``.
    options : DeidOptions, optional
    name : str
        Name of the text in failures, report and vault.

    Returns
    -------
    DeidResult
    """
    chosen = _chosen(options)
    chosen.check_files()
    with open_run(chosen) as opened:
        rewrite_stream(source, target, name, opened.run)
        return _result(opened)


@contextmanager
def _table_run(
    source: str | Path, target: str | Path, columns: Columns, options: DeidOptions
) -> Iterator[OpenRun]:
    """Open a run over a single table; a table that cannot be read raises CorpusError."""
    job = FileJob.between(source, target)
    check_targets([job], options.may_overwrite)
    options.check_files([job])
    with open_run(options, [job], [job.target], columns.text) as opened:
        try:
            yield opened
        except TableError as error:
            remove_stale(job.target)
            raise CorpusError(job.source, str(error)) from None


def _result(opened: OpenRun, plan: JobPlan | None = None) -> DeidResult:
    return DeidResult(
        **_figures(opened.run),
        skipped=tuple(plan.skipped) if plan else (),
        unchanged=opened.increment.unchanged,
        vanished=opened.increment.vanished,
    )


def _figures(run: Redaction) -> dict[str, Any]:
    return {
        "documents": run.done,
        "labels": dict(sorted(run.labels.items())),
        "failures": tuple(run.failures),
        "tokens": run.throughput.tokens,
        "seconds": run.throughput.seconds,
    }
