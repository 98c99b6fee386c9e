"""The option ``--report``: a page that shows the measurements of a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.cli.error_handler import print_notice
from multideid.files import refuse_inside

if TYPE_CHECKING:
    import pandas as pd

    from multideid.document import Document
    from multideid.eval import Comparison
    from multideid.eval.experiments import Measured, Result
    from multideid.eval.metrics.mistakes import Mistake
    from multideid.eval.reports.blocks import Chart


def check_report(path: Path, inputs: Iterable[Path], overwrite: bool) -> None:
    """Check that a report can be written at `path`; call it before any work.

    Raises
    ------
    UsageError
        If it is one of the inputs or lies in one, exists and must not be
        replaced, or cannot be written.
    """
    from multideid.eval.reports.html import check_report_place

    refuse_inside(path, inputs)
    check_report_place(path, overwrite)


def write_experiment(path: Path, result: Result, overwrite: bool) -> None:
    """Write the report of an experiment, with a notice of its content."""
    from multideid.eval.reports.html import write_report

    write_report(path, result.report(), overwrite)
    print_notice(f"{path} may hold words of the documents; protect it as you protect the corpus")


class ReportDraft:
    """The content of a report, gathered corpus by corpus.

    Parameters
    ----------
    path : Path
        The file to write; checked at once.
    inputs : iterable of Path
        Folders in which it must not lie.
    overwrite : bool
        Whether an existing file may be replaced.

    Raises
    ------
    UsageError
        As for `check_report`.
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
        measured: Measured | None = None,
    ) -> None:
        """Add the measurements on a corpus, and Multi's trust and curves if it was measured."""
        from multideid.eval.experiments import precision_recall_chart
        from multideid.eval.metrics.mistakes import collect_mistakes

        self._comparisons[corpus] = comparison
        self._mistakes[corpus] = collect_mistakes(gold, predictions)
        if measured is not None:
            title = f"Multi's precision over recall: {corpus}"
            self._trust[corpus] = measured.trust()
            self._curves.append(precision_recall_chart(title, measured.curves()))

    def write(self) -> None:
        """Write the report, with a notice of its content."""
        from multideid.eval.reports.html import comparison_report, write_report

        report = comparison_report(
            self._comparisons, trust=self._trust, mistakes=self._mistakes, curves=self._curves
        )
        write_report(self._path, report, self._overwrite)
        print_notice(
            f"{self._path} holds text of the documents; protect it as you protect the corpus"
        )
