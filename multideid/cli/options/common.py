"""Options of many commands."""

from __future__ import annotations

from typing import Annotated

import typer

Shared = Annotated[
    bool,
    typer.Option(
        "--shared",
        help="Let others read the output, as your umask says. Default: only you can.",
    ),
]

SharedOrPrivate = Annotated[
    bool | None,
    typer.Option(
        "--shared/--private",
        help="Whether others can read the output, as your umask says, or only you. Default: "
        "shared, but private with --as tag.",
        show_default=False,
    ),
]

Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="After this time a document has failed, such as one on which a base system hangs.",
    ),
]

AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]

Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the output of an earlier run.")
]

Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Random seed.")]

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="Number of processes. Default: one per processor."
    ),
]

ShowProgress = Annotated[
    bool | None,
    typer.Option(
        "--progress",
        help="Draw a progress bar on stderr even if it is not a terminal.",
        show_default=False,
    ),
]
