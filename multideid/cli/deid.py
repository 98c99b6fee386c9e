"""``multideid deid``: notes in, notes without PHI out."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from multideid.cli.deid_jobs import Jobs, describe_skipped, find_jobs
from multideid.cli.deid_notes import redact_notes, split_mark
from multideid.cli.deid_run import Run
from multideid.cli.deid_tables import redact_table
from multideid.cli.guard import tell
from multideid.cli.options import AsJson, ShowProgress
from multideid.cli.options import Jobs as Processes
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.places import refuse_inside
from multideid.cli.progress import progress_bar
from multideid.document import Document
from multideid.errors import UsageError

_STANDARD_INPUT = "standard input"


class As(StrEnum):
    """What may stand in the place of PHI."""

    mask = "mask"
    tag = "tag"
    remove = "remove"


def deid(  # noqa: PLR0913 (the options of the command)
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT", help="Files and folders; or - alone: standard input to output."
        ),
    ],
    *,
    model: Annotated[Path, typer.Option("--model", "-m", metavar="MODEL", help="A trained model.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="The folder to write to."),
    ] = None,
    mode: Annotated[
        As,
        typer.Option(
            "--as",
            help="What takes the place of PHI: its label ([b]mask[/b]), nothing "
            "([b]remove[/b]), or itself between tags, for review ([b]tag[/b]).",
        ),
    ] = As.mask,
    column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column with the text in CSV, TSV and Parquet files; with it, those in folders "
            "are read too. Other columns are kept as they are. Default: text.",
        ),
    ] = None,
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
    from multideid.stacking import Workers, load

    if "-" in inputs:
        _check_standard_input(inputs, out, column, json)
        _redact_standard_input(Run(Workers(load(model), 1), mode.value))
        return
    if out is None:
        raise UsageError("name the folder to write to with --out")
    refuse_inside(out, [model])
    paths = [Path(name) for name in inputs]
    files = find_jobs(paths, out, tables=column is not None, overwrite=overwrite)
    if files.skipped:
        tell(describe_skipped(files.skipped))
    with progress_bar(progress, thread=False) as bar, Workers(load(model), jobs) as workers:
        run = Run(workers, mode.value, bar)
        _redact_all(files, column or "text", run)
    print_figures(_figures(run, files, out), _text(run, out), json)
    run.failures.finish()


def _redact_all(jobs: Jobs, column: str, run: Run) -> None:
    redact_notes([job for job in jobs.todo if not job.is_table], run)
    for job in jobs.todo:
        if job.is_table:
            redact_table(job, column, run)


def _check_standard_input(
    inputs: list[str], out: Path | None, column: str | None, json: bool
) -> None:
    if len(inputs) > 1 or out is not None or column is not None or json:
        problem = "no other input, and no --out, --column or --json"
        raise UsageError(f"- goes alone, as text, to standard output: {problem}")


def _redact_standard_input(run: Run) -> None:
    mark = ""
    documents: list[Document] = []
    try:
        mark, text = split_mark(sys.stdin.buffer.read().decode("utf-8"))
        documents = [Document(_STANDARD_INPUT, text)]
    except UnicodeDecodeError as error:
        run.failures.add(_STANDARD_INPUT, f"byte {error.start}: not UTF-8; convert it to UTF-8")
    for _, redacted in run.redact_each(documents):
        if redacted is not None:
            sys.stdout.buffer.write((mark + redacted).encode("utf-8"))
            sys.stdout.buffer.flush()
    run.failures.finish()


def _figures(run: Run, jobs: Jobs, out: Path) -> dict[str, Any]:
    return {
        "out": str(out),
        "documents": run.done,
        "spans": dict(sorted(run.labels.items())),
        **run.pace.to_dict(),
        "failed": run.failures.to_list(),
        "skipped": [str(path) for path in jobs.skipped],
    }


def _text(run: Run, out: Path) -> str:
    failed = f"; {counted(len(run.failures), 'failure')}, named above" if run.failures else ""
    line = f"{counted(run.done, 'document')} de-identified into {out}, {run.pace}{failed}"
    return f"{line}\n\n{labels_table(dict(sorted(run.labels.items())))}"
