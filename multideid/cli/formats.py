"""``multideid formats``: the formats of corpora."""

from __future__ import annotations

from multideid.cli.options import AsJson
from multideid.cli.output import print_figures


def formats(json: AsJson = False) -> None:
    """List the formats in which corpora are read and written."""
    from multideid.corpora import FORMATS

    width = max(map(len, FORMATS))
    text = "\n".join(f"{name:<{width}}  {summary}" for name, summary in FORMATS.items())
    print_figures(FORMATS, text, json)
