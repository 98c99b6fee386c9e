"""``python scripts/fuzz``: attack the package with malicious models, odd documents and lines."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from attacks import documents as odd
from attacks import kills as killed_runs
from attacks import long_lines as long_line
from attacks import models as attacked_models
from attacks import patterns as compiled
from multideid.models import load

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


@app.command()
def documents(
    number: Annotated[int, typer.Option("--documents", min=1, metavar="N")] = 1_000_000,
    seconds: Annotated[float | None, typer.Option(help="End after this time.")] = None,
    first: Annotated[int, typer.Option(metavar="SEED", help="Seed of the first document.")] = 0,
    model: Annotated[
        str, typer.Option(help="A bundled model, a folder, or `small`: trained in a minute.")
    ] = "small",
) -> None:
    """Read, tokenize, predict, redact and restore odd documents; exit 1 on any fault.

    Results must be the same in another batch, and for some documents alone.
    """
    with tempfile.TemporaryDirectory() as folder:
        small = model == "small"
        made = attacked_models.make_models(Path(folder), ("multi",))[0] if small else model
        outcome = odd.fuzz(load(made), first, number, seconds)
    for kind, count in outcome.counts.items():
        typer.echo(f"{count:10,}  {kind}")
    for fault in outcome.faults:
        typer.echo(f"FAULT: {fault.kind}: seed {fault.seeds}")
    raise typer.Exit(bool(outcome.faults))


@app.command()
def patterns(
    every: Annotated[
        bool, typer.Option("--every", help="Measure every line, for an hour or so.")
    ] = False,
) -> None:
    """Time every regular expression of the package on lines of 10,000 to 40,000 characters."""
    slow = list(compiled.slow_patterns(every))
    for found in slow:
        typer.echo(found)
    raise typer.Exit(bool(slow))


@app.command("long-lines")
def long_lines(
    kind: Annotated[list[str] | None, typer.Option(help="Measure only this kind of line.")] = None,
    size: Annotated[list[int] | None, typer.Option(help="Measure only this length.")] = None,
) -> None:
    """Measure processor time and memory of notes of one line; print rows of a table."""
    typer.echo("| kind | characters | processor time | a character | peak, of it the line's |")
    typer.echo("|---|---|---|---|---|")
    for cost in long_line.costs(kind or list(long_line.KINDS), size or long_line.SIZES):
        typer.echo(
            f"| {cost.kind} | {cost.size:,} | {cost.seconds:.1f} s "
            f"| {cost.seconds / cost.size * 1e6:.1f} µs "
            f"| {cost.peak:,.0f} MB, {cost.megabytes:,.0f} MB |"
        )


@app.command()
def kills(
    number: Annotated[int, typer.Option("--kills", min=1, metavar="N")] = 20,
    chain: Annotated[
        int, typer.Option(min=1, metavar="N", help="Kills of a run, before it may end.")
    ] = 4,
    only: Annotated[
        list[str] | None, typer.Option(help="Kill this kind of run; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="SEED", help="Seed of the moments.")] = 0,
    isolated: Annotated[
        bool, typer.Option("--isolated", help="Let models work in processes of their own.")
    ] = False,
) -> None:
    """Kill runs at random moments, resume them, and compare the output; exit 1 on any fault."""
    faults = 0
    for name in only or killed_runs.KINDS:
        with tempfile.TemporaryDirectory() as folder:
            counts = killed_runs.attack(
                name, Path(folder), kills=number, chain=chain, seed=seed, isolated=isolated
            )
        typer.echo(f"{name}: " + "; ".join(f"{n} {what}" for what, n in counts.items()))
        faults += sum(n for what, n in counts.items() if what.startswith("FAULT"))
    raise typer.Exit(faults > 0)


@app.callback()
def main() -> None:
    """Attack the package."""


if __name__ == "__main__":
    app()
