"""Render a report as one self-contained page of HTML, and write it to a file."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.errors import MissingPackageError, UsageError, unwritable
from multideid.eval.reports.blocks import Chart, HeatMap, Intervals, Report
from multideid.eval.reports.html.payload import kinds_tables, payload
from multideid.eval.reports.html.plots import chart_svg, heat_map_svg, intervals_svg
from multideid.files import atomic_path
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


def write_report(path: str | Path, report: Report, overwrite: bool = False) -> None:
    """Write a report atomically to one file that only its owner can read.

    Parameters
    ----------
    path : str or Path
        Missing parent folders are created.
    report : Report
        If it lists mistakes, the file contains text of the documents.
    overwrite : bool
        Whether an existing file may be replaced.

    Raises
    ------
    UsageError
        If the file exists and may not be replaced, or cannot be written.
    """
    target = check_report_place(path, overwrite)
    # Ids and labels may hold characters that UTF-8 cannot encode, such as lone surrogates.
    page = render_report(report).encode("utf-8", "xmlcharrefreplace")
    try:
        with atomic_path(target) as stage:
            stage.write_bytes(page)
            check_report_place(target, overwrite)
    except OSError as error:
        raise unwritable(target, error) from None


def _require_packages() -> None:
    missing = [name for name in ("jinja2", "matplotlib") if find_spec(name) is None]
    if missing:
        raise MissingPackageError(" and ".join(missing), "report", "a report")


def check_report_place(path: str | Path, overwrite: bool = False) -> Path:
    """Check that a report can be written to `path`, before any work is done.

    Returns
    -------
    Path

    Raises
    ------
    UsageError
        As `write_report`.
    """
    _require_packages()
    target = Path(path)
    try:
        if target.is_dir():
            raise UsageError(f"{target} is a folder; name a file for the report")
        if os.path.lexists(target) and not overwrite:
            raise UsageError(f"{target} exists; choose another file, or --overwrite it")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise UsageError(f"cannot write {target}: its folder is not writable")
    except OSError as error:
        raise unwritable(target, error) from None
    return target


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
