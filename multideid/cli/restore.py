"""``multideid restore``: the original text, from a vault."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.cli.deid import (
    STANDARD_INPUT,
    check_standard_input,
    plan_inputs,
    standard_streams,
)
from multideid.cli.error_handler import exit_if_failed, print_failure
from multideid.cli.options.common import AsJson, Shared, ShowProgress
from multideid.cli.options.replacing import OutFolder, OverwriteFiles, VaultKeyFile
from multideid.cli.output import counted, print_figures
from multideid.cli.progress import progress_bar

if TYPE_CHECKING:
    from multideid.deid import DeidResult

DeidentifiedInputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT", help="De-identified files and folders; or - alone: standard input."
    ),
]
VaultToRead = Annotated[
    Path,
    typer.Option("--vault", metavar="FILE", help="The vault that deid wrote.", show_default=False),
]
ColumnsAtDeid = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Columns of tables, as given to deid."),
]
JsonPathsAtDeid = Annotated[
    list[str] | None,
    typer.Option(metavar="PATH", help="Key of the text in JSON, as given to deid."),
]
JsonIdAtDeid = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="Key of a record's id in JSON, as given to deid."),
]
EncodingAtDeid = Annotated[
    str | None, typer.Option(metavar="NAME", help="Encoding of the files, as given to deid.")
]
AsTextAtDeid = Annotated[
    bool, typer.Option("--as-text", help="Read files as plain text, if deid did so.")
]


def restore(  # noqa: PLR0913 (the options of the command)
    inputs: DeidentifiedInputs,
    *,
    vault: VaultToRead,
    out: OutFolder = None,
    key_file: VaultKeyFile = None,
    column: ColumnsAtDeid = None,
    json_path: JsonPathsAtDeid = None,
    json_id: JsonIdAtDeid = None,
    encoding: EncodingAtDeid = None,
    as_text: AsTextAtDeid = False,
    overwrite: OverwriteFiles = False,
    shared: Shared = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Restore de-identified text, with the vault and the key that it was written with.

    Name the folder that deid wrote to: the vault lists files by their names in
    it. A file that was changed since is named on stderr and not written.
    """
    from multideid.corpora.structured.reading import reading_options
    from multideid.deid.restore import check_inputs, read_records, restore_files, restore_stream

    reading = reading_options(
        as_text=as_text, encoding=encoding, json_paths=tuple(json_path or ()), json_id=json_id
    )
    if "-" in inputs:
        check_standard_input(inputs, out, column, json)
        records = read_records(vault, key_file)
        streams = standard_streams()
        result = restore_stream(
            *streams, records, name=STANDARD_INPUT, reading=reading, on_failure=print_failure
        )
    else:
        plan = plan_inputs(inputs, out, column, overwrite)
        check_inputs(plan, vault, key_file)
        records = read_records(vault, key_file)
        with progress_bar(progress, thread=False) as shown:
            result = restore_files(
                plan,
                records,
                columns=column or (),
                reading=reading,
                shared=shared,
                progress=shown,
                on_failure=print_failure,
            )
        _print_restored(result, out, json)
    exit_if_failed(result.failures)


def _print_restored(result: DeidResult, out: Path | None, json: bool) -> None:
    failed = [failure._asdict() for failure in result.failures]
    figures = {"out": str(out), "documents": result.documents, "failed": failed}
    named = f"; {counted(len(failed), 'failure')}, named above" if failed else ""
    done = f"{counted(result.documents, 'document')} restored into {out}{named}"
    print_figures(figures, done, json)
