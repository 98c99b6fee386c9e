"""Options that several commands share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from multideid.errors import UsageError

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
        metavar="A,B,…",
        help="Base systems, with commas between (see [b]multideid systems[/b]). "
        "Default: the built-in ones.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Everything drawn by lot follows from it.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="Processes to use at once.", show_default=False
    ),
]
ShowProgress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        help="Draw progress bars on stderr. Default: if it is a terminal.",
        show_default=False,
    ),
]


def chosen_systems(names: str | None) -> tuple[str, ...]:
    """Return the base systems that the user named, or the default ones.

    Raises
    ------
    UsageError
        If one is unknown or does not load, or is named twice.
    """
    from multideid.registry import load_system
    from multideid.stacking import DEFAULT_SYSTEMS

    if names is None:
        return DEFAULT_SYSTEMS
    chosen = tuple(name.strip() for name in names.split(",") if name.strip())
    twice = [name for name, n in Counter(chosen).items() if n > 1]
    if twice or not chosen:
        problem = f"names {', '.join(twice)} twice" if twice else "names no system"
        raise UsageError(f"--systems {problem}; give names with commas between")
    for name in chosen:
        load_system(name)
    return chosen
