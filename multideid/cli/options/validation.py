"""Options of ``multideid validate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Level = Annotated[
    float, typer.Option("--level", metavar="P", help="Confidence of bounds and intervals.")
]
DrawLevel = Annotated[
    float | None,
    typer.Option(
        "--level",
        metavar="P",
        help="Confidence of bounds and intervals. Default: 0.95.",
        show_default=False,
    ),
]
ValidatedModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="The model to validate: a folder, or the name of a bundled one.",
        show_default=False,
    ),
]
Predicted = Annotated[
    Path | None,
    typer.Option(
        "--predicted",
        metavar="CORPUS",
        help="The same notes with what a model or another tool found, instead of --model.",
        show_default=False,
    ),
]


ReleasedNotes = Annotated[
    Path, typer.Argument(metavar="NOTES", help="The corpus of all notes to be released.")
]
ShareBound = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="The share of leaking notes to rule out. Default: 0.01.",
        show_default=False,
    ),
]
LeaksAllowed = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="N",
        help="How many notes of the sample may leak nevertheless. Default: 0.",
        show_default=False,
    ),
]
SampleSize = Annotated[
    int | None,
    typer.Option(
        "--notes",
        min=1,
        metavar="N",
        help="Number of notes to draw. Default: as many as the bound requires.",
        show_default=False,
    ),
]
StratifyBy = Annotated[
    str | None,
    typer.Option(
        metavar="FIELD",
        help="Field of the notes' meta, such as the department; each of its values is sampled in "
        "proportion.",
    ),
]
DrawSeed = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="To draw the same notes again. Default: random."),
]
CountedReviewers = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Whose review counts; can be given twice. Default: all."),
]
FiguresFile = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the figures as JSON, signed."),
]
PageFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write an HTML page to print and sign, without PHI."),
]
