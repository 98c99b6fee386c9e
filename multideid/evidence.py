"""What a model knows about the spans that it found: scores, sources and votes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from multideid.document import Document, Evidence, Span


def evidence_of(document: Document, span: Span) -> Evidence:
    """Return the evidence for a span of a document; empty if there is none."""
    return document.evidence.get(span, Evidence())


def votes_of(document: Document) -> tuple[tuple[str, ...], ...]:
    """Return the systems that voted for each span; none where votes were not counted."""
    return tuple(evidence_of(document, span).votes or () for span in document.spans)


def with_evidence(document: Document, evidence: Iterable[tuple[Span, Evidence]]) -> Document:
    """Return a document with other spans and the evidence for each.

    Parameters
    ----------
    document : Document
    evidence : iterable of (Span, Evidence)
        Sorted.
    """
    pairs = list(evidence)
    found = {span: one for span, one in pairs if one != Evidence()}
    return replace(document, spans=tuple(span for span, _ in pairs), evidence=found)


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


def with_votes(document: Document, votes: Sequence[tuple[str, ...]]) -> Document:
    """Return a document with the votes for each span.

    Parameters
    ----------
    document : Document
    votes : sequence of tuple of str
        For each span, the systems that voted for it.
    """
    own = (evidence_of(document, span) for span in document.spans)
    pairs = zip(document.spans, own, votes, strict=True)
    return with_evidence(document, ((s, e._replace(votes=v)) for s, e, v in pairs))


def without_evidence(document: Document) -> Document:
    """Return a document without evidence, for texts in which the spans are elsewhere."""
    return replace(document, evidence={})
