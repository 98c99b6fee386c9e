"""``multideid experiment NAME``: the tables and figures of the papers, on your own corpora."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.error_handler import guarded
from multideid.cli.experiment_options import Run, Uses, experiment_command, measured
from multideid.cli.options import listed_names
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.eval.experiments import Corpus, Result, Setup

_OF = "What to measure, with commas between: "
Of = Annotated[
    str, typer.Option("--of", metavar="LIST", help=f"{_OF}base systems, vote, mega, multi.")
]
OfAll = Annotated[
    str | None,
    typer.Option(
        "--of",
        metavar="LIST",
        help=f"{_OF}base systems, vote, mega, multi. Default: --systems, vote, mega and multi.",
    ),
]
OfParts = Annotated[
    str,
    typer.Option("--of", metavar="LIST", help=f"{_OF}base systems that learn, mega, multi."),
]
OfFeatures = Annotated[
    str, typer.Option("--of", metavar="LIST", help=f"{_OF}base systems that learn, mega.")
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


def _hypotheses(corpora: Sequence[Corpus], setup: Setup) -> Result:
    """Whether the thesis's four hypotheses hold on your corpora, with the z values.

    High-dimensionality (all features against each system's), universality
    (train on one corpus, measure on another: every ordered pair), over-fitting
    (cross-validation against held-out documents) and Mega against Multi.
    Tafvizi's thesis, 6.1 and appendix B.
    """
    from multideid.eval.experiments import hypotheses

    return hypotheses(corpora, setup)


def _ablation(
    corpora: Sequence[Corpus], setup: Setup, *, of: OfParts = "stat-deid,multi"
) -> Result:
    """What each feature class is worth, and each system of Multi.

    Each feature class alone, and all but it (Tafvizi et al., 5.4); Multi
    without each system, and with one system after another dropped by what is
    seen out of fold (Kim, Heider and Meystre 2020).
    """
    from multideid.eval.experiments import ablation

    return ablation(corpora, setup, systems=listed_names(of))


def _systems(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    add: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Systems to try beside --systems, with commas between. Default: all other "
            "built-in ones that are usable here.",
        ),
    ] = None,
    resamples: Annotated[
        int, typer.Option(metavar="N", help="Shuffles of the randomization test.")
    ] = 10_000,
) -> Result:
    """What more systems add to Multi, and what they cost.

    Each system alone; Multi of --systems, with one more and with one less;
    Multi of all systems, and with one less: with p of every difference. The
    seconds of each system's fits and of the stacker, and how fast each scores.
    """
    from multideid.eval.experiments import systems

    tried = None if add is None else listed_names(add)
    return systems(corpora, setup, add=tried, n_resamples=resamples)


def _kernels(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    documents: Annotated[
        int, typer.Option(metavar="N", help="How many training documents to draw.")
    ] = 50,
    c: Annotated[
        float, typer.Option("--c", metavar="C", help="Trades margin size for training errors.")
    ] = 1.0,
) -> Result:
    """Whether a quadratic or Gaussian kernel serves an SVM better than the linear one.

    SVMs that tell PHI from the rest, over the features of stat-deid, trained on
    some documents, with the seconds each takes. Tafvizi et al., 5.5, Table 3.
    """
    from multideid.eval.experiments import kernels

    return kernels(corpora, setup, documents=documents, c=c)


def _features(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    of: OfFeatures = "stat-deid",
    top: Annotated[
        int, typer.Option(metavar="N", help="How many values to list for each class.")
    ] = 5,
    show_phi: Annotated[
        bool,
        typer.Option(
            "--show-phi",
            help="Tell values of features too, here and in --out. They are words of the "
            "training documents.",
        ),
    ] = False,
) -> Result:
    """Which feature classes tell most of PHI, and which single values.

    Information gain, in bits, on the training documents; nothing is trained.
    Sibanda & Uzuner, 6.4.
    """
    from multideid.eval.experiments import features

    return features(corpora, setup, systems=listed_names(of), top=top, show_phi=show_phi)


def _ambiguity(corpora: Sequence[Corpus], setup: Setup, *, of: OfAll = None) -> Result:
    """Scores on those words alone that are PHI here and no PHI there.

    A word is ambiguous if the gold of the corpus has it both as PHI and as no
    PHI. Sibanda & Uzuner, 6.2.
    """
    from multideid.eval.experiments import ambiguity

    return ambiguity(corpora, setup, systems=None if of is None else listed_names(of))


def _out_of_dictionary(corpora: Sequence[Corpus], setup: Setup, *, of: OfAll = None) -> Result:
    """Recall of those words of PHI alone that are in no word list.

    Figures, such as dates and phone numbers, do not count. Sibanda & Uzuner,
    6.3, Table 13.
    """
    from multideid.eval.experiments import out_of_dictionary

    return out_of_dictionary(corpora, setup, systems=None if of is None else listed_names(of))


def _operating_points(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    recall: Annotated[
        str,
        typer.Option(metavar="LIST", help="Shares to ask of the recall dial, with commas between."),
    ] = "0.9,0.95,0.99,0.995",
) -> Result:
    """What precision costs what recall, and whether the recall dial keeps its promise.

    Multi's precision-recall curve per class and overall, and for each share
    asked of --recall in training what the test documents gave.
    """
    from multideid.eval.experiments import operating_points

    return operating_points(corpora, setup, recalls=_shares(recall))


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

    return learning_curve(corpora, setup, systems=listed_names(of), draws=draws)


def _shares(listed: str) -> list[float]:
    try:
        return [float(share) for share in listed_names(listed)]
    except ValueError:
        raise UsageError(f"--recall is a list of numbers such as 0.9,0.99; got {listed}") from None


def _tried(systems: Sequence[str], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the base systems behind `_systems`."""
    from multideid.eval.experiments.systems import other_systems

    add = own["add"]
    return (*systems, *(other_systems(systems)[0] if add is None else listed_names(add)))


def _behind_kernels(systems: Sequence[str], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the base systems behind `_kernels`."""
    from multideid.eval.experiments.kernels import FEATURES_OF

    return (FEATURES_OF,)


def _add(panel: str, run: Run, example: str, uses: Uses = measured) -> None:
    name = example.split(maxsplit=1)[0]
    epilog = f"Example: [b]multideid experiment {example}[/b]"
    command = guarded(experiment_command(name, run, uses))
    experiment.command(name, rich_help_panel=panel, epilog=epilog)(command)


_TWO_CORPORA = "--train a/train --test a/test --train b/train --test b/test"
_ONE = "--train train/ --test test/ --out results/"

_add("Systems", _hypotheses, f"hypotheses {_TWO_CORPORA} --out results/")
_add("Systems", _ablation, f"ablation {_ONE} --of mega,multi")
_add("Systems", _systems, f"systems {_ONE} --add snow,szarvas", _tried)
_add("Systems", _kernels, f"kernels {_ONE}", _behind_kernels)
_add("Systems", _operating_points, f"operating-points {_ONE}")
_add("Corpora", _learning_curve, f"learning-curve {_ONE} --of mega,multi --draws 5")
_add("Corpora", _features, f"features {_ONE} --of mega --top 10")
_add("Corpora", _ambiguity, f"ambiguity {_ONE}")
_add("Corpora", _out_of_dictionary, f"out-of-dictionary {_ONE}")
