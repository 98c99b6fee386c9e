"""Oddities in a corpus that a reader resolved, and how it tells of them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["overlapping", "discontinuous", "carriage returns", "spans not written"]

RULES: dict[Kind, str] = {
    "overlapping": "overlapping spans: of two, the longer was kept, then the earlier",
    "discontinuous": "discontinuous spans: each fragment became a span of its own, "
    "but fragments with only white space between them one span",
    "carriage returns": "files whose offsets count carriage returns: their line ends were kept",
    "spans not written": "spans not written: the format holds text only",
}
"""What was done about each kind of oddity."""


class CorpusWarning(UserWarning):
    """A corpus was read, or written, with something in it changed by a stated rule."""


@dataclass(frozen=True, slots=True)
class Report:
    """One kind of oddity in one document.

    Parameters
    ----------
    document_id : str
    kind : str
        A key of `RULES`.
    count : int
        How often it occurs in the document.
    """

    document_id: str
    kind: Kind
    count: int

    def __str__(self) -> str:
        return f"document {self.document_id!r}: {self.count} {RULES[self.kind]}"


OnReport = Callable[[Report], None]


class Tally:
    """Counts reports, to warn once a kind and not once a document."""

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
