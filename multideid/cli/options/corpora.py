"""Options of corpora: which to read, in which format, and where to write one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CorpusFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Format of the corpus (see [b]multideid formats[/b]). Default: detected.",
    ),
]

ToFormat = Annotated[
    str,
    typer.Option("--to", metavar="NAME", help="Format to write (see [b]multideid formats[/b])."),
]

SpansFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="NAME",
        help="Format to write. Default: that of CORPUS, or brat if that holds no spans.",
    ),
]

OutCorpus = Annotated[
    Path,
    typer.Option("--out", "-o", metavar="PATH", help="Where to write.", show_default=False),
]

TrainCorpora = Annotated[
    list[Path],
    typer.Option("--train", metavar="CORPUS", help="A corpus to train on; can be repeated."),
]

TestCorpora = Annotated[
    list[Path],
    typer.Option(
        "--test", metavar="CORPUS", help="The corpus to measure on: one for each --train."
    ),
]

OptionalTrainCorpora = Annotated[
    list[Path] | None,
    typer.Option("--train", metavar="CORPUS", help="A corpus to train on; can be repeated."),
]

OptionalTests = Annotated[
    list[Path] | None,
    typer.Option(
        "--test", metavar="CORPUS", help="The corpus to measure on: one for each --train."
    ),
]

OptionalTestCorpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--test", metavar="CORPUS", help="More documents: one corpus for each --train, or none."
    ),
]

FoldsOf = Annotated[
    list[Path] | None,
    typer.Option(
        "--folds-of",
        metavar="CORPUS",
        help="A corpus without test documents: each of its folds is measured by systems that "
        "learned from the others; can be repeated.",
    ),
]

GroupField = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="NAME",
        help="Field of the documents' meta: documents with the same value share a fold. "
        "Default: each document is a group.",
    ),
]

CorpusNames = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="Name of a corpus in tables: one for each --train. Default: derived from the paths.",
    ),
]
