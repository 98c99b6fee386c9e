"""``multideid compare``: every base system, vote, Mega and Multi side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.cli.options import (
    AsJson,
    CorpusFormat,
    Jobs,
    Overwrite,
    Seed,
    ShowProgress,
    Systems,
    chosen_systems,
)
from multideid.cli.output import print_figures
from multideid.cli.places import make_free_folder, refuse_inside
from multideid.cli.progress import progress_bar

if TYPE_CHECKING:
    from multideid.document import Document


def compare(  # noqa: PLR0913 (the options of the command)
    train: Annotated[
        Path, typer.Option("--train", metavar="CORPUS", help="The corpus to train on.")
    ],
    test: Annotated[
        Path, typer.Option("--test", metavar="CORPUS", help="The corpus to measure on.")
    ],
    *,
    systems: Systems = None,
    folds: Annotated[
        int, typer.Option(metavar="N", help="Parts of whole documents, for Multi.")
    ] = 5,
    format: CorpusFormat = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    save_predictions: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep each system's predictions, as JSON Lines."),
    ] = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Train every base system, vote, Mega and Multi, and score them side by side.

    Per class and overall, with the z-test against Mega and with bootstrap
    intervals over documents.
    """
    from multideid.corpora import read_corpus
    from multideid.eval import compare as score
    from multideid.eval import format_comparison
    from multideid.stacking import compare_systems

    names = chosen_systems(systems)
    if save_predictions is not None:
        refuse_inside(save_predictions, [train, test])
        make_free_folder(save_predictions, overwrite)
    learned, measured = read_corpus(train, format), read_corpus(test, format)
    with progress_bar(progress) as on_progress:
        predictions = compare_systems(
            learned,
            measured,
            systems=names,
            folds=folds,
            seed=seed,
            n_jobs=jobs,
            progress=on_progress,
        )
    if save_predictions is not None:
        _save(predictions, save_predictions, overwrite)
    comparison = score(measured, predictions, folds=folds, seed=seed)
    print_figures(comparison.to_dict(), format_comparison(comparison), json)


def _save(predictions: Mapping[str, Sequence[Document]], folder: Path, overwrite: bool) -> None:
    from multideid.corpora import write_corpus

    for name, documents in predictions.items():
        write_corpus(documents, folder / f"{name}.jsonl", "jsonl", overwrite=overwrite)
