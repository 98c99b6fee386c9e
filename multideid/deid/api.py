"""Functions that de-identify folders, tables and streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from multideid.arguments import as_path, check_text
from multideid.deid.file_names import warn_of_names
from multideid.deid.files import FileJob, JobPlan, check_targets, plan_files
from multideid.deid.notes import rewrite_notes, rewrite_stream
from multideid.deid.opening import OpenRun, open_run
from multideid.deid.options import DeidOptions
from multideid.deid.parquet import rewrite_parquet
from multideid.deid.results import DeidResult
from multideid.deid.run import Redaction, Run
from multideid.deid.table_columns import Columns
from multideid.deid.table_errors import TableError
from multideid.deid.tables import rewrite_csv, rewrite_table
from multideid.errors import CorpusError, UsageError
from multideid.files import remove_stale
from multideid.locks import remove_leftovers

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

    Text files (``.txt``) are read, structured files with the suffixes that
    ``multideid formats`` lists, and with `column` also CSV, TSV and Parquet files.
    Bytes outside the PHI stay. A file that cannot be read, or on which the model
    fails, is not written.

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
    chosen = as_options(options)
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
        If names of files, or of files in archives, look like PHI or repeat PHI that is
        found. Files keep their names; those in archives get neutral ones.
    """
    chosen = as_options(options)
    if chosen.patient_field is not None and not any(job.has_fields for job in plan.jobs):
        problem = "the patient field is a column of a table or a key in JSON, and there is neither"
        raise UsageError(problem)
    chosen.check_files(plan.jobs)
    warn_of_names([Path(job.source_name or job.name).as_posix() for job in plan.jobs])
    outputs = {job.out for job in plan.jobs}
    texts = tuple(columns or (TEXT_COLUMN,))
    with open_run(chosen, plan.jobs, outputs, columns) as opened:
        rewrite_files(opened.increment.jobs, Columns(texts, chosen.patient_field), opened.run)
        opened.run.repeated.warn([Path(job.name).as_posix() for job in plan.jobs])
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

    Except names of other columns that repeat PHI, which become neutral (``column-2``).

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
    chosen = as_options(options)
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
    """De-identify columns of a Parquet file; other columns, types and indices of pandas stay.

    Metadata, such as comments on columns and attributes of data frames, is left out, and names
    of other columns and of indices that repeat PHI become neutral (``column-2``).

    Parameters
    ----------
    source, target : str or Path
        The files to read and to write.
    options : DeidOptions, optional
    column : str or sequence of str
        Names of the columns to rewrite. A short value in a column that is named as an
        identifier or a date, or has the form of one, is replaced as a whole, and also in
        the other columns of its row.

    Returns
    -------
    DeidResult
        The cells of a row in `failures` are empty.

    Raises
    ------
    CorpusError, UsageError, ModelError
        As for `deidentify_csv`.

    Examples
    --------
    >>> from multideid import deidentify_parquet
    >>> deidentify_parquet("notes.parquet", "clean.parquet")  # doctest: +SKIP
    """
    chosen = as_options(options)
    columns = Columns(_named_columns(column), chosen.patient_field)
    with _table_run(source, target, columns, chosen) as opened:
        for job in opened.increment.jobs:
            rewrite_parquet(job, columns, opened.run)
        return _result(opened)


def as_options(options: DeidOptions | None) -> DeidOptions:
    """Return the options, or the default ones.

    Raises
    ------
    UsageError
        If they are something else.
    """
    if not isinstance(options, DeidOptions | None):
        kind = type(options).__name__
        raise UsageError(f"options must be a DeidOptions(mode=...), not a {kind}")
    return options or DeidOptions()


def _named_columns(column: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns of a file, each once."""
    one = isinstance(column, str) or not isinstance(column, Iterable)
    names: tuple[Any, ...] = (column,) if one else tuple(column)
    for name in names:
        check_text("column", name)
    if not names:
        raise UsageError("no column is named; name those with text")
    return tuple(dict.fromkeys(names))


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
    chosen = as_options(options)
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
        **figures(opened.run),
        skipped=(*(plan.skipped if plan else ()), *opened.run.skipped),
        unchanged=opened.increment.unchanged,
        vanished=opened.increment.vanished,
    )


def figures(run: Redaction) -> dict[str, Any]:
    """Return the fields that the results of all runs have."""
    return {
        "documents": run.done,
        "labels": dict(sorted(run.labels.items())),
        "failures": tuple(run.failures),
        "tokens": run.throughput.tokens,
        "seconds": run.throughput.seconds,
    }
