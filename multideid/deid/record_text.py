"""A record of a structured file as one text: what its fields say, and what the model finds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from multideid.corpora.structure import Changes, Record, Value
from multideid.corpora.structured.slots import Change
from multideid.deid.echoes import echoes
from multideid.document import Document, Evidence, Span
from multideid.evidence import evidence_of, with_evidence
from multideid.labels import SurrogateKind, identifier_kind, surrogate_kind
from multideid.lazy import lazy
from multideid.site.occurrences import occurrences
from multideid.spans import Extent, bounds, outside, overlap_groups, overlapping, trimmed

FIELDS = "fields"
"""Key of `Document.meta` for the `RecordText` of a document from a structured file."""

_BETWEEN = "\n"
_DIGITS_OF_PHONE = 7  # At least; a postcode in the United States has five.


@dataclass(frozen=True)
class RecordText:
    """The values of a record, one below the other.

    Parameters
    ----------
    record : Record
    """

    record: Record = field(repr=False)

    @lazy
    def text(self) -> str:
        """The texts of all values, separated by line ends."""
        return _BETWEEN.join(value.text for value in self.record.values)

    @lazy
    def starts(self) -> list[int]:
        """The offset of each value."""
        starts, place = [], 0
        for value in self.record.values:
            starts.append(place)
            place += len(value.text) + len(_BETWEEN)
        return starts

    @property
    def is_plain(self) -> bool:
        """Whether the record is plain text: the model alone finds its PHI."""
        values = self.record.values
        return len(values) == 1 and values[0].free and not values[0].known

    def spans(self, found: Iterable[Span], label_of: Callable[[str], str]) -> list[Span]:
        """Return the PHI of the record.

        Where the type of a field says that it is PHI, it is. The same PHI is
        also marked in free text, where it joins the spans that overlap it. All
        PHI is also marked where it stands again in what is neither free text nor
        known. What was withheld, since nobody can read it, says nothing of others.

        Parameters
        ----------
        found : iterable of Span
            The spans that the model found in `text`.
        label_of : callable
            Returns the model's label for a PHI class.

        Returns
        -------
        list of Span
            Sorted; none crosses the border of a value.
        """
        found = list(found)
        known = list(self._known())
        known = _relabelled(self.text, known, found)
        again = [_with_label(span, label_of) for span in occurrences(self.text, self._read(known))]
        merged = _merged([*again, *found])
        inside = [part for span in merged for part in self._clipped(span, self._free)]
        spans = [*(_with_label(s, label_of) for s in known), *_outside(inside, known)]
        kept = _merged(echoes(self.text, self._read(spans), self._kept))
        repeated = (part for span in kept for part in self._clipped(span, self._kept))
        return sorted([*spans, *_outside(repeated, sorted(spans))])

    def places(self, spans: Iterable[Span]) -> list[tuple[str, int]]:
        """Return the place of the value that each span is in, and the value's offset."""
        numbers = (bisect_right(self.starts, span.start) - 1 for span in spans)
        return [(self.record.values[n].place, self.starts[n]) for n in numbers]

    def fitted(self, changes: Iterable[Change]) -> Iterator[Change]:
        """Yield the changes of `text` that the file can hold in place of these, one for one."""
        for value, start, mine in zip(
            self.record.values, self.starts, self._by_value(changes), strict=True
        ):
            for low, high, new in mine if value.fit is None else value.fit(mine):
                yield Change(start + low, start + high, new)

    def rendered(self, changes: Iterable[Change], keys: Changes | None = None) -> bytes:
        """Return the bytes of the record with changes of `text`, and of its keys."""
        return self.record.rendered(self._by_value(changes), keys)

    def slot_changes(self, changes: Iterable[Change]) -> Changes:
        """Return changes of `text` as changes of the slots of the record."""
        return self.record.slot_changes(self._by_value(changes))

    def _by_value(self, changes: Iterable[Change]) -> list[list[Change]]:
        by_value: list[list[Change]] = [[] for _ in self.record.values]
        for start, end, text in changes:
            n = bisect_right(self.starts, start) - 1
            by_value[n].append(Change(start - self.starts[n], end - self.starts[n], text))
        return by_value

    def _read(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield the spans whose values were read: words of others are not known to be PHI."""
        for span in spans:
            if not self.record.values[bisect_right(self.starts, span.start) - 1].withheld:
                yield span

    def _known(self) -> Iterator[Span]:
        for start, value in zip(self.starts, self.record.values, strict=True):
            for span in value.known:
                yield Span(start + span.start, start + span.end, span.label)

    @lazy
    def _free(self) -> list[Extent]:
        return list(self._extents(lambda value: value.free))

    @lazy
    def _kept(self) -> list[Extent]:
        return list(self._extents(lambda value: value.title or not value.free))

    def _extents(self, is_meant: Callable[[Value], bool]) -> Iterator[Extent]:
        """Yield the parts of some values between characters that must stay."""
        for start, value in zip(self.starts, self.record.values, strict=True):
            for low, high in value.extents() if is_meant(value) else ():
                if low < high:
                    yield start + low, start + high

    def _clipped(self, span: Span, extents: Sequence[Extent]) -> Iterator[Span]:
        """Yield the parts of a span inside extents, without white space at their ends."""
        for low, high in overlapping(extents, span.start, span.end):
            start, end = trimmed(self.text, max(low, span.start), min(high, span.end))
            if start < end:
                yield Span(start, end, span.label)


def with_fields(document: Document, label_of: Callable[[str], str]) -> Document:
    """Return a document with the PHI of its fields too, if it is from a structured file.

    Spans that come from fields have the vote of ``"field"``.
    """
    fields = document.meta.get(FIELDS)
    if not isinstance(fields, RecordText):
        return document
    spans = fields.spans(document.spans, label_of)
    own = {span: evidence_of(document, span) for span in document.spans}
    of_field = Evidence(votes=("field",))
    return with_evidence(document, ((span, own.get(span, of_field)) for span in spans))


def without_spans(document: Document, is_left_out: Callable[[Span], bool]) -> Document:
    """Return a document without some of its spans."""
    return replace(document, spans=tuple(s for s in document.spans if not is_left_out(s)))


def free_text(document: Document) -> str:
    """Return the text of a document that is not in fields."""
    fields = document.meta.get(FIELDS)
    if not isinstance(fields, RecordText):
        return document.text
    return _BETWEEN.join(value.text for value in fields.record.values if value.free)


def _with_label(span: Span, label_of: Callable[[str], str]) -> Span:
    return Span(span.start, span.end, label_of(span.label))


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the unions of overlapping spans, with the label of the longest, then the first."""
    for group in overlap_groups(sorted(spans, key=lambda s: s.start)):
        yield Span(*bounds(group), max(group, key=lambda s: s.end - s.start).label)


def _relabelled(text: str, known: Sequence[Span], found: Sequence[Span]) -> list[Span]:
    """Return known spans, with the label of a person or contact in the field of a place.

    A name or a phone in the field of a town must not stay where towns do.
    """
    direct = sorted(span for span in found if _is_of_person(text, span))
    spans = []
    for span in known:
        others = overlapping(direct, span.start, span.end)
        is_wrong = bool(others) and _is_place(span.label)
        spans.append(span._replace(label=others[0].label) if is_wrong else span)
    return spans


def _is_place(label: str) -> bool:
    """Return whether a label is of places that a limited data set may keep."""
    is_time = surrogate_kind(label) in (SurrogateKind.DATE, SurrogateKind.AGE)
    return identifier_kind(label) == "quasi" and not is_time


def _is_of_person(text: str, span: Span) -> bool:
    digits = sum(map(str.isdigit, text[span.start : span.end]))
    is_long = digits >= _DIGITS_OF_PHONE or "@" in text[span.start : span.end]
    is_direct = identifier_kind(span.label) == "direct" and is_long
    return is_direct or surrogate_kind(span.label) is SurrogateKind.PERSON


def _outside(spans: Iterable[Span], known: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of spans that no known span covers; `known` are sorted."""
    for span in spans:
        place = span.start, span.end
        for start, end in outside(*place, overlapping(known, *place)):
            yield Span(start, end, span.label)
