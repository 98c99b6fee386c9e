"""Options of fitted models: which to use, and at which operating point."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class RecallPoint(StrEnum):
    """The recall points of Multi models."""

    balanced = "balanced"
    high = "high"
    maximum = "maximum"


ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="A model folder, or the name of a bundled model (see [b]multideid models[/b]).",
    ),
]

ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="A model folder, or the name of a bundled model."),
]

Recall = Annotated[
    RecallPoint | None,
    typer.Option(
        "--recall",
        help="For Multi models: find more PHI at the cost of precision, least with "
        "[b]balanced[/b] and most with [b]maximum[/b]. Default: as the model was trained.",
        show_default=False,
    ),
]

PassThrough = Annotated[
    bool | None,
    typer.Option(
        "--pass-through/--no-pass-through",
        help="Whether certain finds of rules, such as e-mail addresses, are kept in classes that "
        "the training corpus does not annotate. Default: as the model was trained.",
        show_default=False,
    ),
]

Scores = Annotated[
    bool,
    typer.Option(
        "--scores",
        help="Write the score of each span, the mean probability of its tokens to be PHI. For "
        "Multi models and the formats jsonl, csv and parquet; takes somewhat longer.",
    ),
]

TakenLabels = Annotated[
    str | None,
    typer.Option(
        "--labels",
        metavar="LIST",
        help="Labels to find, separated by commas; other PHI stays. Those of --deny and of lists "
        "and patterns of --site must be among them. Default: all.",
        show_default=False,
    ),
]

MinScore = Annotated[
    float | None,
    typer.Option(
        "--min-score",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Leave out spans with a lower score, the probability of being PHI. For Multi models; "
        "takes up to twice the time.",
        show_default=False,
    ),
]

Agreement = Annotated[
    bool | None,
    typer.Option(
        "--agreement/--no-agreement",
        help="Whether PHI found with a score of 0.5 or more counts everywhere in its note. "
        "Default: as --site says, else off.",
        show_default=False,
    ),
]
