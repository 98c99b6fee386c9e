"""Reports of irregularities in a corpus that were resolved by a rule."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "overlapping", "discontinuous", "carriage returns", "spans not written", "fields not written"
]

RULES: dict[Kind, str] = {
    "overlapping": "overlapping spans: the longer of two was kept, then the earlier",
    "discontinuous": "discontinuous spans: each fragment became a separate span, "
    "except that fragments separated by white space only were joined",
    "carriage returns": "files whose offsets count carriage returns: their line ends were kept",
    "spans not written": "spans not written: the format has no spans",
    "fields not written": "fields of meta not written: the format has no place for them",
}
"""The rule by which each kind of irregularity is resolved."""


class CorpusWarning(UserWarning):
    """A corpus was read or written with irregularities that were resolved by a rule."""


@dataclass(frozen=True, slots=True)
class Report:
    """One kind of irregularity in one document.

    Parameters
    ----------
    document_id : str
    kind : str
        A key of `RULES`.
    count : int
        Number of occurrences in the document.
    """

    document_id: str
    kind: Kind
    count: int

    def __str__(self) -> str:
        return f"document {self.document_id!r}: {self.count} {RULES[self.kind]}"


OnReport = Callable[[Report], None]


class Tally:
    """Counts reports, to warn once per kind instead of once per document."""

    def __init__(self) -> None:
        self._spans: Counter[Kind] = Counter()
        self._documents: Counter[Kind] = Counter()
        self._first: dict[Kind, str] = {}

    def __call__(self, report: Report) -> None:
        """Count one report."""
        self._spans[report.kind] += report.count
        self._documents[report.kind] += 1
        self._first.setdefault(report.kind, report.document_id)

    def warn(self, path: object) -> None:
        """Issue one `CorpusWarning` for each kind that was counted."""
        for kind, count in self._spans.items():
            warnings.warn(
                f"{path}: {count} {RULES[kind]} "
                f"({self._documents[kind]} documents, the first {self._first[kind]!r})",
                CorpusWarning,
                stacklevel=2,
            )
