"""Algebra of spans, compared with what it means for each character."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Span
from multideid.spans import (
    bounds,
    count_uncovered,
    outside,
    overlap_groups,
    overlap_slice,
    overlapping,
    splice,
    trimmed,
)

_LENGTH = 30
_TEXTS = st.text("ab1é -_\n\u00a0", min_size=_LENGTH, max_size=_LENGTH)
_OFFSETS = st.integers(0, _LENGTH)
_EXTENTS = st.tuples(_OFFSETS, _OFFSETS).map(sorted).map(tuple)
_ANY_SPANS = st.lists(_EXTENTS.filter(lambda e: e[0] < e[1]), max_size=8).map(sorted)


@st.composite
def _apart(draw):
    """Spans of one document, some of which touch."""
    borders = sorted(draw(st.sets(_OFFSETS, max_size=12)))
    places = [p for p in pairwise(borders) if draw(st.booleans())]
    return tuple(Span(*place, draw(st.sampled_from("AB"))) for place in places)


def _characters(*spans):
    return {n for start, end, *_ in spans for n in range(start, end)}


@given(_apart(), _EXTENTS.filter(lambda e: e[0] < e[1]))
def test_spans_overlap_if_they_share_a_character(spans, place) -> None:
    shared = tuple(span for span in spans if _characters(span) & _characters(place))
    assert overlapping(spans, *place) == shared
    assert spans[overlap_slice(spans, *place)] == shared


def test_spans_that_touch_do_not_overlap() -> None:
    assert overlapping([(0, 4), (8, 9)], 4, 8) == []
    assert [*overlap_groups([(0, 4), (4, 8)])] == [[(0, 4)], [(4, 8)]]


def test_nothing_overlaps_with_nothing() -> None:
    assert overlapping([(0, 4), (4, 8)], 4, 4) == []


@given(_ANY_SPANS)
def test_groups_share_no_character_and_cannot_be_divided(spans) -> None:
    groups = [*overlap_groups(spans)]
    assert [span for group in groups for span in group] == spans
    for left, right in pairwise(groups):
        assert not _characters(*left) & _characters(*right)
    for group in groups:
        for n in range(1, len(group)):
            assert _characters(*group[:n]) & _characters(*group[n:])


def test_groups_of_what_has_a_span() -> None:
    items = [("a", (0, 4)), ("b", (2, 6)), ("c", (6, 7))]
    groups = [*overlap_groups(items, lambda item: item[1])]
    assert groups == [items[:2], items[2:]]


@given(_ANY_SPANS.filter(bool))
def test_bounds_are_the_first_start_and_the_last_end(spans) -> None:
    characters = _characters(*spans)
    assert bounds(spans) == (min(characters), max(characters) + 1)


@given(_EXTENTS, _ANY_SPANS)
def test_outside_is_every_character_that_no_span_covers(place, spans) -> None:
    gaps = [*outside(*place, spans)]
    assert _characters(*gaps) == _characters(place) - _characters(*spans)
    assert all(start < end for start, end in gaps)
    assert gaps == sorted(gaps)


@given(_TEXTS, _EXTENTS, _ANY_SPANS)
def test_uncovered_are_letters_and_digits_outside_all_spans(text, place, spans) -> None:
    left = _characters(place) - _characters(*spans)
    assert count_uncovered(text, *place, spans) == sum(text[n].isalnum() for n in left)


@given(_TEXTS, _EXTENTS)
def test_a_trimmed_part_has_the_same_words_and_no_space_around_them(text, place) -> None:
    start, end = trimmed(text, *place)
    assert text[start:end] == text[slice(*place)].strip()
    assert (start < end) == bool(text[slice(*place)].strip())


def test_changes_are_made_where_they_are() -> None:
    assert splice("abcdef", [(0, 1, "X"), (3, 6, "")]) == "Xbc"
    assert splice("abcdef", [(3, 3, "X"), (3, 4, "Y")]) == "abcXYef"


@given(_TEXTS, _apart(), _EXTENTS)
def test_a_part_of_a_text_is_spliced_as_the_whole(text, spans, place) -> None:
    start, end = place
    inside = [(s.start, s.end, s.label) for s in spans if start <= s.start and s.end <= end]
    whole = splice(text, inside)
    assert text[:start] + splice(text, inside, start, end) + text[end:] == whole


@given(_TEXTS, _apart())
def test_a_text_is_kept_if_each_span_becomes_itself(text, spans) -> None:
    assert splice(text, ((a, b, text[a:b]) for a, b, _ in spans)) == text


@given(_TEXTS, _apart())
def test_only_what_is_between_changes_is_encoded(text, spans) -> None:
    found = splice(text, ((a, b, text[a:b]) for a, b, _ in spans), between=str.upper)
    covered = _characters(*spans)
    assert found == "".join(c if n in covered else c.upper() for n, c in enumerate(text))
