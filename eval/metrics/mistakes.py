"""Error analysis: every place where a system is wrong, with all systems' spans there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from multideid.document import Document, Span
from multideid.eval.metrics.align import align

MISS = "miss"
FALSE_ALARM = "false alarm"
WRONG_LABEL = "wrong label"
WRONG_BOUNDARY = "wrong boundary"
KINDS = (MISS, FALSE_ALARM, WRONG_LABEL, WRONG_BOUNDARY)
"""The kinds of errors, the most serious first."""

Group = tuple[list[Span], list[Span]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A place where a system's spans differ from the gold spans.

    Parameters
    ----------
    system : str
        The system that is wrong.
    document : Document
        The document; not shown by ``repr``.
    kind : str
        One of `KINDS`.
    start, end : int
        Half-open character offsets of the stretch that `gold` and `predicted` cover.
    gold, predicted : tuple of Span
        The overlapping gold and predicted spans; one of the two is empty for a
        miss or a false alarm.
    leaks : bool
        Whether a letter or digit of the gold spans is not covered.
    by_system : dict of str to tuple of Span
        The spans of every system that overlap the place.
    """

    system: str
    document: Document = field(repr=False)
    kind: str
    start: int
    end: int
    gold: tuple[Span, ...]
    predicted: tuple[Span, ...]
    leaks: bool
    by_system: dict[str, tuple[Span, ...]]


def collect_mistakes(
    gold: Iterable[Document],
    systems: Mapping[str, Iterable[Document]],
    wrong: Iterable[str] | None = None,
) -> list[Mistake]:
    """List every place where a system is wrong.

    Gold and predicted spans that overlap, directly or transitively, are one
    place, so that a name split in two is one wrong boundary and not a miss and
    two false alarms.

    Parameters
    ----------
    gold : iterable of Document
    systems : mapping of str to iterable of Document
        Each system's predicted documents, in any order.
    wrong : iterable of str, optional
        The systems to list mistakes of. Default: all.

    Returns
    -------
    list of Mistake
        By system, document id and offset.

    Raises
    ------
    AlignmentError
        If a system's documents are not those of the gold corpus.

    Examples
    --------
    >>> note = Document("n1", "Seen by Dr. Lee.", ((12, 15, "DOCTOR"),))
    >>> collect_mistakes([note], {"mist": [note.with_spans([])]})[0].kind
    'miss'
    """
    documents = list(gold)
    aligned = {name: align(documents, predicted, name) for name, predicted in systems.items()}
    places = {name: [SpanIndex(d.spans) for d in pair[1]] for name, pair in aligned.items()}
    return [
        mistake
        for name in (systems if wrong is None else wrong)
        for n, (left, right) in enumerate(zip(*aligned[name], strict=True))
        for mistake in _mistakes(name, left, right, {k: p[n] for k, p in places.items()})
    ]


class SpanIndex:
    """The spans of one document, searchable by offset."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = tuple(spans)
        self._starts = [span.start for span in spans]
        self._ends = [span.end for span in spans]

    def overlapping(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the spans with characters from `start` up to `end`."""
        return self._spans[bisect_right(self._ends, start) : bisect_left(self._starts, end)]


def _mistakes(
    system: str, gold: Document, predicted: Document, places: Mapping[str, SpanIndex]
) -> Iterator[Mistake]:
    for there, found in _groups(gold.spans, predicted.spans):
        if there == found:
            continue
        start = min(span.start for span in there + found)
        end = max(span.end for span in there + found)
        yield Mistake(
            system=system,
            document=gold,
            kind=_kind(there, found),
            start=start,
            end=end,
            gold=tuple(there),
            predicted=tuple(found),
            leaks=_leaks(gold.text, there, found),
            by_system={name: p.overlapping(start, end) for name, p in places.items()},
        )


def _groups(gold: Sequence[Span], predicted: Sequence[Span]) -> Iterator[Group]:
    """Yield groups of overlapping gold and predicted spans."""
    group: Group = ([], [])
    end = 0
    sides = [*((span, 0) for span in gold), *((span, 1) for span in predicted)]
    for span, side in sorted(sides, key=lambda pair: pair[0].start):
        if span.start >= end and any(group):
            yield group
            group = ([], [])
        group[side].append(span)
        end = max(end, span.end)
    if any(group):
        yield group


def _kind(gold: Sequence[Span], predicted: Sequence[Span]) -> str:
    if not predicted:
        return MISS
    if not gold:
        return FALSE_ALARM
    same = {span.label for span in gold} == {span.label for span in predicted}
    return WRONG_BOUNDARY if same else WRONG_LABEL


def _leaks(text: str, gold: Sequence[Span], predicted: Sequence[Span]) -> bool:
    covered = {n for span in predicted for n in range(span.start, span.end)}
    phi = (n for span in gold for n in range(span.start, span.end))
    return any(n not in covered and text[n].isalnum() for n in phi)
