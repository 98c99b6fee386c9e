"""``multideid experiment NAME``: experiments of the papers, on your own corpora."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.error_handler import handle_errors
from multideid.cli.experiment_options import Run, Uses, experiment_command, measured
from multideid.cli.values import listed_names
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.eval.experiments import Corpus, Result, Setup

_OF = "Systems to measure, separated by commas: "
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
    typer.Option("--of", metavar="LIST", help=f"{_OF}trainable base systems, mega, multi."),
]
OfFeatures = Annotated[
    str, typer.Option("--of", metavar="LIST", help=f"{_OF}trainable base systems, mega.")
]

experiment = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    help="Repeat the experiments of the papers on your own corpora.\n\n"
    "Each takes one corpus or several: repeat --train and --test in pairs. With --out a run that "
    "was stopped can continue.",
    epilog="Example: [b]multideid experiment learning-curve --train train/ --test test/ "
    "--out results/[/b]",
)


def _hypotheses(corpora: Sequence[Corpus], setup: Setup) -> Result:
    """Test the four hypotheses of the thesis on your corpora, with the z values.

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
    """Measure the contribution of each feature class, and of each system of Multi.

    Each feature class alone, and all but it (Tafvizi et al., 5.4); Multi
    without each system, and with systems dropped one after another by their
    out-of-fold scores (Kim, Heider and Meystre 2020).
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
            help="Systems to try in addition to --systems, separated by commas. Default: all "
            "other built-in ones that are usable here.",
        ),
    ] = None,
    resamples: Annotated[
        int, typer.Option(metavar="N", help="Shuffles of the randomization test.")
    ] = 10_000,
) -> Result:
    """Measure the gain and cost of additional systems in Multi.

    Each system alone; Multi of --systems, with one more and with one less;
    Multi of all systems, and with one less: with the p-value of every
    difference. The training time of each system and of the stacker, and their
    throughput.
    """
    from multideid.eval.experiments import systems

    tried = None if add is None else listed_names(add)
    return systems(corpora, setup, add=tried, n_resamples=resamples)


def _kernels(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    documents: Annotated[
        int, typer.Option(metavar="N", help="Number of training documents to sample.")
    ] = 50,
    c: Annotated[
        float, typer.Option("--c", metavar="C", help="Regularisation parameter C of the SVM.")
    ] = 1.0,
) -> Result:
    """Compare quadratic and Gaussian kernels of an SVM with the linear one.

    Binary SVMs, PHI or not, with the features of stat-deid, trained on a sample
    of documents, with their training times. Tafvizi et al., 5.5, Table 3.
    """
    from multideid.eval.experiments import kernels

    return kernels(corpora, setup, documents=documents, c=c)


def _features(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    of: OfFeatures = "stat-deid",
    top: Annotated[
        int, typer.Option(metavar="N", help="Number of values to list for each class.")
    ] = 5,
    show_phi: Annotated[
        bool,
        typer.Option(
            "--show-phi",
            help="Also print values of features, here and in --out. They are words of the "
            "training documents.",
        ),
    ] = False,
) -> Result:
    """Rank feature classes, and single values, by their information on PHI.

    Information gain, in bits, on the training documents; nothing is trained.
    Sibanda & Uzuner, 6.4.
    """
    from multideid.eval.experiments import features

    return features(corpora, setup, systems=listed_names(of), top=top, show_phi=show_phi)


def _ambiguity(corpora: Sequence[Corpus], setup: Setup, *, of: OfAll = None) -> Result:
    """Score ambiguous words only: those that are PHI in one place and not in another.

    A word is ambiguous if the gold standard of the corpus has it both as PHI and
    as non-PHI. Sibanda & Uzuner, 6.2.
    """
    from multideid.eval.experiments import ambiguity

    return ambiguity(corpora, setup, systems=None if of is None else listed_names(of))


def _out_of_dictionary(corpora: Sequence[Corpus], setup: Setup, *, of: OfAll = None) -> Result:
    """Measure the recall of PHI words that are in no word list.

    Numbers, such as dates and phone numbers, do not count. Sibanda & Uzuner,
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
        typer.Option(metavar="LIST", help="Recalls to request, separated by commas."),
    ] = "0.9,0.95,0.99,0.995",
) -> Result:
    """Plot precision over recall, and compare requested with achieved recall.

    Multi's precision-recall curve per class and overall, and for each recall
    requested in training the one achieved on the test documents.
    """
    from multideid.eval.experiments import operating_points

    return operating_points(corpora, setup, recalls=_shares(recall))


def _learning_curve(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    of: Of = "stat-deid",
    draws: Annotated[int, typer.Option(metavar="N", help="Number of samples for each share.")] = 3,
) -> Result:
    """Measure scores over the share of training documents, from 3.125 % to 100 %.

    Means over repeated samples with intervals, at token level (PHI or not) and
    at span level (strict). Tafvizi et al., 5.6, Figures 6 and 7.
    """
    from multideid.eval.experiments import learning_curve

    return learning_curve(corpora, setup, systems=listed_names(of), draws=draws)


def _shares(listed: str) -> list[float]:
    try:
        return [float(share) for share in listed_names(listed)]
    except ValueError:
        raise UsageError(f"--recall is a list of numbers such as 0.9,0.99; got {listed}") from None


def _used_by_systems(systems: Sequence[str], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the base systems that `_systems` uses."""
    from multideid.eval.experiments.systems import other_systems

    add = own["add"]
    return (*systems, *(other_systems(systems)[0] if add is None else listed_names(add)))


def _used_by_kernels(systems: Sequence[str], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the base systems that `_kernels` uses."""
    from multideid.eval.experiments.kernels import FEATURES_OF

    return (FEATURES_OF,)


def _add(panel: str, run: Run, example: str, uses: Uses = measured) -> None:
    name = example.split(maxsplit=1)[0]
    epilog = f"Example: [b]multideid experiment {example}[/b]"
    command = handle_errors(experiment_command(name, run, uses))
    experiment.command(name, rich_help_panel=panel, epilog=epilog)(command)


_TWO_CORPORA = "--train a/train --test a/test --train b/train --test b/test"
_ONE = "--train train/ --test test/ --out results/"

_add("Systems", _hypotheses, f"hypotheses {_TWO_CORPORA} --out results/")
_add("Systems", _ablation, f"ablation {_ONE} --of mega,multi")
_add("Systems", _systems, f"systems {_ONE} --add snow,szarvas", _used_by_systems)
_add("Systems", _kernels, f"kernels {_ONE}", _used_by_kernels)
_add("Systems", _operating_points, f"operating-points {_ONE}")
_add("Corpora", _learning_curve, f"learning-curve {_ONE} --of mega,multi --draws 5")
_add("Corpora", _features, f"features {_ONE} --of mega --top 10")
_add("Corpora", _ambiguity, f"ambiguity {_ONE}")
_add("Corpora", _out_of_dictionary, f"out-of-dictionary {_ONE}")
