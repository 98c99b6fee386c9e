"""Options of the desk."""

from __future__ import annotations

from typing import Annotated

import typer

Reviewers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Who reviews; can be repeated, and each gets an address. Default: you.",
        show_default=False,
    ),
]
Port = Annotated[
    int, typer.Option(min=0, max=65_535, metavar="N", help="Port; 0 for any free one.")
]
