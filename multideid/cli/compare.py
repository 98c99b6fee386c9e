"""``multideid compare``: every base system, vote, Mega and Multi side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.cli.corpus_pairs import CorpusPair, corpus_pairs, read_pair, whole_corpora
from multideid.cli.options.common import AsJson, Jobs, Overwrite, Seed, ShowProgress
from multideid.cli.options.corpora import (
    CorpusFormat,
    CorpusNames,
    FoldsOf,
    GroupField,
    OptionalTests,
    OptionalTrainCorpora,
)
from multideid.cli.options.evaluation import (
    Beta,
    EvaluationFolds,
    ReportFile,
    ResultsFolder,
    SavePredictions,
    Tokenization,
)
from multideid.cli.options.training import ChosenLabels, FeatureSet, Param, Systems
from multideid.cli.output import count_misaligned, print_figures
from multideid.cli.progress import OnProgress, training_progress
from multideid.cli.report import ReportDraft
from multideid.cli.results import fits_store, save_results
from multideid.cli.values import chosen_systems, with_features, with_params
from multideid.errors import UsageError, unwritable
from multideid.files import refuse_inside

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.eval import Comparison, Scoring
    from multideid.eval.experiments import Measured, Setup
    from multideid.stacking.systems import Systems as ChosenSystems

    CorpusParts = Sequence[Sequence[Document]]


def compare(  # noqa: PLR0913 (the options of the command)
    train: OptionalTrainCorpora = None,
    test: OptionalTests = None,
    *,
    folds_of: FoldsOf = None,
    name: CorpusNames = None,
    systems: Systems = None,
    param: Param = None,
    features: FeatureSet = "full",
    labels: ChosenLabels = None,
    folds: EvaluationFolds = 5,
    groups: GroupField = None,
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
    separately; one table then shows them all. With --folds-of, all documents of a
    corpus are measured on, by cross-validation.
    """
    from multideid.eval.experiments import Setup

    chosen = with_features(with_params(chosen_systems(systems), param), features)
    pairs = _pairs(train or [], test or [], folds_of or [], name)
    scoring = replace(_scoring(chosen, tokenization, beta, folds, seed), features=features)
    if out is not None:
        refuse_inside(out, _paths(pairs))
    setup = Setup(
        systems=tuple(chosen),
        folds=folds,
        seed=seed,
        store=fits_store(out),
        n_jobs=jobs,
        params=scoring.params,
        groups=groups,
        features=features,
    )
    folders = _prediction_folders(save_predictions, pairs, overwrite)
    draft = None if report is None else ReportDraft(report, _paths(pairs), overwrite)
    run = _Run(setup, scoring, folders, draft, overwrite)
    corpora = {p.name: read_pair(p, format, labels) for p in pairs}
    misaligned = _misaligned(pairs, corpora)
    with training_progress(progress) as on_progress:
        comparisons = run.comparisons(corpora, on_progress)
    _print(comparisons, misaligned, out, json)
    if draft is not None:
        draft.write()


def _pairs(
    train: Sequence[Path], test: Sequence[Path], folds_of: Sequence[Path], names: list[str] | None
) -> list[CorpusPair]:
    if bool(folds_of) == bool(train or test):
        raise UsageError("give corpora by --train and --test, or by --folds-of")
    return whole_corpora(folds_of, names) if folds_of else corpus_pairs(train, test, names)


