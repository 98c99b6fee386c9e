"""Findings join the spans of a model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Span
from multideid.site.findings import Finding, Scored, is_covered, joined, without_inner


def _finding(start: int, end: int, label: str = "ID", source: str = "deny-list") -> Finding:
    return Finding(start, end, label, 1.0, source)


def test_the_longest_of_what_overlaps_gives_the_label_and_a_tie_is_the_sites() -> None:
    found = [Scored(Span(0, 4, "DATE"), 0.4), Scored(Span(10, 14, "DATE"), 0.4)]
    results = joined(found, [_finding(2, 4), _finding(10, 14)])
    assert results == [
        Scored(Span(0, 4, "DATE"), 1.0, ("deny-list",)),
        Scored(Span(10, 14, "ID"), 1.0, ("deny-list",)),
    ]


def test_spans_that_only_touch_stay_apart() -> None:
    assert [one.span[:2] for one in joined([Scored(Span(0, 4, "DATE"))], [_finding(4, 6)])] == [
        (0, 4),
        (4, 6),
    ]


EXTENT = st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(EXTENT, max_size=5), st.lists(EXTENT, max_size=5))
def test_joined_spans_cover_all_and_do_not_overlap(spans, findings) -> None:
    found, end = [], 0
    for start, stop in sorted(spans):
        if start >= end:
            found.append(Scored(Span(start, stop, "DATE"), None))
            end = stop
    results = joined(found, [_finding(*extent) for extent in findings])
    places = [range(one.span.start, one.span.end) for one in results]
    covered = [n for place in places for n in place]
    assert sorted(set(covered)) == covered
    parts = [(one.span.start, one.span.end) for one in found] + findings
    assert set(covered) == {n for start, stop in parts for n in range(start, stop)}


def test_a_finding_inside_a_longer_allowed_phrase_is_left_out() -> None:
    findings = [_finding(0, 9), _finding(2, 4), _finding(8, 12)]
    assert without_inner(findings, [(0, 9)]) == [findings[0], findings[2]]


def test_a_span_is_allowed_if_each_of_its_words_is() -> None:
    text = "Ward round, Alder"
    assert is_covered(Span(0, 11, "ID"), text, [(0, 4), (5, 10)])
    assert not is_covered(Span(0, 11, "ID"), text, [(0, 4)])
    assert not is_covered(Span(0, 17, "ID"), text, [(0, 10)])
    assert not is_covered(Span(0, 4, "ID"), text, [])


def test_a_span_of_marks_is_covered_by_a_phrase_only() -> None:
    assert not is_covered(Span(4, 5, "DATE"), "on 3/14", [])
    assert not is_covered(Span(4, 5, "DATE"), "on 3/14", [(0, 2)])
    assert is_covered(Span(4, 5, "DATE"), "on 3/14", [(3, 7)])
