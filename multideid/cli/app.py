"""The commands, put together."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from multideid import __version__
from multideid.cli.bench import bench
from multideid.cli.clusters import clusters
from multideid.cli.commands import PlainGroup, StrictCommand
from multideid.cli.compare import compare
from multideid.cli.convert import convert
from multideid.cli.deid import deid
from multideid.cli.error_handler import handle_errors
from multideid.cli.evaluate import evaluate
from multideid.cli.experiment import experiment
from multideid.cli.formats import formats
from multideid.cli.models import models
from multideid.cli.predict import predict
from multideid.cli.resources import resources
from multideid.cli.restore import restore
from multideid.cli.resynthesize import resynthesize
from multideid.cli.review import review
from multideid.cli.sample_corpus import sample_corpus
from multideid.cli.serve import serve
from multideid.cli.stopping import StoppedError, end_at_once_on_signals, end_on_signals
from multideid.cli.systems import systems
from multideid.cli.train import train
from multideid.cli.validate import validate
from multideid.isolation import leave_no_core, print_nothing
from multideid.leftovers import remove_leftovers_of_this_process

_EXIT_CODES = (
    "Exit codes: 0 done, 1 some documents failed and were not written, 2 wrong use, "
    "3 an internal error, 129, 130 and 143 stopped by a signal, 141 the reader of the output has "
    "gone."
)

app = typer.Typer(
    name="multideid",
    cls=PlainGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=_EXIT_CODES,
)


def _print_version(given: bool) -> None:
    if given:
        typer.echo(f"multideid {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """De-identify clinical notes on this machine.

    [b]multideid deid notes/ --out clean/[/b] replaces the protected health
    information (PHI) in English notes by the model that comes with the package.
    Train on annotated notes of your own for better results.
    """


def _add(panel: str, command: Callable[..., None], example: str) -> None:
    name = example.split(maxsplit=1)[0]
    epilog = f"Example: [b]multideid {example}[/b]"
    add = app.command(name, cls=StrictCommand, rich_help_panel=panel, epilog=epilog)
    add(handle_errors(command))


_add("Use and train", deid, "deid notes/ --out clean/ --recall high")
_add("Use and train", restore, "restore clean/ --vault notes.vault --key-file key --out back/")
_add("Use and train", predict, "predict model/ corpus/ --out predicted/")
_add("Use and train", serve, "serve --recall high --port 8000")
_add("Use and train", review, "review notes/ --model en-default")
_add("Use and train", train, "train corpus/ --mode multi --recall 0.99 --out model/")
_add("Use and train", clusters, "clusters notes/ --out clusters/")
_add("Measure", evaluate, "evaluate gold/ predicted/")
_add("Measure", compare, "compare --train train/ --test test/ --systems mist,lbj,mimic")
app.add_typer(experiment, name="experiment", rich_help_panel="Measure")
app.add_typer(validate, name="validate", rich_help_panel="Measure")
_add("Measure", bench, "bench model/ notes/ --json")
_add("Corpora", convert, "convert notes.xml notes/ --to brat")
_add("Corpora", resynthesize, "resynthesize corpus/ --style ambiguous --seed 0 --out new/")
_add("Corpora", sample_corpus, "sample-corpus corpus/ --documents 100")
_add("Corpora", formats, "formats")
_add("Look around", models, "models --json")
_add("Look around", systems, "systems --json")
app.add_typer(resources, name="resources", rich_help_panel="Look around")


def main() -> None:
    """Run the command line; the console entry point."""
    for stream in (sys.stdout, sys.stderr):
        # Paths and labels may have characters that the terminal's encoding lacks.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    leave_no_core()
    try:
        _run()
    finally:
        # What base systems leave to be done at the end of the program may quote documents.
        print_nothing()


def _run() -> None:
    """Run a command; a signal may come before it, after it, and while this ends."""
    try:
        try:
            end_on_signals()
            app(prog_name="multideid")
        finally:
            _finish()
    except StoppedError as stopped:
        _finish()
        sys.exit(128 + stopped.number)


def _finish() -> None:
    remove_leftovers_of_this_process()
    end_at_once_on_signals()
