"""The options that say which model to use, and how much it is to find."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier


class RecallPoint(StrEnum):
    """The marked points of the recall dial."""

    balanced = "balanced"
    high = "high"
    maximum = "maximum"


ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="A trained model's folder, or the name of a bundled model "
        "(see [b]multideid models[/b]).",
    ),
]
ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="A trained model's folder, or the name of a bundled model."
    ),
]
Recall = Annotated[
    RecallPoint | None,
    typer.Option(
        "--recall",
        help="For multi models: decide as it comes ([b]balanced[/b]), or find more at the cost "
        "of precision. Default: as the model was trained.",
        show_default=False,
    ),
]


def open_model(model: str, recall: RecallPoint | None) -> Deidentifier:
    """Load a model, set to a point of the recall dial.

    Raises
    ------
    ModelError
        As `multideid.models.load`.
    UsageError
        If a point is asked of a model that has no dial.
    """
    from multideid.models import load
    from multideid.stacking import MultiDeidentifier

    loaded = load(model)
    if recall is None:
        return loaded
    if not isinstance(loaded, MultiDeidentifier):
        raise UsageError(
            f"--recall is for multi models, which learn how far to move their decisions; "
            f"{model} is of kind {loaded.kind!r}"
        )
    return loaded.with_recall(recall)
