"""Build valid documents from the text and spans of a file."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from multideid.corpora.reports import OnReport, Report
from multideid.document import Document, Span
from multideid.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Assembler:
    """Builds the documents of one file.

    Parameters
    ----------
    path : Path
        The file, named in errors.
    report : callable
        Called with a `Report` for each document with overlapping spans.
    """

    path: Path
    report: OnReport

    def build(
        self,
        document_id: str,
        text: str,
        spans: Sequence[Span],
        meta: Mapping[str, Any] | None = None,
    ) -> Document:
        """Build a document from spans in any order, and resolve overlaps.

        Raises
        ------
        CorpusError
            If a span is empty, lies outside the text or has no label.
        """
        for span in spans:
            _check_span(self.path, document_id, len(text), span)
        kept = keep_longest(spans)
        if len(kept) < len(spans):
            self.report(Report(document_id, "overlapping", len(spans) - len(kept)))
        return Document(document_id, text, kept, meta or {})


def _check_span(path: Path, document_id: str, length: int, span: Span) -> None:
    if not span.label:
        problem = "has no label"
    elif span.start == span.end:
        problem = "is empty"
    elif not 0 <= span.start < span.end <= length:
        problem = f"is outside the text of {length} characters"
    else:
        return
    where = f"document {document_id!r}"
    raise CorpusError(path, f"span {span.start}-{span.end} {problem}", where)


def keep_longest(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Drop spans that overlap a longer one or, of equal length, an earlier one.

    Returns
    -------
    tuple of Span
        Sorted and not overlapping.
    """
    ordered = sorted(spans)
    if all(a.end <= b.start for a, b in pairwise(ordered)):
        return tuple(ordered)
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start - s.end, s)):
        place = bisect(kept, span)
        after_left = place == 0 or kept[place - 1].end <= span.start
        before_right = place == len(kept) or span.end <= kept[place].start
        if after_left and before_right:
            kept.insert(place, span)
    return tuple(kept)


def agrees(noted: str | None, actual: str) -> bool:
    """Return whether the text that a file gives for a span is the text at its offsets.

    White space is ignored, since formats normalise line ends there. An empty or
    missing text agrees with any.
    """
    return not noted or noted == actual or "".join(noted.split()) == "".join(actual.split())
