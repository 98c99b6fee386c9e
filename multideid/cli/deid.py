"""``multideid deid``: notes in, notes without PHI out."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from multideid.cli.error_handler import exit_if_failed, print_failure, print_notice
from multideid.cli.options import (
    AllowLists,
    AsJson,
    AsText,
    DenyLists,
    Inputs,
    Jobs,
    JsonId,
    JsonPaths,
    KeepWeekday,
    KeyFile,
    LanguageCheck,
    ModelOption,
    OnOrOff,
    OutFolder,
    OverwriteFiles,
    PassThrough,
    PatientField,
    PatientsTable,
    Recall,
    ReplaceBy,
    ReplacementMode,
    SharedOrPrivate,
    ShowPhi,
    ShowProgress,
    SiteFile,
    SpansReport,
    TakenLabels,
    TextColumn,
    TextEncoding,
    Timeout,
    VaultFile,
)
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.progress import progress_bar
from multideid.cli.site_values import chosen_site
from multideid.errors import UsageError
from multideid.models import DEFAULT_MODEL
from multideid.parallel import TIMEOUT

if TYPE_CHECKING:
    from multideid.deid import DeidResult
    from multideid.deid.files import JobPlan

STANDARD_INPUT = "standard input"


def deid(  # noqa: PLR0913 (the options of the command)
    inputs: Inputs,
    *,
    model: ModelOption = DEFAULT_MODEL,
    out: OutFolder = None,
    mode: ReplaceBy = ReplacementMode.mask,
    recall: Recall = None,
    site: SiteFile = None,
    allow: AllowLists = None,
    deny: DenyLists = None,
    patients: PatientsTable = None,
    labels: TakenLabels = None,
    pass_through: PassThrough = None,
    column: TextColumn = None,
    json_path: JsonPaths = None,
    json_id: JsonId = None,
    encoding: TextEncoding = None,
    as_text: AsText = False,
    language_check: LanguageCheck = OnOrOff.on,
    key_file: KeyFile = None,
    patient_field: PatientField = None,
    keep_weekday: KeepWeekday = False,
    vault: VaultFile = None,
    report: SpansReport = None,
    show_phi: ShowPhi = False,
    overwrite: OverwriteFiles = False,
    shared: SharedOrPrivate = None,
    jobs: Jobs = None,
    timeout: Timeout = TIMEOUT,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """De-identify files, folders, table columns or standard input.

    Files keep their names and folders their layout; every byte outside the PHI
    stays. Files that are not plain text are recognised by their content and read
    by their structure (see multideid formats); what is not understood is named
    on stderr and not written, and so is a file on which the model fails. In
    folders, files with other suffixes are counted on stderr.
    """
    from multideid.deid import DeidOptions, deidentify_files, deidentify_stream

    options = DeidOptions(
        model=model,
        recall=recall,
        site=chosen_site(site, allow, deny, labels, patients),
        pass_through=pass_through,
        mode=mode.value,
        key=key_file,
        patient_field=patient_field,
        as_text=as_text,
        encoding=encoding,
        json_paths=tuple(json_path or ()),
        json_id=json_id,
        language_check=language_check is OnOrOff.on,
        keep_weekday=keep_weekday,
        vault=vault,
        report=report,
        show_phi=show_phi,
        overwrite=overwrite,
        shared=shared,
        n_jobs=jobs,
        isolated=True,
        timeout=timeout,
        on_failure=print_failure,
    )
    if "-" in inputs:
        check_standard_input(inputs, out, column, json)
        result = deidentify_stream(*standard_streams(), options, name=STANDARD_INPUT)
    else:
        plan = plan_inputs(inputs, out, column, overwrite)
        with progress_bar(progress, thread=False) as shown:
            result = deidentify_files(plan, replace(options, progress=shown), column=column)
        print_figures({"out": str(out), **result.to_dict()}, _text(result, out), json)
    exit_if_failed(result.failures)


def check_standard_input(
    inputs: list[str], out: Path | None, column: str | None, json: bool
) -> None:
    """Raise UsageError if standard input is combined with other inputs or outputs."""
    if len(inputs) > 1 or out is not None or column is not None or json:
        problem = "no other input, and no --out, --column or --json"
        raise UsageError(f"- goes alone, as text, to standard output: {problem}")


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the binary standard input and output."""
    return sys.stdin.buffer, sys.stdout.buffer


def plan_inputs(
    inputs: list[str], out: Path | None, column: str | None, overwrite: bool
) -> JobPlan:
    """Plan the files to read and write, and print how many are skipped.

    Raises
    ------
    UsageError, CorpusError
        If there is no output folder, or as for `plan_files`.
    """
    from multideid.deid.files import describe_skipped, plan_files

    if out is None:
        raise UsageError("name the folder to write to with --out")
    paths = [Path(name) for name in inputs]
    plan = plan_files(paths, out, tables=column is not None, overwrite=overwrite)
    if plan.skipped:
        print_notice(describe_skipped(plan.skipped))
    return plan


def _text(result: DeidResult, out: Path | None) -> str:
    done = f"{counted(result.documents, 'document')} de-identified into {out}"
    failed = f"; {counted(len(result.failures), 'failure')}, named above"
    line = f"{done}, {result.tokens_per_second:,} tokens/s{failed if result.failures else ''}"
    return f"{line}\n\n{labels_table(result.labels)}"
