"""``multideid formats``: the formats of corpora and files."""

from __future__ import annotations

from multideid.cli.options.common import AsJson
from multideid.cli.output import print_figures


def formats(json: AsJson = False) -> None:
    """List the formats of corpora, and those of files that deid reads by their structure."""
    from multideid.corpora import describe_formats

    summaries = describe_formats()
    width = max(map(len, summaries))
    text = "\n".join(f"{name:<{width}}  {summary}" for name, summary in summaries.items())
    print_figures(summaries, text, json)
