"""Options, corpora and results that all experiment commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.corpus_pairs import CorpusPair, corpus_pairs
from multideid.cli.options import (
    AsJson,
    CorpusFormat,
    CorpusNames,
    EvaluationFolds,
    ExperimentReportFile,
    Jobs,
    Overwrite,
    Param,
    Seed,
    ShowProgress,
    Systems,
    TestCorpora,
    Tokenization,
    TrainCorpora,
)
from multideid.cli.output import print_figures
from multideid.cli.progress import OnProgress, progress_bar
from multideid.cli.report import check_report, write_experiment
from multideid.cli.values import chosen_systems, listed_names, with_params
from multideid.errors import unwritable
from multideid.files import refuse_inside

if TYPE_CHECKING:
    from multideid.eval.experiments import Corpus, Result, Setup

_FITS = "fits"

Run = Callable[..., "Result"]
"""An experiment: takes corpora, a setup and its own options, and returns a result."""

Uses = Callable[[Sequence[str], Mapping[str, Any]], tuple[str, ...]]
"""Returns the base systems that an experiment uses, from --systems and its own options."""


def measured(systems: Sequence[str], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the base systems that ``--of`` needs; all if it is not given."""
    from multideid.eval.experiments.plans import base_systems

    of = own.get("of")
    return tuple(systems) if of is None else base_systems(listed_names(of), systems)


def _shared(  # noqa: PLR0913 (the options of the commands)
    train: TrainCorpora,
    test: TestCorpora,
    *,
    name: CorpusNames = None,
    systems: Systems = None,
    param: Param = None,
    folds: EvaluationFolds = 5,
    format: CorpusFormat = None,
    tokenization: Tokenization = "multideid",
    seed: Seed = 0,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Save the results, and every fit as soon as it is finished, so that a stopped run "
            "can continue. Experiments that use the same folder share fits.",
        ),
    ] = None,
    report: ExperimentReportFile = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Declare the options that every experiment has; never called."""


def experiment_command(name: str, run: Run, uses: Uses) -> Callable[..., None]:
    """Make the command of an experiment: its own options first, then the shared ones.

    Parameters
    ----------
    name : str
    run : callable
        Takes corpora, a setup and its own options by name, and returns a result.
    uses : callable
        Returns the base systems that ``--param`` may name.
    """

    @wraps(run)
    def command(**options: Any) -> None:
        shared = {key: options.pop(key) for key in _SHARED}
        result = _run(run, uses, shared, options)
        figures, text = result.to_dict(), result.to_text()
        if shared["out"] is not None:
            _save(shared["out"], name, figures, text)
        print_figures(figures, text, shared["json"])
        if shared["report"] is not None:
            write_experiment(shared["report"], figures, text, shared["overwrite"])

    parameters = [*_SHARED.values(), *_own_parameters(run)]
    parameters.sort(key=lambda p: (p.name not in ("train", "test"), p.name in _SHARED))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    del command.__wrapped__
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


_SHARED = inspect.signature(_shared, eval_str=True).parameters


# Types of parameters that are not options; the command line must not import them at start-up.
_NOT_IMPORTED = {"Corpus": object, "Setup": object, "Result": object}


def _own_parameters(run: Run) -> list[inspect.Parameter]:
    signature = inspect.signature(run, eval_str=True, locals=_NOT_IMPORTED)
    return list(signature.parameters.values())[2:]


def _run(run: Run, uses: Uses, shared: dict[str, Any], own: dict[str, Any]) -> Result:
    pairs = corpus_pairs(shared["train"], shared["test"], shared["name"])
    inputs = [path for pair in pairs for path in (pair.train, pair.test)]
    if shared["out"] is not None:
        refuse_inside(shared["out"], inputs)
    if shared["report"] is not None:
        check_report(shared["report"], inputs, shared["overwrite"])
    with progress_bar(shared["progress"]) as on_progress:
        setup = _setup(uses, shared, own, on_progress)
        return run(_read(pairs, shared["format"]), setup, **own)


def _setup(
    uses: Uses, shared: dict[str, Any], own: dict[str, Any], on_progress: OnProgress | None
) -> Setup:
    from multideid.eval.experiments import FolderStore, MemoryStore, Setup
    from multideid.eval.metrics.tokens import check_tokenization
    from multideid.stacking.out_of_fold import check_seed

    out, systems = shared["out"], chosen_systems(shared["systems"])
    params = _params(shared["param"], uses, systems, own)
    check_tokenization(shared["tokenization"])
    return Setup(
        systems=systems,
        folds=shared["folds"],
        seed=check_seed(shared["seed"]),
        tokenization=shared["tokenization"],
        store=MemoryStore() if out is None else FolderStore(out / _FITS),
        n_jobs=shared["jobs"],
        progress=on_progress,
        params=params,
    )


def _params(
    given: list[str] | None, uses: Uses, systems: Sequence[str], own: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    from multideid.stacking.systems import given_params

    if not given:
        return {}
    return given_params(with_params(tuple(dict.fromkeys(uses(systems, own))), given))


def _read(pairs: Sequence[CorpusPair], format: str | None) -> list[Corpus]:
    from multideid.corpora import read_corpus
    from multideid.eval.experiments import Corpus

    return [
        Corpus(p.name, tuple(read_corpus(p.train, format)), tuple(read_corpus(p.test, format)))
        for p in pairs
    ]


def _save(folder: Path, name: str, figures: dict[str, Any], text: str) -> None:
    from multideid.persistence import save_json

    try:
        save_json(folder, name, figures)
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise unwritable(folder, error) from None
