"""``multideid resources``: external knowledge that the user adds once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.cli.commands import PlainCommand, PlainGroup
from multideid.cli.error_handler import handle_errors
from multideid.cli.options.common import AsJson
from multideid.cli.output import counted, print_figures

if TYPE_CHECKING:
    from multideid.knowledge.resources import ResourceInfo

Name = Annotated[str, typer.Argument(metavar="NAME", help="The resource, such as mesh.")]
Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="The files to make it from."),
]

resources = typer.Typer(
    cls=PlainGroup,
    invoke_without_command=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    help="List, add and remove external knowledge that systems can use.",
    epilog="Example: [b]multideid resources add mesh desc2025.xml[/b]",
)


def _list(json: AsJson = False) -> None:
    """List the possible resources, and those that were added."""
    from multideid.knowledge.resources import RESOURCES, added_resources, data_folder

    added = {info.name: info for info in added_resources()}
    width = max(map(len, ["resource", *RESOURCES]))
    lines = [f"{'resource':<{width}}  description"]
    for name, summary in RESOURCES.items():
        lines.append(f"{name:<{width}}  {summary}: {_state(name, added.get(name))}")
    figures = [
        {
            "name": name,
            "summary": summary,
            "added": added[name]._asdict() if name in added else None,
        }
        for name, summary in RESOURCES.items()
    ]
    print_figures(figures, "\n".join([*lines, f"\nkept in {data_folder()}"]), json)


def _state(name: str, info: ResourceInfo | None) -> str:
    from multideid.knowledge.resources import missing

    return missing(name) if info is None else _described(info)


def _described(info: ResourceInfo) -> str:
    return (
        f"{counted(info.entries, 'phrase')} of {', '.join(info.sources)}, "
        f"added {info.added}, fingerprint {info.fingerprint}"
    )


def _add(name: Name, files: Files, json: AsJson = False) -> None:
    """Make a resource from files; it replaces an older one.

    mesh: the descriptors of the National Library of Medicine, in XML
    (desc2025.xml) or ASCII (d2025.bin), or tables of identifiers, names and
    tree numbers. Models that were trained with another file will ask for that.
    """
    from multideid.knowledge.resources import add_resource

    info = add_resource(name, files)
    print_figures(info._asdict(), f"{info.name}: {_described(info)}", json)


def _remove(name: Name) -> None:
    """Remove a resource."""
    from multideid.knowledge.resources import remove_resource

    remove_resource(name)
    typer.echo(f"{name} was removed")


@resources.callback()
def _root(context: typer.Context, json: AsJson = False) -> None:
    if context.invoked_subcommand is None:
        handle_errors(_list)(json)


for name, command, example in (
    ("add", _add, "add mesh desc2025.xml"),
    ("remove", _remove, "remove mesh"),
):
    epilog = f"Example: [b]multideid resources {example}[/b]"
    resources.command(name, cls=PlainCommand, epilog=epilog)(handle_errors(command))
