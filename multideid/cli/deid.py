"""``multideid deid``: notes in, notes without PHI out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from multideid.cli.error_handler import exit_if_failed, print_failure, print_notice
from multideid.cli.option_groups import (
    ReadingOptions,
    ReplacingOptions,
    RunOptions,
    SiteOptions,
    with_groups,
)
from multideid.cli.options.models import ModelOption, PassThrough, Recall
from multideid.cli.options.reading import Inputs, LanguageCheck, OnOrOff
from multideid.cli.options.replacing import OutFolder, ReplaceBy, ReplacementMode
from multideid.cli.options.site import ActionsByLabel, PresetName
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.panels import with_panels
from multideid.cli.progress import progress_bar
from multideid.cli.site_values import chosen_actions
from multideid.errors import UsageError
from multideid.models import DEFAULT_MODEL

if TYPE_CHECKING:
    from multideid.deid import DeidResult
    from multideid.deid.files import JobPlan

STANDARD_INPUT = "standard input"
_MOST_NAMED = 20


PANELS = {
    "What replaces PHI": "mode action preset keep_weekday date_order",
    "What is found": "recall site allow deny patients labels min_score agreement pass_through",
    "Which text is read": "column json_path json_id encoding as_text language_check",
    "Keys and restoring": "key_file patient_field vault report show_phi",
    "Runs": "overwrite resume skip_existing shared jobs timeout progress json",
}
"""Parameters by their panels in the help; the model and the output are in none."""


@with_panels(PANELS)
@with_groups
def deid(  # noqa: PLR0913 (the options of the command)
    inputs: Inputs,
    *,
    model: ModelOption = DEFAULT_MODEL,
    out: OutFolder = None,
    mode: ReplaceBy = ReplacementMode.mask,
    action: ActionsByLabel = None,
    preset: PresetName = None,
    recall: Recall = None,
    knowledge: SiteOptions,
    pass_through: PassThrough = None,
    reading: ReadingOptions,
    language_check: LanguageCheck = OnOrOff.on,
    replacing: ReplacingOptions,
    run: RunOptions,
) -> None:
    """De-identify files, folders, table columns or standard input.

    Files keep their names and folders their layout; in plain text, every byte
    outside the PHI stays. Files that are not plain text are recognised by their
    content and read by their structure (see multideid formats); what is not
    understood is named on stderr and not written, and so is a file on which the
    model fails. In folders, files with other suffixes are counted on stderr.
    """
    from multideid.deid import DeidOptions, deidentify_files, deidentify_stream

    options = DeidOptions(
        model=model,
        recall=recall,
        site=knowledge.chosen(
            actions=chosen_actions(action), preset=preset, date_order=replacing.date_order
        ),
        pass_through=pass_through,
        mode=mode.value,
        language_check=language_check is OnOrOff.on,
        isolated=True,
        on_failure=print_failure,
        **reading.settings(),
        **replacing.settings(),
        **run.settings(),
    )
    if "-" in inputs:
        check_standard_input(inputs, out, reading.column, run.json)
        result = deidentify_stream(*standard_streams(), options, name=STANDARD_INPUT)
        print_skipped(result.skipped)
    else:
        plan = plan_inputs(inputs, out, reading.column, options.may_overwrite)
        with progress_bar(run.progress, thread=False) as shown:
            chosen = replace(options, progress=shown)
            result = deidentify_files(plan, chosen, columns=reading.column or None)
        print_skipped(result.skipped[len(plan.skipped) :])  # The others were named before.
        _name_vanished(result.vanished)
        print_figures({"out": str(out), **result.to_dict()}, _text(result, out), run.json)
    exit_if_failed(result.failures)


def check_standard_input(
    inputs: list[str], out: Path | None, columns: Sequence[str] | None, json: bool
) -> None:
    """Raise UsageError if standard input is combined with other inputs or outputs."""
    if len(inputs) > 1 or out is not None or columns or json:
        problem = "no other input, and no --out, --column or --json"
        raise UsageError(f"- goes alone, as text, to standard output: {problem}")


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the binary standard input and output."""
    return sys.stdin.buffer, sys.stdout.buffer


def plan_inputs(
    inputs: list[str], out: Path | None, columns: Sequence[str] | None, overwrite: bool
) -> JobPlan:
    """Plan the files to read and write, and print how many are skipped.

    Raises
    ------
    UsageError, CorpusError
        If there is no output folder, or as for `plan_files`.
    """
    from multideid.deid.files import plan_files

    if out is None:
        raise UsageError("name the folder to write to with --out")
    paths = [Path(name) for name in inputs]
    plan = plan_files(paths, out, tables=bool(columns), overwrite=overwrite)
    print_skipped(plan.skipped)
    return plan


def print_skipped(skipped: Sequence[Path]) -> None:
    """Print how many files were not read, if any, on stderr."""
    from multideid.deid.files import describe_skipped

    if skipped:
        print_notice(describe_skipped(skipped))


def _text(result: DeidResult, out: Path | None) -> str:
    done = f"{counted(result.documents, 'document')} de-identified into {out}"
    failed = f"; {counted(len(result.failures), 'failure')}, named above"
    line = f"{done}, {result.tokens_per_second:,} tokens/s{failed if result.failures else ''}"
    if result.unchanged:
        line += f"; {counted(result.unchanged, 'file')} unchanged since the last run"
    return f"{line}\n\n{labels_table(result.labels)}"


def _name_vanished(names: Sequence[str]) -> None:
    for name in names[:_MOST_NAMED]:
        print_notice(f"vanished: {name}: its input is gone; the output stays")
    if len(names) > _MOST_NAMED:
        print_notice(f"vanished: and {len(names) - _MOST_NAMED:,} more, which --json lists")
