"""Put a report together, and write it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.errors import UsageError, unwritable
from multideid.eval.metrics.mistakes import Mistake
from multideid.eval.reports.html.blocks import Chart, Report, Section
from multideid.eval.reports.html.cells import Comparisons, main_system
from multideid.eval.reports.html.classes import class_section, confusion_section
from multideid.eval.reports.html.differences import curve_section, significance_section
from multideid.eval.reports.html.render import render_report
from multideid.eval.reports.html.summary import signature_section, summary_section
from multideid.eval.reports.html.trust import trust_section
from multideid.files import atomic_path, owner_only

if TYPE_CHECKING:
    import pandas as pd


def comparison_report(  # noqa: PLR0913 (all but one by name)
    comparisons: Comparisons,
    *,
    trust: Mapping[str, pd.DataFrame] | None = None,
    mistakes: Mapping[str, Sequence[Mistake]] | None = None,
    curves: Sequence[Chart] = (),
    sections: Sequence[Section] = (),
    title: str | None = None,
) -> Report:
    """Put together what there is to say about comparisons; the rest is left out.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By corpus.
    trust : mapping of str to pandas.DataFrame, optional
        By corpus: Multi's ``trust_``, PHI class by system.
    mistakes : mapping of str to sequence of Mistake, optional
        By corpus, from `multideid.eval.metrics.mistakes.collect_mistakes`.
    curves : sequence of Chart
        Curves of precision over recall.
    sections : sequence of Section
        Any others, such as of experiments.
    title : str, optional

    Returns
    -------
    Report

    Raises
    ------
    UsageError
        If there is no comparison.
    """
    if not comparisons:
        raise UsageError("a report needs at least one comparison")
    return Report(
        title or f"Evaluation on {', '.join(comparisons)}",
        (
            summary_section(comparisons),
            class_section(comparisons),
            confusion_section(comparisons),
            trust_section(trust or {}),
            curve_section(comparisons, curves),
            *sections,
            significance_section(comparisons),
            signature_section(comparisons),
        ),
        mistakes or {},
        main_system(next(iter(comparisons.values()))),
    )


def write_report(path: str | Path, report: Report, overwrite: bool = False) -> None:
    """Write a report as one file, whole or not at all, that its owner alone can read.

    Parameters
    ----------
    path : str or Path
        The file to be; its parents are made where they are missing.
    report : Report
        If it lists mistakes, the file holds text of the documents.
    overwrite : bool
        Whether a file that stands there may be replaced.

    Raises
    ------
    UsageError
        If something that must not be replaced stands there, or the place
        cannot be written to.
    """
    target = check_report_place(path, overwrite)
    # Ids and labels may hold what UTF-8 does not, such as half a character.
    page = render_report(report).encode("utf-8", "xmlcharrefreplace")
    try:
        with atomic_path(target) as stage:
            with open(stage, "wb", opener=owner_only) as file:
                file.write(page)
            check_report_place(target, overwrite)
    except OSError as error:
        raise unwritable(target, error) from None


def check_report_place(path: str | Path, overwrite: bool = False) -> Path:
    """Make sure that a report can be written at `path`; call it before the work.

    Returns
    -------
    Path

    Raises
    ------
    UsageError
        As `write_report`.
    """
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
