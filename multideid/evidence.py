"""The evidence for spans, which documents carry in their `meta`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from multideid.document import Document, Span

EVIDENCE = "evidence"
"""The key of `Document.meta` that holds the evidence for each span."""


class Evidence(NamedTuple):
    """The evidence for a span.

    Parameters
    ----------
    score : float, optional
        The probability that the span is PHI; None if the model has no scores.
    sources : tuple of str
        The knowledge of a site that found the span, such as ``"deny-list"``.
    """

    score: float | None = None
    sources: tuple[str, ...] = ()


def evidence_of(document: Document, span: Span) -> Evidence:
    """Return the evidence for a span of a document; empty if there is none."""
    found: Mapping[Span, Evidence] = document.meta.get(EVIDENCE, {})
    return found.get(span, Evidence())


def with_evidence(document: Document, evidence: Iterable[tuple[Span, Evidence]]) -> Document:
    """Return a document with other spans and the evidence for each.

    Parameters
    ----------
    document : Document
    evidence : iterable of (Span, Evidence)
        Sorted.
    """
    found = dict(evidence)
    return replace(document, spans=tuple(found), meta={**document.meta, EVIDENCE: found})


def with_scores(document: Document, scores: Sequence[float | None]) -> Document:
    """Return a document with the score of each span that has none.

    Parameters
    ----------
    document : Document
    scores : sequence of float or None
        Of each span.
    """
    own = (evidence_of(document, span) for span in document.spans)
    pairs = zip(document.spans, own, scores, strict=True)
    return with_evidence(
        document, ((s, e if e.score is not None else e._replace(score=p)) for s, e, p in pairs)
    )


def without_evidence(document: Document) -> Document:
    """Return a document without evidence, for texts in which the spans are elsewhere."""
    meta = {key: value for key, value in document.meta.items() if key != EVIDENCE}
    return replace(document, meta=meta)