def _scoring(
    chosen: ChosenSystems, tokenization: str, beta: float, folds: int, seed: int
) -> Scoring:
    """Return how to score, checked before any training."""
    from multideid.eval import Scoring
    from multideid.stacking.systems import given_params, knowledge_of, make_systems

    return Scoring(
        tokenization=tokenization,
        beta=beta,
        folds=folds,
        seed=seed,
        params=given_params(chosen),
        knowledge=knowledge_of(make_systems(chosen).values()),
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """The measurements of one command.

    Parameters
    ----------
    setup : Setup
    scoring : Scoring
    folders : mapping of str to Path
        Folders for the predictions, by corpus; empty if they are not saved.
    draft : ReportDraft, optional
        Gathers the measurements for a report.
    overwrite : bool
    """

    setup: Setup
    scoring: Scoring
    folders: Mapping[str, Path]
    draft: ReportDraft | None
    overwrite: bool

    def comparisons(
        self, corpora: Mapping[str, CorpusParts], on_progress: OnProgress | None
    ) -> dict[str, Comparison]:
        """Train and score on each corpus."""
        return {
            name: self._comparison(
                name, parts, _prefixed(on_progress, name if len(corpora) > 1 else None)
            )
            for name, parts in corpora.items()
        }

    def _comparison(
        self,
        corpus: str,
        parts: CorpusParts,
        on_progress: OnProgress | None,
    ) -> Comparison:
        from multideid.eval import compare as score

        setup, gold = replace(self.setup, progress=on_progress), parts[-1]
        measured, predictions = _measured(corpus, parts, setup)
        if self.folders:
            _save(predictions, self.folders[corpus], self.overwrite)
        comparison = _with_overlap(score(gold, predictions, self.scoring), corpus, parts)
        if self.draft is not None:
            self.draft.add(corpus, comparison, gold, predictions, measured)
        return comparison


def _with_overlap(comparison: Comparison, name: str, parts: CorpusParts) -> Comparison:
    """Note test documents that are training documents, too."""
    from multideid.eval.experiments import Corpus

    if len(parts) == 1:
        return comparison
    note = Corpus(name, tuple(parts[0]), tuple(parts[1])).overlap_note()
    return replace(comparison, notes=(note, *comparison.notes)) if note else comparison


def _print(
    comparisons: Mapping[str, Comparison],
    misaligned: Mapping[str, Mapping[str, int]],
    out: Path | None,
    json: bool,
) -> None:
    from multideid.eval import comparisons_to_dict, format_comparisons

    figures = comparisons_to_dict(comparisons)
    for corpus, counts in misaligned.items():
        figures.get("corpora", {corpus: figures})[corpus]["misaligned_spans"] = counts
    text = format_comparisons(comparisons)
    if out is not None:
        save_results(out, "compare", figures, text)
    print_figures(figures, text, json)


def _paths(pairs: Sequence[CorpusPair]) -> list[Path]:
    return [path for pair in pairs for path in pair.paths]


def _misaligned(
    pairs: Sequence[CorpusPair], corpora: Mapping[str, CorpusParts]
) -> dict[str, dict[str, int]]:
    """Return the numbers of misaligned gold spans, by corpus and part."""
    return {
        pair.name: {
            part: count_misaligned(documents, path)
            for part, documents, path in zip(
                ("train", "test"), corpora[pair.name], pair.paths, strict=False
            )
        }
        for pair in pairs
    }


def _measured(
    name: str, parts: CorpusParts, setup: Setup
) -> tuple[Measured | None, dict[str, list[Document]]]:
    """Train every system, vote, Mega and Multi, and predict the test documents, or all by folds."""
    from multideid.eval.experiments import Corpus, all_names, cross, measure

    names = all_names(setup)
    if len(parts) == 1:
        return None, next(cross([Corpus(name, tuple(parts[0]), ())], setup, names))[1]
    measured = next(measure([Corpus(name, tuple(parts[0]), tuple(parts[1]))], setup, names))
    return measured, measured.predictions


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
    names = _folder_names([pair.name for pair in pairs])
    folders = {pair.name: folder / name for pair, name in zip(pairs, names, strict=True)}
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


def _folder_names(corpora: Sequence[str]) -> list[str]:
    """Return names of folders for corpora, with numbers if they would not differ."""
    names = [_file_name(corpus) for corpus in corpora]
    if len({name.casefold() for name in names}) == len(names):
        return names
    return [f"{n} {name}" for n, name in enumerate(names, start=1)]


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
