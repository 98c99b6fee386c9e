"""The option ``--report``: a page that shows what a command measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.error_handler import tell
from multideid.cli.output_paths import refuse_inside

if TYPE_CHECKING:
    import pandas as pd

    from multideid.document import Document
    from multideid.eval import Comparison
    from multideid.eval.metrics.mistakes import Mistake
    from multideid.eval.reports.html import Chart
    from multideid.stacking import Deidentifier

ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a page of HTML with tables, plots and every error in context. "
        "It holds text of the documents.",
    ),
]
ExperimentReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write a page of HTML with tables and plots."),
]


def check_report(path: Path, inputs: Iterable[Path], overwrite: bool) -> None:
    """Make sure that a report can be written at `path`, before any work is done.

    Raises
    ------
    UsageError
        If it is one of the inputs or lies in one, something that must not be
        replaced stands there, or the place cannot be written to.
    """
    from multideid.eval.reports.html import check_report_place

    refuse_inside(path, inputs)
    check_report_place(path, overwrite)


def write_experiment(path: Path, figures: dict[str, Any], text: str, overwrite: bool) -> None:
    """Write the report of an experiment, and say what may be in it."""
    from multideid.eval.reports.html import experiment_report, write_report

    write_report(path, experiment_report(figures, text), overwrite)
    tell(f"{path} may hold words of the documents; keep it as safe as the corpus")


class ReportDraft:
    """What a report is to show, gathered corpus by corpus.

    Parameters
    ----------
    path : Path
        The file to be; checked at once, before any work is done.
    inputs : iterable of Path
        Where it must not lie.
    overwrite : bool
        Whether a file that stands there may be replaced.

    Raises
    ------
    UsageError
        As `check_report`.
    """

    def __init__(self, path: Path, inputs: Iterable[Path], overwrite: bool) -> None:
        check_report(path, inputs, overwrite)
        self._path = path
        self._overwrite = overwrite
        self._comparisons: dict[str, Comparison] = {}
        self._mistakes: dict[str, Sequence[Mistake]] = {}
        self._trust: dict[str, pd.DataFrame] = {}
        self._curves: list[Chart] = []

    def add(
        self,
        corpus: str,
        comparison: Comparison,
        gold: Sequence[Document],
        predictions: Mapping[str, Sequence[Document]],
        multi: Deidentifier | None = None,
    ) -> None:
        """Add what was measured on a corpus, and what the Multi behind it trusts."""
        from multideid.eval.metrics.mistakes import collect_mistakes
        from multideid.eval.reports.html.curves import multi_curves
        from multideid.stacking import MultiDeidentifier

        self._comparisons[corpus] = comparison
        self._mistakes[corpus] = collect_mistakes(gold, predictions)
        if isinstance(multi, MultiDeidentifier):
            self._trust[corpus] = multi.trust_
            self._curves.append(
                multi_curves(f"Multi's precision over recall: {corpus}", multi, gold)
            )

    def write(self) -> None:
        """Write the report, and say what is in it."""
        from multideid.eval.reports.html import comparison_report, write_report

        report = comparison_report(
            self._comparisons, trust=self._trust, mistakes=self._mistakes, curves=self._curves
        )
        write_report(self._path, report, self._overwrite)
        tell(f"{self._path} holds text of the documents; keep it as safe as the corpus")
