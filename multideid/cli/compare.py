"""``multideid compare``: every base system, vote, Mega and Multi side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.cli.corpus_pairs import CorpusPair, corpus_pairs
from multideid.cli.options import (
    AsJson,
    Beta,
    CorpusFormat,
    CorpusNames,
    EvaluationFolds,
    Jobs,
    Overwrite,
    Param,
    ReportFile,
    ResultsFolder,
    SavePredictions,
    Seed,
    ShowProgress,
    Systems,
    TestCorpora,
    Tokenization,
    TrainCorpora,
)
from multideid.cli.output import count_misaligned, print_figures
from multideid.cli.progress import OnProgress, progress_bar
from multideid.cli.report import ReportDraft
from multideid.cli.results import fits_store, save_results
from multideid.cli.values import chosen_systems, with_params
from multideid.errors import UsageError, unwritable
from multideid.files import refuse_inside

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.eval.experiments import Measured, Setup
    from multideid.stacking.systems import Systems as ChosenSystems


def compare(  # noqa: PLR0913 (the options of the command)
    train: TrainCorpora,
    test: TestCorpora,
    *,
    name: CorpusNames = None,
    systems: Systems = None,
    param: Param = None,
    folds: EvaluationFolds = 5,
    tokenization: Tokenization = "multideid",
    beta: Beta = 1.0,
    format: CorpusFormat = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    out: ResultsFolder = None,
    save_predictions: SavePredictions = None,
    report: ReportFile = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Train every base system, vote, Mega and Multi, and score them side by side.

    Per class, by HIPAA identifier and overall, with the PHI that leaks, the
    z-test against Mega, and bootstrap intervals and randomization tests over
    documents. Repeat --train and --test in pairs to measure on several corpora
    separately; one table then shows them all.
    """
    from multideid.corpora import read_corpus
    from multideid.eval import Comparison, comparisons_to_dict, format_comparisons
    from multideid.eval import compare as score
    from multideid.eval.experiments import Setup

    chosen = with_params(chosen_systems(systems), param)
    pairs = corpus_pairs(train, test, name)
    scoring = _scoring_options(chosen, tokenization, beta, folds, seed)
    if out is not None:
        refuse_inside(out, _paths(pairs))
    setup = Setup(
        systems=tuple(chosen),
        folds=folds,
        seed=seed,
        store=fits_store(out),
        n_jobs=jobs,
        params=scoring["params"],
    )
    folders = _prediction_folders(save_predictions, pairs, overwrite)
    draft = None if report is None else ReportDraft(report, _paths(pairs), overwrite)
    corpora = [(read_corpus(p.train, format), read_corpus(p.test, format)) for p in pairs]
    misaligned = _misaligned(pairs, corpora)
    comparisons: dict[str, Comparison] = {}
    with progress_bar(progress) as on_progress:
        for pair, (training, gold) in zip(pairs, corpora, strict=True):
            shown = _prefixed(on_progress, pair.name if len(pairs) > 1 else None)
            measured = _measured(pair.name, training, gold, replace(setup, progress=shown))
            predictions = measured.predictions
            if folders:
                _save(predictions, folders[pair.name], overwrite)
            comparisons[pair.name] = score(gold, predictions, **scoring)
            if draft is not None:
                draft.add(pair.name, comparisons[pair.name], gold, predictions, measured)
    figures = comparisons_to_dict(comparisons)
    for corpus, counts in misaligned.items():
        figures.get("corpora", {corpus: figures})[corpus]["misaligned_spans"] = counts
    text = format_comparisons(comparisons)
    if out is not None:
        save_results(out, "compare", figures, text)
    print_figures(figures, text, json)
    if draft is not None:
        draft.write()


def _scoring_options(
    chosen: ChosenSystems, tokenization: str, beta: float, folds: int, seed: int
) -> dict[str, Any]:
    """Return the options of `multideid.eval.compare`, checked before any training."""
    from multideid.eval.metrics.scores import check_beta
    from multideid.eval.metrics.tokens import check_tokenization
    from multideid.stacking.systems import given_params, knowledge_of, make_systems

    check_beta(beta)
    check_tokenization(tokenization)
    return {
        "tokenization": tokenization,
        "beta": beta,
        "folds": folds,
        "seed": seed,
        "params": given_params(chosen),
        "knowledge": knowledge_of(make_systems(chosen).values()),
    }


def _paths(pairs: Sequence[CorpusPair]) -> list[Path]:
    return [path for pair in pairs for path in (pair.train, pair.test)]


def _misaligned(
    pairs: Sequence[CorpusPair], corpora: Sequence[tuple[Sequence[Document], Sequence[Document]]]
) -> dict[str, dict[str, int]]:
    """Return the numbers of misaligned gold spans, by corpus and part."""
    return {
        pair.name: {
            "train": count_misaligned(training, pair.train),
            "test": count_misaligned(gold, pair.test),
        }
        for pair, (training, gold) in zip(pairs, corpora, strict=True)
    }


def _measured(
    name: str, training: Sequence[Document], gold: Sequence[Document], setup: Setup
) -> Measured:
    """Train every system, vote, Mega and Multi, and predict the test documents."""
    from multideid.eval.experiments import Corpus, all_names, measure

    corpus = Corpus(name, tuple(training), tuple(gold))
    return next(measure([corpus], setup, all_names(setup)))


def _prediction_folders(
    folder: Path | None, pairs: Sequence[CorpusPair], overwrite: bool
) -> dict[str, Path]:
    """Make a folder for each corpus by name; a single corpus gets the folder itself."""
    if folder is None:
        return {}
    refuse_inside(folder, _paths(pairs))
    _make_empty_folder(folder, overwrite)
    if len(pairs) == 1:
        return {pairs[0].name: folder}
    folders = {pair.name: folder / _file_name(pair.name) for pair in pairs}
    for inner in folders.values():
        _make_empty_folder(inner, overwrite)
    return folders


def _make_empty_folder(folder: Path, overwrite: bool) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        full = any(folder.iterdir())
    except OSError as error:
        raise unwritable(folder, error) from None
    if full and not overwrite:
        raise UsageError(f"{folder} is not empty; choose another folder, or add --overwrite")


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_ ()" else "_" for c in name)


def _prefixed(on_progress: OnProgress | None, corpus: str | None) -> OnProgress | None:
    if on_progress is None or corpus is None:
        return on_progress
    return lambda done, total, text: on_progress(done, total, f"{corpus}: {text}")


def _save(predictions: Mapping[str, Sequence[Document]], folder: Path, overwrite: bool) -> None:
    from multideid.corpora import write_corpus

    for system, documents in predictions.items():
        write_corpus(documents, folder / f"{system}.jsonl", "jsonl", overwrite=overwrite)
