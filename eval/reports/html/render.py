"""Render a report as one self-contained page of HTML."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING

from multideid.eval.reports.blocks import Chart, HeatMap, Intervals, Report
from multideid.eval.reports.html.payload import kinds_tables, payload
from multideid.eval.reports.html.plots import chart_svg, heat_map_svg, intervals_svg
from multideid.pages.frame import page_head

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_PAGE = "multideid.eval.reports.html"
_FIGURES = re.compile(r"[\[\]\d.,+%/ -]+")


def render_report(report: Report) -> str:
    """Return the page.

    It contains its styles, script, plots and data, requests nothing from the
    network, and its content security policy allows no script but its own.

    Parameters
    ----------
    report : Report

    Returns
    -------
    str
        HTML, with text of the documents if the report lists mistakes.
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
            head=Markup(page_head(report.title, script)),
            script=Markup(script),
        )
    )


class _Plots:
    """Draws blocks, each with a unique name."""

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


def _typeset(cell: str) -> str:
    """Return a cell with minus signs and en dashes instead of hyphens, if it holds figures."""
    if not _FIGURES.fullmatch(cell):
        return cell
    return re.sub(r"(?<=\d)-", "\N{EN DASH}", cell).replace("-", "\N{MINUS SIGN}")


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
    environment.filters["typeset"] = _typeset
    return environment


def _resource(name: str) -> str:
    return (files(_PAGE) / "page" / name).read_text(encoding="utf-8")
