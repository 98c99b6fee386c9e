"""``multideid systems``: what base systems there are."""

from __future__ import annotations

from multideid.cli.options import AsJson
from multideid.cli.output import print_figures


def systems(json: AsJson = False) -> None:
    """List the base systems, and whether each is usable here.

    Those of installed packages are listed with the built-in ones.
    """
    from multideid.registry import SystemInfo, describe_systems

    def line(info: SystemInfo) -> str:
        usable = "yes" if info.usable else "no"
        origin = "" if info.origin == "multideid" else f" ({info.origin})"
        return f"{info.name:<{width}}  {usable:<6}  {info.problem or info.summary}{origin}"

    infos = describe_systems()
    width = max([len("system"), *(len(info.name) for info in infos)])
    heading = f"{'system':<{width}}  usable  what it is"
    text = "\n".join([heading, *map(line, infos)])
    print_figures([info._asdict() for info in infos], text, json)
