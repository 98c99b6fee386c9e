"""``multideid systems``: the base systems."""

from __future__ import annotations

from multideid.cli.options.common import AsJson
from multideid.cli.output import counted, print_figures
from multideid.errors import ResourceError, UsageError


def systems(json: AsJson = False) -> None:
    """List the base systems, and whether each is usable here.

    Systems of installed packages are listed with the built-in ones. Below are
    the knowledge sources for systems that can use them.
    """
    from multideid.taggers.registry import SystemInfo, describe_systems

    def line(info: SystemInfo) -> str:
        usable = "yes" if info.usable else "no"
        origin = "" if info.origin == "multideid" else f" ({info.origin})"
        return f"{info.name:<{width}}  {usable:<6}  {info.problem or info.summary}{origin}"

    infos = describe_systems()
    width = max([len("system"), *(len(info.name) for info in infos)])
    sources = [] if json else _sources(width)
    heading = f"{'system':<{width}}  usable  description"
    text = "\n".join([heading, *map(line, infos), "", *sources])
    print_figures([info._asdict() for info in infos], text, json)


def _sources(width: int) -> list[str]:
    """Return a line for each knowledge source, whether it can be used here or not."""
    from multideid.knowledge.resources import RESOURCES

    rows = [("link-grammar", *_parser())]
    rows += [(name, *_resource(name, summary)) for name, summary in RESOURCES.items()]
    lines = [f"{name:<{width}}  {'yes' if here else 'no':<6}  {text}" for name, here, text in rows]
    return [f"{'source':<{width}}  here    description", *lines]


def _parser() -> tuple[bool, str]:
    from multideid.knowledge.link_grammar import version

    try:
        return True, f"Link Grammar {version()}: links between words (English)"
    except UsageError as error:
        return False, str(error)


def _resource(name: str, summary: str) -> tuple[bool, str]:
    from multideid.knowledge.resources import missing, resource_info

    try:
        info = resource_info(name)
    except ResourceError as error:
        return False, str(error)
    if info is None:
        return False, missing(name)
    return True, f"{summary}: {counted(info.entries, 'phrase')}"
