"""``multideid experiment NAME``: experiments of the papers, on your own corpora.

The commands are made from the registry of experiments, which is not imported
before one of them, or their list, is needed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup

from multideid.cli.commands import PlainGroup, StrictCommand
from multideid.cli.corpus_pairs import CorpusPair, corpus_pairs, read_pair, whole_corpora
from multideid.cli.error_handler import handle_errors
from multideid.cli.options.common import AsJson, Jobs, Overwrite, Seed, ShowProgress
from multideid.cli.options.corpora import (
    CorpusFormat,
    CorpusNames,
    GroupField,
    OptionalTestCorpora,
    TestCorpora,
    TrainCorpora,
)
from multideid.cli.options.evaluation import (
    EvaluationFolds,
    ExperimentReportFile,
    ResultsFolder,
    Tokenization,
)
from multideid.cli.options.training import ChosenLabels, FeatureSet, Param, Systems
from multideid.cli.output import print_figures
from multideid.cli.progress import OnProgress, training_progress
from multideid.cli.report import check_report, write_experiment
from multideid.cli.results import fits_store, save_results
from multideid.cli.values import chosen_systems, listed_names, with_features, with_params
from multideid.errors import UsageError
from multideid.files import refuse_inside
from multideid.lazy import lazy

if TYPE_CHECKING:
    from multideid.eval.experiments import Corpus, Experiment, Option, Result, Setup

_OPTIONS = "--train train/ --test test/ --out results/"


def _options(experiment: Experiment) -> str:
    return _OPTIONS if experiment.needs_tests else "--train corpus/ --out results/"


class _Experiments(PlainGroup):
    """The commands of all registered experiments."""

    @lazy
    def _commands(self) -> TyperGroup:
        from multideid.eval.experiments import EXPERIMENTS

        made = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False)
        for experiment in EXPERIMENTS.values():
            made.command(
                experiment.name,
                cls=StrictCommand,
                rich_help_panel=experiment.topic.capitalize(),
                help=_help(experiment),
                epilog=f"Example: [b]multideid experiment {experiment.name} "
                f"{_options(experiment)} {experiment.example}[/b]",
            )(handle_errors(_command(experiment)))
        return typer.main.get_group(made)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the experiments."""
        return self._commands.list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of an experiment."""
        return self._commands.get_command(ctx, cmd_name)


experiment = typer.Typer(
    cls=_Experiments,
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    help="Repeat the experiments of the papers on your own corpora.\n\n"
    "Each takes one corpus or several: repeat --train and --test in pairs. With --out a run that "
    "was stopped can continue.",
    epilog=f"Example: [b]multideid experiment learning-curve {_OPTIONS}[/b]",
)


def _shared(  # noqa: PLR0913 (the options of the commands)
    train: TrainCorpora,
    test: TestCorpora,
    *,
    name: CorpusNames = None,
    systems: Systems = None,
    param: Param = None,
    features: FeatureSet = "full",
    labels: ChosenLabels = None,
    folds: EvaluationFolds = 5,
    groups: GroupField = None,
    format: CorpusFormat = None,
    tokenization: Tokenization = "multideid",
    seed: Seed = 0,
    jobs: Jobs = None,
    out: ResultsFolder = None,
    report: ExperimentReportFile = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Declare the options that every experiment has; never called."""


_SHARED = inspect.signature(_shared, eval_str=True).parameters


def _help(experiment: Experiment) -> str:
    source = f"\n\n{experiment.source}." if experiment.source else ""
    return f"{experiment.description}{source}"


def _command(experiment: Experiment) -> Callable[..., None]:
    """Make the command of an experiment: its own options before the shared ones."""
    own = list(_own_options(experiment))

    def command(**options: Any) -> None:
        shared = {key: options.pop(key) for key in _SHARED}
        result = _run(experiment, shared, {o.name: o.parsed(options[o.key]) for o in own})
        figures, text = result.to_dict(), result.to_text()
        if shared["out"] is not None:
            save_results(shared["out"], experiment.name, figures, text)
        print_figures(figures, text, shared["json"])
        if shared["report"] is not None:
            write_experiment(shared["report"], result, shared["overwrite"])

    parameters = [*(option.parameter() for option in own), *_shared_options(experiment)]
    parameters.sort(key=lambda p: p.name not in ("train", "test"))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _shared_options(experiment: Experiment) -> Iterator[inspect.Parameter]:
    for name, option in _SHARED.items():
        if name == "test" and not experiment.needs_tests:
            yield option.replace(annotation=OptionalTestCorpora, default=None)
        else:
            yield option


