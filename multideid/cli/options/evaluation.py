"""Options of evaluation, comparisons and experiments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Tokenization = Annotated[
    str,
    typer.Option(
        "--tokenization", metavar="NAME", help="Tokens to count: multideid or whitespace."
    ),
]

Beta = Annotated[
    float,
    typer.Option("--beta", metavar="B", help="Weight of recall relative to precision."),
]

EvaluationFolds = Annotated[
    int, typer.Option("--folds", metavar="N", help="Folds of whole documents, for Multi.")
]

ResultsFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER",
        help="Save the results, and every fit as soon as it is finished, so that a stopped run "
        "can continue. Comparisons and experiments that use the same folder share fits.",
    ),
]

SavePredictions = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep the predictions of each system, as JSON Lines."),
]

ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write an HTML page with tables, plots and every error in context. "
        "It holds text of the documents.",
    ),
]

ExperimentReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write an HTML page with tables and plots."),
]
