"""Files and standard input, read and written anew by a run."""

from __future__ import annotations

import sys
from pathlib import Path

from multideid.deid.jobs import Jobs
from multideid.deid.notes import rewrite_notes, split_mark
from multideid.deid.run import Run
from multideid.deid.tables import Columns, rewrite_table
from multideid.document import Document
from multideid.errors import UsageError

_STANDARD_INPUT = "standard input"


def rewrite_files(jobs: Jobs, columns: Columns, run: Run) -> None:
    """Write all files of a run anew: first the notes, then the tables."""
    rewrite_notes([job for job in jobs.todo if not job.is_table], run)
    for job in jobs.todo:
        if job.is_table:
            rewrite_table(job, columns, run)


def check_standard_input(
    inputs: list[str], out: Path | None, column: str | None, json: bool = False
) -> None:
    """Raise UsageError if standard input does not go alone."""
    if len(inputs) > 1 or out is not None or column is not None or json:
        problem = "no other input, and no --out, --column or --json"
        raise UsageError(f"- goes alone, as text, to standard output: {problem}")


def rewrite_standard_input(run: Run) -> None:
    """Write the text of standard input anew to standard output, if it does not fail."""
    mark = ""
    documents: list[Document] = []
    try:
        mark, text = split_mark(sys.stdin.buffer.read().decode("utf-8"))
        documents = [Document(_STANDARD_INPUT, text)]
    except UnicodeDecodeError as error:
        run.failures.add(_STANDARD_INPUT, f"byte {error.start}: not UTF-8; convert it to UTF-8")
    for _, new in run.rewrite_each(documents):
        if new is not None:
            sys.stdout.buffer.write((mark + new).encode("utf-8"))
            sys.stdout.buffer.flush()
