"""Error analysis: every place where a system is wrong, with all systems' spans there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from multideid.document import Document, Span
from multideid.eval.metrics.align import align
from multideid.spans import bounds, count_uncovered, overlap_groups, overlapping

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
    places = {name: [d.spans for d in pair[1]] for name, pair in aligned.items()}
    return [
        mistake
        for name in (systems if wrong is None else wrong)
        for n, (left, right) in enumerate(zip(*aligned[name], strict=True))
        for mistake in _mistakes(name, left, right, {k: p[n] for k, p in places.items()})
    ]


def _mistakes(
    system: str, gold: Document, predicted: Document, places: Mapping[str, Sequence[Span]]
) -> Iterator[Mistake]:
    for there, found in _groups(gold.spans, predicted.spans):
        if there == found:
            continue
        start, end = bounds(there + found)
        yield Mistake(
            system=system,
            document=gold,
            kind=_kind(there, found),
            start=start,
            end=end,
            gold=tuple(there),
            predicted=tuple(found),
            leaks=_leaks(gold.text, there, found),
            by_system={n: tuple(overlapping(p, start, end)) for n, p in places.items()},
        )


def _groups(gold: Sequence[Span], predicted: Sequence[Span]) -> Iterator[Group]:
    """Yield groups of overlapping gold and predicted spans."""
    sides = [*((span, False) for span in gold), *((span, True) for span in predicted)]
    ordered = sorted(sides, key=lambda pair: pair[0].start)
    for group in overlap_groups(ordered, itemgetter(0)):
        yield [s for s, is_found in group if not is_found], [s for s, is_found in group if is_found]


def _kind(gold: Sequence[Span], predicted: Sequence[Span]) -> str:
    if not predicted:
        return MISS
    if not gold:
        return FALSE_ALARM
    same = {span.label for span in gold} == {span.label for span in predicted}
    return WRONG_BOUNDARY if same else WRONG_LABEL


def _leaks(text: str, gold: Sequence[Span], predicted: Sequence[Span]) -> bool:
    return any(count_uncovered(text, span.start, span.end, predicted) for span in gold)
