"""What all experiments' commands share: options, corpora in pairs, where results go."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from multideid.cli.places import refuse_inside
from multideid.cli.progress import OnProgress, progress_bar
from multideid.cli.report import ExperimentReportFile, check_report, write_experiment
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.eval.experiments import Corpus, Result, Setup

_FITS = "fits"

Run = Callable[..., "Result"]
"""An experiment's own part: corpora, a setup and its own options in, a result out."""


def _shared(  # noqa: PLR0913 (the options of the commands)
    train: Annotated[
        list[Path],
        typer.Option(
            "--train", metavar="CORPUS", help="A corpus to train on. Can be given several times."
        ),
    ],
    test: Annotated[
        list[Path],
        typer.Option(
            "--test", metavar="CORPUS", help="The corpus to measure on: one for each --train."
        ),
    ],
    *,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="What tables call the corpus: one for each --train. Default: after its folder.",
        ),
    ] = None,
    systems: Systems = None,
    folds: Annotated[int, typer.Option(metavar="N", help="Parts of whole documents.")] = 5,
    format: CorpusFormat = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Keep the results, and every fit as soon as it is finished: a run that was "
            "stopped goes on where it was. Experiments may share the folder, and then share fits.",
        ),
    ] = None,
    report: ExperimentReportFile = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Give the options that every experiment has; never called."""


def experiment_command(name: str, run: Run) -> Callable[..., None]:
    """Make a command of an experiment: its own options first, then the shared ones.

    Parameters
    ----------
    name : str
    run : callable
        Takes corpora, a setup and its own options by name, and returns a result.
    """

    @wraps(run)
    def command(**options: Any) -> None:
        shared = {key: options.pop(key) for key in _SHARED}
        result = _run(run, shared, options)
        figures, text = result.to_dict(), result.to_text()
        if shared["out"] is not None:
            _keep(shared["out"], name, figures, text)
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


# Annotations of no option, whose types the command line must not import at its start.
_NOT_IMPORTED = {"Corpus": object, "Setup": object, "Result": object}


def _own_parameters(run: Run) -> list[inspect.Parameter]:
    signature = inspect.signature(run, eval_str=True, locals=_NOT_IMPORTED)
    return list(signature.parameters.values())[2:]


def _run(run: Run, shared: dict[str, Any], own: dict[str, Any]) -> Result:
    if shared["report"] is not None:
        check_report(shared["report"], [*shared["train"], *shared["test"]], shared["overwrite"])
    corpora = _read(shared["train"], shared["test"], shared["name"], shared["format"])
    if shared["out"] is not None:
        refuse_inside(shared["out"], [*shared["train"], *shared["test"]])
    with progress_bar(shared["progress"]) as on_progress:
        return run(corpora, _setup(shared, on_progress), **own)


def _setup(shared: dict[str, Any], on_progress: OnProgress | None) -> Setup:
    from multideid.eval.experiments import FolderStore, MemoryStore, Setup

    out = shared["out"]
    return Setup(
        systems=chosen_systems(shared["systems"]),
        folds=shared["folds"],
        seed=shared["seed"],
        store=MemoryStore() if out is None else FolderStore(out / _FITS),
        n_jobs=shared["jobs"],
        progress=on_progress,
    )


def _read(
    train: Sequence[Path], test: Sequence[Path], names: Sequence[str] | None, format: str | None
) -> list[Corpus]:
    from multideid.corpora import read_corpus
    from multideid.eval.experiments import Corpus

    if len(train) != len(test):
        raise UsageError(
            f"--train is given {len(train)} times and --test {len(test)} times; "
            "each corpus to train on needs one to measure on"
        )
    if names and len(names) != len(train):
        raise UsageError(f"--name is given {len(names)} times for {len(train)} corpora")
    called = names or corpus_names(train, test)
    return [
        Corpus(name, tuple(read_corpus(a, format)), tuple(read_corpus(b, format)))
        for name, a, b in zip(called, train, test, strict=True)
    ]


def corpus_names(train: Sequence[Path], test: Sequence[Path]) -> list[str]:
    """Call each corpus after the folder that both parts are in, else after its training part.

    Examples
    --------
    >>> corpus_names([Path("meddocan/train"), Path("a.xml")], [Path("meddocan/dev"), Path("b/c")])
    ['meddocan', 'a']
    """
    pairs = zip(map(Path.resolve, train), map(Path.resolve, test), strict=True)
    names = [a.parent.name if a.parent == b.parent and a != b else a.stem for a, b in pairs]
    number: Counter[str] = Counter()
    for n, name in enumerate(names):
        number[name] += 1
        if number[name] > 1:
            names[n] = f"{name} {number[name]}"
    return names


def _keep(folder: Path, name: str, figures: dict[str, Any], text: str) -> None:
    from multideid.persistence import save_json

    try:
        save_json(folder, name, figures)
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise UsageError(f"cannot write {folder}: {problem}") from None
