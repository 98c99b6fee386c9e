"""``multideid restore``: what a vault remembers, back in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from multideid.cli.options import AsJson, ShowProgress
from multideid.cli.output import counted, print_figures
from multideid.cli.progress import progress_bar
from multideid.deid.files import check_standard_input, rewrite_files, rewrite_standard_input
from multideid.deid.jobs import find_jobs
from multideid.deid.replacing import KeyFile, find_key, require_key
from multideid.deid.run import NAME, Run
from multideid.deid.tables import Columns
from multideid.document import Document
from multideid.errors import UsageError
from multideid.redact import Record


@dataclass(slots=True, kw_only=True)
class Restoration(Run):
    """Texts that get back what was replaced in them.

    Parameters
    ----------
    records : mapping of str to Record
        As `read_vault` returns.
    """

    reads_empty: ClassVar[bool] = True

    records: Mapping[str, Record]

    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, str | None]]:
        """Yield id and text of each document as it was."""
        for document in documents:
            yield document.id, self._restored(document)

    def _restored(self, document: Document) -> str | None:
        record = self.records.get(str(document.meta.get(NAME, document.id)))
        if record is None:
            # Cells without text were not replaced, and none that failed are there.
            if not document.text and NAME in document.meta:
                return ""
            problem = "not in the vault; files must have the names and layout that they got"
            self.failures.add(document.id, problem)
            return None
        text = record.restored(document.text)
        if text is None:
            problem = "not the text that was written: it was changed, or is of another run"
            self.failures.add(document.id, problem)
        else:
            self._count(document)
        return text


def restore(  # noqa: PLR0913 (the options of the command)
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT", help="De-identified files and folders; or - alone: standard input."
        ),
    ],
    *,
    vault: Annotated[
        Path, typer.Option("--vault", metavar="FILE", help="What deid wrote.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")
    ] = None,
    key_file: KeyFile = None,
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column with the text in tables, as deid got it."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files of an earlier run, never an input.")
    ] = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Turn de-identified text back, with the vault and the key that it was written with.

    Name the folder that deid wrote to: files are found in the vault by their
    names in it. A file that was changed since is named on stderr and not
    written.
    """
    from multideid.redact import read_vault

    standard_input = "-" in inputs
    if standard_input:
        check_standard_input(inputs, out, column, json)
    elif out is None:
        raise UsageError("name the folder to write to with --out")
    records = read_vault(vault, require_key(find_key(key_file)))
    if standard_input or out is None:
        run = Restoration(records=records)
        rewrite_standard_input(run)
        run.failures.finish()
        return
    paths = [Path(name) for name in inputs]
    files = find_jobs(paths, out, tables=column is not None, overwrite=overwrite)
    with progress_bar(progress, thread=False) as bar:
        run = Restoration(records=records, on_progress=bar)
        rewrite_files(files, Columns(column or "text"), run)
    failed = run.failures.to_list()
    figures = {"out": str(out), "documents": run.done, "failed": failed}
    told = f"; {counted(len(failed), 'failure')}, named above" if failed else ""
    print_figures(figures, f"{counted(run.done, 'document')} restored into {out}{told}", json)
    run.failures.finish()
