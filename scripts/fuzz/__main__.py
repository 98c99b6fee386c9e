"""``python scripts/fuzz``: attack the package with malicious models and odd documents."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from attacks import models as attacked_models

app = typer.Typer(pretty_exceptions_enable=False, no_args_is_help=True)


@app.command()
def models(
    attempts: Annotated[int, typer.Option(min=1, metavar="N")] = 3000,
    first: Annotated[int, typer.Option(metavar="SEED", help="Seed of the first attempt.")] = 0,
    only: Annotated[
        list[str] | None, typer.Option(help="Attack this model; may be repeated.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Append faults to this file.")] = None,
) -> None:
    """Load and use malicious models, and count what becomes of them; exit 1 on any fault.

    With NUMBA_BOUNDSCHECK=1 (and a NUMBA_CACHE_DIR of its own), every access outside of an array
    is found, not only those that end the process.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = attacked_models.make_models(Path(folder), tuple(only) if only else None)
        counts = attacked_models.attack(made, range(first, first + attempts), log)
    for outcome, number in counts.most_common():
        typer.echo(f"{number:8,}  {outcome}")
    raise typer.Exit(any(outcome.startswith("FAULT") for outcome in counts))


@app.callback()
def main() -> None:
    """Attack the package."""


if __name__ == "__main__":
    app()
