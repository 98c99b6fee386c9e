"""Checks of a corpus before training."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from multideid.document import Document
from multideid.errors import UsageError
from multideid.labels import PHI_CLASSES, surrogate_kind


class LabelWarning(UserWarning):
    """A corpus has labels that are unknown to multideid, perhaps misspelt."""


def check_corpus(corpus: Sequence[Document]) -> None:
    """Check that there is something to learn, and warn of unknown labels.

    Raises
    ------
    UsageError
        If there is no document or no span.

    Warns
    -----
    LabelWarning
        If no PHI class has a label; with the number of spans, and a label it may mean.
    """
    if not corpus:
        raise UsageError("the corpus is empty: there is no document to learn from")
    spans = Counter(span.label for document in corpus for span in document.spans)
    if not spans:
        raise UsageError(
            f"none of the corpus's {len(corpus)} documents has a span: training needs annotated "
            "PHI, in the documents or as y"
        )
    unknown = sorted(label for label in spans if surrogate_kind(label) is None)
    if unknown:
        listed = "; ".join(_described(label, spans) for label in unknown)
        warnings.warn(
            f"labels of no PHI class, which are learned as they are: {listed}",
            LabelWarning,
            stacklevel=3,
        )


def _described(label: str, spans: Counter[str]) -> str:
    known = {other for other in spans if surrogate_kind(other) is not None}
    choices = [*sorted(known), *sorted({row.label for row in PHI_CLASSES} - known)]
    close = get_close_matches(label.upper(), choices, n=1, cutoff=0.8)
    guess = f", did you mean {close[0]}?" if close else ""
    unit = "span" if spans[label] == 1 else "spans"
    return f"{label!r} ({spans[label]} {unit}{guess})"
