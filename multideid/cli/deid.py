"""``multideid deid``: notes in, notes without PHI out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from multideid.cli.error_handler import tell
from multideid.cli.model_options import ModelOption, Recall, open_model
from multideid.cli.options import AsJson, ShowProgress
from multideid.cli.options import Jobs as Processes
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.output_paths import refuse_inside
from multideid.cli.progress import progress_bar
from multideid.deid.files import check_standard_input, rewrite_files, rewrite_standard_input
from multideid.deid.jobs import Jobs, describe_skipped, find_jobs
from multideid.deid.replacing import (
    As,
    KeepWeekday,
    KeyFile,
    PatientField,
    ReportFile,
    ShowPhi,
    VaultFile,
    Wishes,
    open_tools,
)
from multideid.deid.run import Redaction
from multideid.deid.tables import Columns
from multideid.errors import UsageError
from multideid.models import DEFAULT_MODEL, find_model


def deid(  # noqa: PLR0913 (the options of the command)
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT", help="Files and folders; or - alone: standard input to output."
        ),
    ],
    *,
    model: ModelOption = DEFAULT_MODEL,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="The folder to write to."),
    ] = None,
    mode: Annotated[
        As,
        typer.Option(
            "--as",
            help="What takes the place of PHI: its label ([b]mask[/b]), nothing "
            "([b]remove[/b]), itself between tags, for review ([b]tag[/b]), invented PHI of the "
            "same form ([b]surrogate[/b]), or its label with a keyed hash ([b]hash[/b]).",
        ),
    ] = As.mask,
    recall: Recall = None,
    column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column with the text in CSV, TSV and Parquet files; with it, those in folders "
            "are read too. Other columns are kept as they are. Default: text.",
        ),
    ] = None,
    key_file: KeyFile = None,
    patient_field: PatientField = None,
    keep_weekday: KeepWeekday = False,
    vault: VaultFile = None,
    report: ReportFile = None,
    show_phi: ShowPhi = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files of an earlier run, never an input.")
    ] = False,
    jobs: Processes = None,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """De-identify files, folders, table columns or standard input.

    Files keep their names and folders their layout; outside the PHI, every
    byte stays. In folders, .txt files are read; what is not is counted on
    stderr. Text must be UTF-8. A file that cannot be read, or on which the
    model fails, is named on stderr and not written.
    """
    from multideid.stacking import ParallelPredictor

    wishes = Wishes(mode, key_file, patient_field, keep_weekday, vault, report, show_phi, overwrite)
    wishes.check()
    if "-" in inputs:
        check_standard_input(inputs, out, column or patient_field, json)
        wishes.check_files()
        loaded = open_model(model, recall)
        with (
            open_tools(wishes) as tools,
            ParallelPredictor(loaded, 1, votes=bool(report)) as workers,
        ):
            run = Redaction(workers=workers, **tools._asdict())
            rewrite_standard_input(run)
        run.failures.finish()
        return
    if out is None:
        raise UsageError("name the folder to write to with --out")
    refuse_inside(out, [find_model(model)])
    paths = [Path(name) for name in inputs]
    files = find_jobs(paths, out, tables=column is not None, overwrite=overwrite)
    _check_patient_field(patient_field, files)
    wishes.check_files(files.todo)
    if files.skipped:
        tell(describe_skipped(files.skipped))
    with (
        progress_bar(progress, thread=False) as bar,
        open_tools(wishes) as tools,
        ParallelPredictor(open_model(model, recall), jobs, votes=bool(report)) as workers,
    ):
        run = Redaction(workers=workers, on_progress=bar, **tools._asdict())
        rewrite_files(files, Columns(column or "text", patient_field), run)
    print_figures(_figures(run, files, out), _text(run, out), json)
    run.failures.finish()


def _check_patient_field(patient_field: str | None, files: Jobs) -> None:
    if patient_field is not None and not any(job.is_table for job in files.todo):
        raise UsageError("--patient-field names a column of a table, and there is no table")


def _figures(run: Redaction, jobs: Jobs, out: Path) -> dict[str, Any]:
    return {
        "out": str(out),
        "documents": run.done,
        "spans": dict(sorted(run.labels.items())),
        **run.pace.to_dict(),
        "failed": run.failures.to_list(),
        "skipped": [str(path) for path in jobs.skipped],
    }


def _text(run: Redaction, out: Path) -> str:
    failed = f"; {counted(len(run.failures), 'failure')}, named above" if run.failures else ""
    line = f"{counted(run.done, 'document')} de-identified into {out}, {run.pace}{failed}"
    return f"{line}\n\n{labels_table(dict(sorted(run.labels.items())))}"
