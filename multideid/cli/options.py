"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CorpusFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Format of the corpus (see [b]multideid formats[/b]). "
        "Default: recognised from the content.",
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
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace what an earlier run has written there.")
]
Systems = Annotated[
    str | None,
    typer.Option(
        "--systems",
        metavar="LIST",
        help="Base systems, with commas between (see [b]multideid systems[/b]). "
        "Default: the built-in ones.",
    ),
]
Param = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="SYSTEM.NAME=VALUE",
        help="A parameter of a base system, such as stat-deid.mesh=true. Repeat for several. "
        "Where there is one system only, NAME=VALUE will do.",
    ),
]
Tokenization = Annotated[
    str,
    typer.Option("--tokenization", metavar="NAME", help="What a token is: multideid, whitespace."),
]
Beta = Annotated[
    float,
    typer.Option("--beta", metavar="B", help="How many times as much recall weighs as precision."),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="What is drawn by lot follows from it.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="Processes to use at once. Default: one a processor."
    ),
]
ShowProgress = Annotated[
    bool | None,
    typer.Option(
        "--progress",
        help="Draw a progress bar on stderr, also if it is no terminal.",
        show_default=False,
    ),
]


_WITH_SPANS = {"plain": "brat"}


def chosen_formats(corpus: Path, format: str | None, to: str | None) -> tuple[str, str]:
    """Return the format of a corpus, and that in which to write it with spans.

    Parameters
    ----------
    corpus : Path
    format : str or None
        What the user named as `CorpusFormat`; None to look at the content.
    to : str or None
        What the user named as `SpansFormat`.

    Raises
    ------
    CorpusError
        If the format is not recognised.
    """
    from multideid.corpora import detect_format

    source = format or detect_format(corpus)
    return source, to or _WITH_SPANS.get(source, source)


def listed_names(listed: str) -> list[str]:
    """Return the names of a list with commas between."""
    return [name.strip() for name in listed.split(",") if name.strip()]


def chosen_systems(names: str | None) -> tuple[str, ...]:
    """Return the base systems that the user named, or the default ones.

    Raises
    ------
    UsageError
        If one is unknown or does not load, or is named twice, or none is named.
    """
    from multideid.stacking import DEFAULT_SYSTEMS
    from multideid.stacking.out_of_fold import check_systems

    if names is None:
        return check_systems(DEFAULT_SYSTEMS)
    return check_systems(listed_names(names))
