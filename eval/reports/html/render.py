"""From a report to one page of HTML that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING

from multideid.eval.reports.html.blocks import Chart, HeatMap, Intervals, Report
from multideid.eval.reports.html.charts import chart_svg
from multideid.eval.reports.html.errors import kinds_tables
from multideid.eval.reports.html.heat_maps import heat_map_svg
from multideid.eval.reports.html.interval_plots import intervals_svg
from multideid.eval.reports.html.payload import payload

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_PAGE = "multideid.eval.reports.html"


def render_report(report: Report) -> str:
    """Return the page.

    It holds its styles, script, plots and data, asks for nothing from the
    network, and may run no script but its own (a content security policy says
    so), whatever the text in it.

    Parameters
    ----------
    report : Report

    Returns
    -------
    str
        HTML, with text of the documents where the report lists mistakes.
    """
    from markupsafe import Markup

    script = _resource("report.js")
    sections = tuple(section for section in report.sections if section.blocks)
    has_mistakes = any(report.mistakes.values())
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            sections=sections,
            plots=_Plots(),
            mistakes=payload(report.mistakes, report.first) if has_mistakes else None,
            kinds=kinds_tables(report.mistakes),
            style=Markup(_resource("report.css")),
            script=Markup(script),
            script_hash=_hash(script),
        )
    )


class _Plots:
    """Draws blocks, each under a name of its own."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def __call__(self, block: HeatMap | Chart | Intervals) -> Markup:
        from markupsafe import Markup

        name = f"plot-{next(self._numbers)}"
        match block:
            case HeatMap():
                svg = heat_map_svg(block, name)
            case Chart():
                svg = chart_svg(block, name)
            case Intervals():
                svg = intervals_svg(block, name)
        return Markup(svg)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        loader=PackageLoader(_PAGE, "page"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["kind"] = lambda block: type(block).__name__
    return environment


def _resource(name: str) -> str:
    return (files(_PAGE) / "page" / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
