"""``multideid validate``: how safe notes are, from a sample that people read."""

from __future__ import annotations

import typer

from multideid.cli.commands import PlainGroup, StrictCommand
from multideid.cli.error_handler import handle_errors
from multideid.cli.validation_read import read
from multideid.cli.validation_report import check, report
from multideid.cli.validation_sample import sample, size
from multideid.cli.validation_simulation import simulate

validate = typer.Typer(
    cls=PlainGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    help="Estimate how much PHI is left, with bounds, from a random sample that people read.",
    epilog="Example: [b]multideid validate sample notes/ --bound 0.01 --out sample.jsonl[/b]",
)


def _add(name: str, command: object, example: str) -> None:
    epilog = f"Example: [b]multideid validate {example}[/b]"
    add = validate.command(name, cls=StrictCommand, epilog=epilog)
    add(handle_errors(command))  # type: ignore[arg-type]


_add("size", size, "size")
_add("sample", sample, "sample notes/ --bound 0.01 --out sample.jsonl")
_add(
    "report",
    report,
    "report sample.jsonl.plan.json anna.jsonl --model en-default --report page.html",
)
_add("read", read, "read notes/ --bound 0.05 --model en-default --report page.html")
_add("check", check, "check report.json")
_add("simulate", simulate, "simulate gold/ --model model/ --notes 100")
