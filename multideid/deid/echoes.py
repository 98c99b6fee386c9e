"""Echoes: PHI of a record that stands again in what is kept of its structure.

An attribute, an instruction to a program, a code or an address is no free text,
which the model reads, and no field whose type says that it is PHI. But what was
found elsewhere in the record must not stay there.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from multideid.document import Span
from multideid.site.occurrences import places_of

Values = Mapping[str, set[str]]
"""PHI that was found, by label."""

_LONGEST = 200  # Characters; longer values are no identifiers.
# Names of things in files are words without white space: SmithJohn1961, SMITH_JOHN.
_JOINED = re.compile(r"_|(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_]{2})(?=\d)|(?<=\d)(?=[^\W\d_]{2})")


def echoes(text: str, spans: Iterable[Span], kept: Sequence[tuple[int, int]]) -> list[Span]:
    """Return where the PHI of a text stands again in its kept parts.

    It is found in the forms of `multideid.site.occurrences.occurrences`, and also
    in words that are joined, such as ``SmithJohn_1961``.

    Parameters
    ----------
    text : str
    spans : iterable of Span
        The PHI that was found.
    kept : sequence of (int, int)
        Half-open offsets of the parts that are searched, sorted.

    Returns
    -------
    list of Span
        In no order; they may overlap, and cross the border of a part.
    """
    return list(_found(text, values_of(text, spans), kept)) if kept else []


def repeated_in(names: Sequence[str], values: Values) -> set[int]:
    """Return the numbers of the names in which PHI stands again, in the forms of `echoes`."""
    return {number for number, _ in _repetitions(names, values)}


def echoed_parts(names: Sequence[str], text: str, spans: Iterable[Span]) -> dict[str, list[str]]:
    """Return the parts of names in which PHI of a text stands again, by the name.

    Parameters
    ----------
    names : sequence of str
        Of things beside the text, such as keys and columns.
    text : str
    spans : iterable of Span
        The PHI that was found in it.
    """
    parts: dict[str, list[str]] = {}
    for number, part in _repetitions(names, values_of(text, spans)):
        parts.setdefault(names[number], []).append(part)
    return parts


def _repetitions(names: Sequence[str], values: Values) -> Iterator[tuple[int, str]]:
    """Yield the numbers of names, and the parts of them in which PHI stands again."""
    text, starts = "\n".join(names), [0]
    for name in names:
        starts.append(starts[-1] + len(name) + 1)
    places = [(start, start + len(name)) for start, name in zip(starts, names, strict=False)]
    for span in _found(text, values, places):
        first, stop = bisect_right(starts, span.start) - 1, bisect_left(starts, span.end)
        for number in range(first, stop):
            low, high = places[number]
            yield number, text[max(low, span.start) : min(high, span.end)]


def values_of(text: str, spans: Iterable[Span]) -> dict[str, set[str]]:
    """Return the PHI of a text by label, without long values."""
    by_label: dict[str, set[str]] = {}
    for span in spans:
        if span.end - span.start <= _LONGEST:
            by_label.setdefault(span.label, set()).add(text[span.start : span.end])
    return by_label


def _found(text: str, values: Values, kept: Sequence[tuple[int, int]]) -> set[Span]:
    views = (_View(text, kept, split=split) for split in (False, True) if values)
    return {view.original(span) for view in views for span in places_of(view.text, values)}


class _View:
    """The kept parts, one below the other, with or without spaces in joined words."""

    def __init__(self, text: str, kept: Sequence[tuple[int, int]], split: bool) -> None:
        pieces: list[str] = []
        self._offsets: list[int] = []
        for start, end in kept:
            for low, high in joined_words(text, start, end) if split else [(start, end)]:
                pieces += [text[low:high], " "]
                self._offsets += [*range(low, high), high]
            pieces[-1:] = ["\n"]
        self.text = "".join(pieces)

    def original(self, span: Span) -> Span:
        """Return a span of the view as one of the text."""
        start, end = self._offsets[span.start], self._offsets[span.end - 1] + 1
        return Span(start, end, span.label)


def joined_words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the offsets of words that are joined in a part of a text."""
    for match in _JOINED.finditer(text, start, end):
        if start < match.start():
            yield start, match.start()
        start = match.end()
    if start < end:
        yield start, end