@dataclass(frozen=True, slots=True)
class _OwnOption:
    """An option of one experiment; a sequence is given as a list with commas.

    Parameters
    ----------
    name : str
        Of the keyword of the experiment.
    kind : type
        Its annotation, without the option.
    default : object
    option : Option
    """

    name: str
    kind: Any
    default: Any
    option: Option

    @property
    def key(self) -> str:
        """The name of the parameter of the command; shared ones may have the same name."""
        return f"own_{self.name}"

    @property
    def flag(self) -> str:
        """The flag on the command line."""
        return self.option.flag or f"--{self.name.replace('_', '-')}"

    def parameter(self) -> inspect.Parameter:
        """Return the parameter of the command."""
        elements, kind, default = self._elements(), self.kind, self.default
        if elements is not None:
            kind = str | None if default is None else str
            default = None if default is None else ",".join(map(str, default))
        option = typer.Option(self.flag, metavar=self.option.metavar, help=self.option.help)
        if kind is bool:
            option = typer.Option(self.flag, help=self.option.help)
        return inspect.Parameter(
            self.key,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind, option],
        )

    def parsed(self, value: Any) -> Any:
        """Return the value of the keyword."""
        elements = self._elements()
        if elements is None or value is None:
            return value
        try:
            return [elements(part) for part in listed_names(value)]
        except ValueError:
            raise UsageError(
                f"{self.flag} is a list of numbers such as 0.9,0.99; got {value}"
            ) from None

    def _elements(self) -> type | None:
        """Return the type of the elements of a sequence, None for other types."""
        kinds = (self.kind, *get_args(self.kind))
        found = [get_args(kind)[0] for kind in kinds if get_origin(kind) is Sequence]
        return found[0] if found else None


def _own_options(experiment: Experiment) -> Iterator[_OwnOption]:
    from multideid.eval.experiments import Option

    defaults = inspect.signature(experiment.run).parameters
    for name, hint in get_type_hints(experiment.run, include_extras=True).items():
        for extra in getattr(hint, "__metadata__", ()):
            if isinstance(extra, Option):
                yield _OwnOption(name, hint.__origin__, defaults[name].default, extra)


def _run(experiment: Experiment, shared: dict[str, Any], own: dict[str, Any]) -> Result:
    if shared["test"]:
        pairs = corpus_pairs(shared["train"], shared["test"], shared["name"])
    else:
        pairs = whole_corpora(shared["train"], shared["name"])
    inputs = [path for pair in pairs for path in pair.paths]
    if shared["out"] is not None:
        refuse_inside(shared["out"], inputs)
    if shared["report"] is not None:
        check_report(shared["report"], inputs, shared["overwrite"])
    with training_progress(shared["progress"]) as on_progress:
        setup = _setup(experiment, shared, own, on_progress)
        corpora = [_read(pair, shared["format"], shared["labels"]) for pair in pairs]
        return experiment.run(corpora, setup, **own)


def _setup(
    experiment: Experiment,
    shared: dict[str, Any],
    own: dict[str, Any],
    on_progress: OnProgress | None,
) -> Setup:
    from multideid.eval.experiments import Setup
    from multideid.eval.metrics.tokens import check_tokenization
    from multideid.stacking.settings import check_seed
    from multideid.stacking.systems import given_params

    systems, params = chosen_systems(shared["systems"]), {}
    if shared["systems"] is not None and not experiment.uses_setup_systems(own):
        raise _without_effect(experiment, own)
    with_features(systems, shared["features"])
    if shared["param"]:
        used = tuple(dict.fromkeys(experiment.uses(systems, own)))
        params = given_params(with_params(used, shared["param"]))
    check_tokenization(shared["tokenization"])
    return Setup(
        systems=systems,
        folds=shared["folds"],
        seed=check_seed(shared["seed"]),
        tokenization=shared["tokenization"],
        store=fits_store(shared["out"]),
        n_jobs=shared["jobs"],
        progress=on_progress,
        params=params,
        groups=shared["groups"],
        features=shared["features"],
    )


def _without_effect(experiment: Experiment, own: dict[str, Any]) -> UsageError:
    """Return the error of base systems that an experiment does not use."""
    from multideid.stacking.out_of_fold import check_systems

    used = ", ".join(check_systems(experiment.uses((), own)))
    choosing = [option.flag for option in _own_options(experiment) if option.name == "systems"]
    advice = "".join(f"; choose others with {flag}" for flag in choosing)
    return UsageError(f"--systems has no effect: {experiment.name} measures {used}{advice}")


def _read(pair: CorpusPair, format: str | None, labels: str | None) -> Corpus:
    from multideid.eval.experiments import Corpus

    train, *test = map(tuple, read_pair(pair, format, labels))
    return Corpus(pair.name, train, test[0] if test else ())
