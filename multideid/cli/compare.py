"""``multideid compare``: every base system, vote, Mega and Multi side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.corpus_pairs import CorpusPair, Names, Test, Train, corpus_pairs
from multideid.cli.options import (
    AsJson,
    Beta,
    CorpusFormat,
    Jobs,
    Overwrite,
    Param,
    Seed,
    ShowProgress,
    Systems,
    Tokenization,
    chosen_systems,
)
from multideid.cli.output import print_figures
from multideid.cli.output_paths import make_free_folder, refuse_inside
from multideid.cli.progress import OnProgress, progress_bar
from multideid.cli.report import ReportDraft, ReportFile
from multideid.cli.system_params import with_params

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.stacking import Deidentifier


def compare(  # noqa: PLR0913 (the options of the command)
    train: Train,
    test: Test,
    *,
    name: Names = None,
    systems: Systems = None,
    param: Param = None,
    folds: Annotated[
        int, typer.Option(metavar="N", help="Parts of whole documents, for Multi.")
    ] = 5,
    tokenization: Tokenization = "multideid",
    beta: Beta = 1.0,
    format: CorpusFormat = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    save_predictions: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep each system's predictions, as JSON Lines."),
    ] = None,
    report: ReportFile = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Train every base system, vote, Mega and Multi, and score them side by side.

    Per class, by HIPAA's identifiers and overall, with what is left standing,
    the z-test against Mega, and bootstrap intervals and randomization tests
    over documents. Repeat --train and --test in pairs to measure on several
    corpora, each by itself; one table then shows them all.
    """
    from multideid.corpora import read_corpus
    from multideid.eval import Comparison, comparisons_to_dict, format_comparisons
    from multideid.eval import compare as score
    from multideid.eval.metrics.scores import check_beta
    from multideid.eval.metrics.tokens import check_tokenization
    from multideid.stacking.systems import given_params, knowledge_of, make_systems

    chosen = with_params(chosen_systems(systems), param)
    pairs = corpus_pairs(train, test, name)
    fitting: dict[str, Any] = {"systems": chosen, "folds": folds, "seed": seed, "n_jobs": jobs}
    scoring: dict[str, Any] = {"tokenization": tokenization, "beta": beta, "folds": folds}
    scoring |= {"seed": seed, "params": given_params(chosen)}
    scoring["knowledge"] = knowledge_of(make_systems(chosen).values())
    check_beta(beta)
    check_tokenization(tokenization)
    folders = _prediction_folders(save_predictions, pairs, overwrite)
    inputs = [path for pair in pairs for path in (pair.train, pair.test)]
    draft = None if report is None else ReportDraft(report, inputs, overwrite)
    corpora = [(read_corpus(p.train, format), read_corpus(p.test, format)) for p in pairs]
    comparisons: dict[str, Comparison] = {}
    with progress_bar(progress) as on_progress:
        for pair, (learned, measured) in zip(pairs, corpora, strict=True):
            shown = _naming(on_progress, pair.name if len(pairs) > 1 else None)
            predictions, multi = _predictions(learned, measured, progress=shown, **fitting)
            if folders:
                _save(predictions, folders[pair.name], overwrite)
            comparisons[pair.name] = score(measured, predictions, **scoring)
            if draft is not None:
                draft.add(pair.name, comparisons[pair.name], measured, predictions, multi)
    print_figures(comparisons_to_dict(comparisons), format_comparisons(comparisons), json)
    if draft is not None:
        draft.write()


def _predictions(
    learned: Sequence[Document], measured: Sequence[Document], **fitting: Any
) -> tuple[dict[str, list[Document]], Deidentifier]:
    """Train every system, and return what each predicts, and Multi for a closer look."""
    from multideid.stacking import fit_systems

    models = fit_systems(learned, **fitting)
    predictions = {system: model.predict(measured) for system, model in models.items()}
    return predictions, models["multi"]


def _prediction_folders(
    place: Path | None, pairs: Sequence[CorpusPair], overwrite: bool
) -> dict[str, Path]:
    """Make a folder for each corpus by name, or the one itself; none if none is wanted."""
    if place is None:
        return {}
    refuse_inside(place, [path for pair in pairs for path in (pair.train, pair.test)])
    make_free_folder(place, overwrite)
    if len(pairs) == 1:
        return {pairs[0].name: place}
    folders = {pair.name: place / _file_name(pair.name) for pair in pairs}
    for folder in folders.values():
        make_free_folder(folder, overwrite)
    return folders


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_ ()" else "_" for c in name)


def _naming(on_progress: OnProgress | None, corpus: str | None) -> OnProgress | None:
    if on_progress is None or corpus is None:
        return on_progress
    return lambda done, total, what: on_progress(done, total, f"{corpus}: {what}")


def _save(predictions: Mapping[str, Sequence[Document]], folder: Path, overwrite: bool) -> None:
    from multideid.corpora import write_corpus

    for system, documents in predictions.items():
        write_corpus(documents, folder / f"{system}.jsonl", "jsonl", overwrite=overwrite)
