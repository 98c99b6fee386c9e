"""``python scripts/default_model``: train the bundled models again, and measure them.

For maintainers. The corpora that it was trained on are not part of the package.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from agreement_figures import agreement_of_halves, agreement_of_systems
from patients import known_patients

import figures
import recipe
from calibration import reliability
from multideid.cli.error_handler import handle_errors
from multideid.cli.options.common import Jobs, Overwrite, ShowProgress
from multideid.cli.progress import progress_bar
from multideid.errors import UsageError
from multideid.models import DEFAULT_MODEL, load
from multideid.stacking import MultiDeidentifier
from recipe import FLAVOURS
from sizes import size_in_wheel

app = typer.Typer(pretty_exceptions_enable=False, no_args_is_help=True)

Corpora = Annotated[
    Path,
    typer.Argument(
        metavar="CORPORA", help=f"A folder with {', '.join(FLAVOURS)}, each train.xml and dev.xml."
    ),
]


@app.command()
@handle_errors
def train(  # noqa: PLR0913 (the options of the command)
    corpora: Corpora,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="MODEL")],
    *,
    without: Annotated[
        str | None, typer.Option(metavar="FLAVOUR", help="The flavour to leave out.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(metavar="N", help="Sample notes to take. Default: all.")
    ] = None,
    folds: Annotated[int, typer.Option(metavar="N")] = recipe.FOLDS,
    by_kind: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="Write the scores by kind of note, out of fold."),
    ] = None,
    jobs: Jobs = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
) -> None:
    """Train the model, or one that has not seen a flavour, and write its folder."""
    if without is not None and without not in FLAVOURS:
        raise UsageError(f"--without is one of {', '.join(FLAVOURS)}; got {without!r}")
    chosen = [flavour for flavour in FLAVOURS if flavour != without]
    with progress_bar(progress) as shown:
        model = recipe.train(
            corpora,
            chosen,
            samples=samples,
            folds=folds,
            n_jobs=jobs,
            progress=shown,
            by_kind=by_kind,
        )
    model.save(out, overwrite, private=False)


@app.command()
@handle_errors
def spanish(  # noqa: PLR0913 (the options of the command)
    meddocan: Annotated[
        Path, typer.Argument(metavar="MEDDOCAN", help="A folder with train and dev.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="MODEL")],
    *,
    without_dev: Annotated[
        bool, typer.Option("--without-dev", help="Train on train alone, to measure on dev.")
    ] = False,
    jobs: Jobs = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
) -> None:
    """Train the Spanish model and write its folder."""
    splits = ["train"] if without_dev else ["train", "dev"]
    with progress_bar(progress) as shown:
        model = recipe.train_spanish(meddocan, splits, n_jobs=jobs, progress=shown)
    model.save(out, overwrite, private=False)


@app.command()
@handle_errors
def dev(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained model.")],
    *,
    documents: Annotated[int | None, typer.Option(metavar="N", help="Default: all.")] = None,
) -> None:
    """Print a model's size in the wheel, and its figures on dev notes."""
    loaded = load(model)
    assert isinstance(loaded, MultiDeidentifier)
    sizes = size_in_wheel(model)
    by_system = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
    typer.echo(f"{sum(sizes.values()):,} bytes in the wheel: {by_system}\n\n{figures.HEADER}")
    for row in figures.measure_dev(loaded, documents):
        typer.echo(row)


@app.command()
@handle_errors
def measure(
    corpora: Corpora,
    *,
    model: Annotated[str, typer.Option(metavar="MODEL")] = DEFAULT_MODEL,
    left_out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of models trained --without a flavour."),
    ] = None,
) -> None:
    """Print the tables of the model card and of docs/notebook/results.md, in Markdown."""
    typer.echo(figures.HEADER)
    rows = []
    for row in figures.measure(model, corpora, left_out):
        typer.echo(row)
        rows.append(row)
    typer.echo("")
    typer.echo(figures.by_label(row for row in rows if row.system == "`--recall balanced`"))


@app.command()
@handle_errors
def members(
    *,
    model: Annotated[str, typer.Option(metavar="MODEL")] = DEFAULT_MODEL,
    split: Annotated[str, typer.Option(metavar="SPLIT", help="dev or test.")] = "dev",
) -> None:
    """Compare Multi with its members and their vote on sample notes, with p values."""
    typer.echo(figures.of_members(model, split))


@app.command()
@handle_errors
def briefs(
    *,
    model: Annotated[str, typer.Option(metavar="MODEL")] = DEFAULT_MODEL,
    member: Annotated[str | None, typer.Option(metavar="SYSTEM", help="Default: Multi.")] = None,
    split: Annotated[str, typer.Option(metavar="SPLIT", help="dev or test.")] = "dev",
    documents: Annotated[int | None, typer.Option(metavar="N", help="Default: all.")] = None,
) -> None:
    """Print the scores of a model, or of a member alone, by brief of the sample notes."""
    for line in figures.of_briefs(model, split, member, documents):
        typer.echo(line)


@app.command()
@handle_errors
def calibration(
    *,
    model: Annotated[str, typer.Option(metavar="MODEL")] = DEFAULT_MODEL,
    refit: Annotated[
        bool, typer.Option(help="Fit the curve to half of the briefs, and measure on the others.")
    ] = False,
    documents: Annotated[int | None, typer.Option(metavar="N", help="Default: all.")] = None,
) -> None:
    """Print how well the probabilities of scores hold on the dev notes."""
    for line in reliability(model, refit=refit, n_documents=documents):
        typer.echo(line)


@app.command()
@handle_errors
def patients(
    *,
    model: Annotated[str, typer.Option(metavar="MODEL")] = DEFAULT_MODEL,
    split: Annotated[str, typer.Option(metavar="SPLIT", help="dev or test.")] = "dev",
    documents: Annotated[int | None, typer.Option(metavar="N", help="Default: all.")] = None,
) -> None:
    """Print how much of known patients' identifiers is left standing in sample notes."""
    for line in known_patients(model, documents, split):
        typer.echo(line)


@app.command()
@handle_errors
def agreement(
    *,
    model: Annotated[str, typer.Option(metavar="MODEL")] = DEFAULT_MODEL,
    documents: Annotated[int | None, typer.Option(metavar="N", help="Default: all.")] = None,
) -> None:
    """Print what agreement finds in dev notes, and in and across their halves."""
    for line in (
        *agreement_of_systems(model, documents),
        "",
        *agreement_of_halves(model, documents),
    ):
        typer.echo(line)


if __name__ == "__main__":
    app()
