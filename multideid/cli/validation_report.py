"""``multideid validate report`` and ``check``: figures, a page to sign, and their digest."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.option_groups import SiteOptions, with_groups
from multideid.cli.options.corpora import CorpusFormat
from multideid.cli.options.replacing import SigningKeyFile
from multideid.cli.options.validation import CountedReviewers
from multideid.cli.validation_groups import ModelOptions, ReportOptions
from multideid.errors import UsageError

PlanArgument = Annotated[Path, typer.Argument(metavar="PLAN", help="The plan of the sample.")]
ReadSamples = Annotated[
    list[Path],
    typer.Argument(
        metavar="READ",
        help="The sample with what people marked: a corpus for each reader, at most two, or "
        "the file of a review.",
    ),
]


@with_groups
def report(  # noqa: PLR0913 (the options of the command)
    plan: PlanArgument,
    read: ReadSamples,
    *,
    validated: ModelOptions,
    knowledge: SiteOptions,
    reviewer: CountedReviewers = None,
    format: CorpusFormat = None,
    written: ReportOptions,
) -> None:
    """Compare what people marked in the sample with what a model finds.

    The options of the model must be those with which the notes are de-identified.
    Nothing that is printed or written holds text or ids of notes.
    """
    from multideid.cli.validation_input import readings_of
    from multideid.validation import read_plan

    written.check({"the plan": plan, **{f"reading {path}": path for path in read}})
    choice = validated.choice(knowledge.chosen())
    drawn = read_plan(plan)
    written.write(drawn, readings_of(drawn, read, reviewer, format), choice)


def check(
    report: Annotated[Path, typer.Argument(metavar="FILE", help="The JSON of a report.")],
    *,
    key_file: SigningKeyFile = None,
) -> None:
    """Check that the figures of a report were not changed, and print its digest."""
    from multideid.deid.replacing import find_key
    from multideid.validation import check_report

    try:
        content = json_format.loads(report.read_bytes())
    except (ValueError, RecursionError):
        raise UsageError(f"{report} is not the JSON of a report") from None
    key = None if key_file is None else find_key(key_file)
    digest = check_report(content, key)
    how = "the digest" if key is None else "the digest and the key"
    typer.echo(f"unchanged, by {how}: {digest}")
