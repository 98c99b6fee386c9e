"""Options of training: systems, their parameters, and how they are combined."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Systems = Annotated[
    str | None,
    typer.Option(
        "--systems",
        metavar="LIST",
        help="Base systems, separated by commas (see [b]multideid systems[/b]). "
        "Default: stat-deid, stanford, mist, lbj and mimic.",
    ),
]

Param = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="SYSTEM.NAME=VALUE",
        help="A parameter of a base system, such as stat-deid.mesh=true; can be repeated. "
        "With a single system, NAME=VALUE is enough.",
    ),
]

FeatureSet = Annotated[
    str,
    typer.Option(
        "--features",
        metavar="full|paper",
        help="[b]paper[/b]: stat-deid, stanford, mist and lbj have only the features of their "
        "papers, and Multi the plain stacker of the thesis.",
    ),
]

Clusters = Annotated[
    Path | None,
    typer.Option(
        "--clusters",
        metavar="CLUSTERS",
        help="Word classes that [b]multideid clusters[/b] learned from unlabelled notes, as "
        "further features of stat-deid, stanford, mist and lbj. The model holds a copy.",
        show_default=False,
    ),
]

Lists = Annotated[
    Path | None,
    typer.Option(
        "--lists",
        metavar="SITE.TOML",
        help="A site.toml of which the lists and patterns are further features of stat-deid, "
        "stanford, mist and lbj. The model holds a copy.",
        show_default=False,
    ),
]

ChosenLabels = Annotated[
    str | None,
    typer.Option(
        "--labels",
        metavar="LIST",
        help="Labels to train and score on, separated by commas; other gold spans count as no "
        "PHI. Default: all.",
    ),
]

TrainingMode = Annotated[
    str,
    typer.Option(
        metavar="MODE",
        help="[b]multi[/b]: systems and a stacker that learns which to trust. "
        "[b]mega[/b]: one learner with the features of all. "
        "[b]vote[/b]: systems and a vote. Or one system, by name.",
    ),
]

Folds = Annotated[
    int | None,
    typer.Option(metavar="N", help="For multi and mega: folds of whole documents. Default: 5."),
]

RequestedRecall = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="For multi: share of PHI tokens to find, such as 0.99, at the cost of precision.",
    ),
]

VoteRule = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="For vote: majority (default), two-of-three or any."),
]

TrainingSeed = Annotated[
    int | None,
    typer.Option(metavar="N", help="For multi and mega: random seed. Default: 0."),
]

Augmentation = Annotated[
    bool | None,
    typer.Option(
        "--augmentation/--no-augmentation",
        help="For multi: whether the stacker also learns from text with words dropped and "
        "replaced. It helps if all notes follow the same templates; without it, high recall on "
        "notes of many kinds costs fewer false alarms. Default: yes.",
        show_default=False,
    ),
]

TrainingPassThrough = Annotated[
    bool,
    typer.Option(
        "--pass-through/--no-pass-through",
        help="Whether the model keeps certain finds of rules, such as e-mail addresses, in classes "
        "that the corpus does not annotate.",
    ),
]

ModelOut = Annotated[
    Path, typer.Option("--out", "-o", metavar="MODEL", help="The model folder to write.")
]
