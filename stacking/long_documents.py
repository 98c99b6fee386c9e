"""Documents that are longer than a batch are divided into parts, which bounds memory.

Parts overlap, so that PHI at a border is seen whole, and with the words around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil
from operator import itemgetter

from multideid.document import Document, Evidence, FailedDocument, Span
from multideid.evidence import evidence_of, with_evidence, without_evidence
from multideid.stacking.votes import ScoredSpans

LONGEST = 500_000
"""Characters of a document that is not divided."""
CONTEXT = 2_000
"""Characters of its neighbours that a part sees."""

_Found = tuple[Span, Evidence]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document, and where it lies.

    Parameters
    ----------
    document : Document
        The text of the part with its context.
    offset : int
        Where this text begins in that of the whole document.
    start, stop : int
        Half-open offsets of the part without context, in the whole document.
    """

    document: Document
    offset: int
    start: int
    stop: int


def is_long(document: Document) -> bool:
    """Return whether a document is divided."""
    return len(document.text) > LONGEST


def found_in_parts(
    document: Document, find: Callable[[Document], Document | FailedDocument]
) -> Document | FailedDocument:
    """Return what is found in the parts of a document, or that it failed if one did.

    Parameters
    ----------
    document : Document
    find : callable
        Returns a part with the spans that are found in it.
    """
    document = without_evidence(document)
    found: list[_Found] = []
    for part in parts_of(document):
        result = find(part.document)
        if isinstance(result, FailedDocument):
            return result
        _join(found, _in_whole(part, result))
    return with_evidence(document, sorted(found, key=itemgetter(0)))


def system_spans_in_parts(
    document: Document, find: Callable[[Document], Mapping[str, ScoredSpans]]
) -> dict[str, ScoredSpans]:
    """Return the spans of each system in a whole document, from those in its parts.

    Parameters
    ----------
    document : Document
    find : callable
        Returns the spans of each system in a part, with their scores.
    """
    document = without_evidence(document)
    found: dict[str, list[_Found]] = {}
    for part in parts_of(document):
        for system, scored in find(part.document).items():
            said = with_evidence(part.document, ((s, Evidence(score)) for s, score in scored))
            _join(found.setdefault(system, []), _in_whole(part, said))
    return {
        system: tuple((span, evidence.score) for span, evidence in own)
        for system, own in found.items()
    }


def parts_with_spans(document: Document) -> Iterator[Document]:
    """Yield the parts of a document with its spans and their evidence, each span in one part."""
    for part in parts_of(document):
        end = part.offset + len(part.document.text)
        own = [span for span in document.spans if part.start <= span.start < part.stop]
        moved = (Span(s.start - part.offset, min(s.end, end) - part.offset, s.label) for s in own)
        evidence = (evidence_of(document, span) for span in own)
        yield with_evidence(part.document, zip(moved, evidence, strict=True))


def parts_of(document: Document) -> Iterator[Part]:
    """Yield the parts of a document, of about equal length.

    A part ends with the last line that ends in its last tenth, or else after the last white
    space there, or else anywhere.
    """
    text = document.text
    start = 0
    while rest := len(text) - start:
        # A part with its context is not long itself.
        size = ceil(rest / ceil(rest / (LONGEST - 2 * CONTEXT)))
        stop = _border(text, start + size - ceil(size / 10), start + size)
        low = max(start - CONTEXT, 0)
        part = replace(document, text=text[low : stop + CONTEXT], spans=())
        yield Part(part, low, start, stop)
        start = stop


def _border(text: str, low: int, high: int) -> int:
    if high >= len(text):
        return len(text)
    if (line_end := text.rfind("\n", low, high)) >= 0:
        return line_end + 1
    return next((n for n in range(high, low, -1) if text[n - 1].isspace()), high)


def _in_whole(part: Part, found: Document) -> Iterator[_Found]:
    """Yield the spans of a part that are not in its context alone, by their place in the whole."""
    for span in found.spans:
        start, end = span.start + part.offset, span.end + part.offset
        if start < part.stop and end > part.start:
            yield Span(start, end, span.label), evidence_of(found, span)


def _join(found: list[_Found], more: Iterable[_Found]) -> None:
    """Add spans; one that overlaps the last is joined with it, under the label of the longer."""
    for span, evidence in more:
        if not found or span.start >= found[-1][0].end:
            found.append((span, evidence))
            continue
        last, known = found.pop()
        longer = max((last, known), (span, evidence), key=_length)
        start, end = min(span.start, last.start), max(span.end, last.end)
        # Two of the last part may overlap the same one of the next.
        while found and found[-1][0].end > start:
            start = min(start, found.pop()[0].start)
        found.append((Span(start, end, longer[0].label), longer[1]))


def _length(found: _Found) -> int:
    return found[0].end - found[0].start
