"""``multideid experiment NAME``: the tables and figures of the papers, on your own corpora."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.cli.experiment_options import Run, experiment_command
from multideid.cli.guard import guarded

if TYPE_CHECKING:
    from multideid.eval.experiments import Corpus, Result, Setup

Of = Annotated[
    str,
    typer.Option(
        "--of",
        metavar="LIST",
        help="What to measure, with commas between: base systems, vote, mega, multi.",
    ),
]

experiment = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    help="Repeat the experiments of the papers on your own corpora.\n\n"
    "Each takes one corpus or several: repeat --train and --test in pairs. With --out it can be "
    "stopped at any time and goes on where it was.",
    epilog="Example: [b]multideid experiment learning-curve --train train/ --test test/ "
    "--out results/[/b]",
)


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _learning_curve(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    of: Of = "stat-deid",
    draws: Annotated[
        int, typer.Option(metavar="N", help="How often documents are drawn for each share.")
    ] = 3,
) -> Result:
    """How scores grow with the training documents, 3.125 % to 100 % of them.

    Means over repeated draws with intervals, at token level (PHI or not) and
    at span level (strict). Tafvizi et al., 5.6, Figures 6 and 7.
    """
    from multideid.eval.experiments import learning_curve

    return learning_curve(corpora, setup, systems=_names(of), draws=draws)


def _add(panel: str, run: Run, example: str) -> None:
    name = example.split(maxsplit=1)[0]
    epilog = f"Example: [b]multideid experiment {example}[/b]"
    command = guarded(experiment_command(name, run))
    experiment.command(name, rich_help_panel=panel, epilog=epilog)(command)


_add(
    "Data",
    _learning_curve,
    "learning-curve --train train/ --test test/ --of mega,multi --out results/",
)
