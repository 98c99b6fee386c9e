"""Results of a de-identification, and its failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

OnFailure = Callable[["Failure"], None]


class Failure(NamedTuple):
    """A document that failed and was not written.

    Parameters
    ----------
    name : str
    problem : str
        Holds no document text.
    """

    name: str
    problem: str


class Failures(list[Failure]):
    """The failures of a run.

    Parameters
    ----------
    on_failure : callable, optional
        Called with each failure when it happens.
    """

    def __init__(self, on_failure: OnFailure | None = None) -> None:
        super().__init__()
        self._on_failure = on_failure

    def add(self, name: str, problem: str) -> None:
        """Add a failure, and report it."""
        failure = Failure(name, problem)
        self.append(failure)
        if self._on_failure is not None:
            self._on_failure(failure)

    def to_list(self) -> list[dict[str, str]]:
        """Return names and problems as plain JSON values."""
        return [failure._asdict() for failure in self]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeidResult:
    """The result of a de-identification.

    Parameters
    ----------
    documents : int
        Number of documents that were de-identified: notes, or rows of tables.
    labels : dict of str to int
        Number of replaced spans, by label.
    failures : tuple of Failure
        Documents and tables that failed. A failed note or table is not written;
        the cell of a failed row is empty.
    skipped : tuple of Path
        Files and folders inside the input folder that were not read, then hidden files in
        archives.
    tokens : int
        Number of processed tokens, separated by white space.
    seconds : float
    unchanged : int
        Number of files that were skipped, since an earlier run has processed them.
    vanished : tuple of str
        Files of the output whose inputs existed in an earlier run and do not any more.
        They stay.
    """

    documents: int
    labels: dict[str, int]
    failures: tuple[Failure, ...]
    skipped: tuple[Path, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    unchanged: int = 0
    vanished: tuple[str, ...] = ()

    @property
    def tokens_per_second(self) -> int:
        """The throughput."""
        return round(self.tokens / max(self.seconds, 1e-9))

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return {
            "documents": self.documents,
            "spans": self.labels,
            "tokens": self.tokens,
            "seconds": round(self.seconds, 3),
            "tokens_per_second": self.tokens_per_second,
            "failed": [failure._asdict() for failure in self.failures],
            "skipped": [str(path) for path in self.skipped],
            "unchanged": self.unchanged,
            "vanished": list(self.vanished),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameResult(DeidResult):
    """The result of the de-identification of a data frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        With the text replaced; other parameters as for `DeidResult`.
    """

    frame: pd.DataFrame = field(repr=False)
