"""Spans in any order and overlapping become valid documents, by the stated rule."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.corpora.assembly import Assembler, agrees, keep_longest
from multideid.corpora.reports import Report
from multideid.document import Span
from multideid.errors import CorpusError

_SPANS = st.lists(
    st.builds(
        lambda start, length, label: Span(start, start + length, label),
        st.integers(0, 30),
        st.integers(1, 12),
        st.sampled_from("AB"),
    ),
    max_size=12,
)


@given(_SPANS)
def test_what_is_kept_is_sorted_and_does_not_overlap(spans: list[Span]) -> None:
    kept = keep_longest(spans)
    assert all(a.end <= b.start for a, b in pairwise(kept))
    assert set(kept) <= set(spans)


@given(_SPANS)
def test_what_is_dropped_overlaps_something_at_least_as_long(spans: list[Span]) -> None:
    kept = keep_longest(spans)
    for lost in set(spans) - set(kept):
        rivals = [k for k in kept if k.start < lost.end and lost.start < k.end]
        assert max(k.end - k.start for k in rivals) >= lost.end - lost.start


@given(_SPANS, st.randoms())
def test_the_order_of_the_file_does_not_matter(spans: list[Span], random: object) -> None:
    shuffled = list(spans)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert keep_longest(shuffled) == keep_longest(spans)


def test_the_longer_wins_and_then_the_earlier() -> None:
    spans = [Span(4, 8, "B"), Span(0, 5, "A"), Span(10, 12, "C"), Span(11, 13, "D")]
    assert keep_longest(spans) == (Span(0, 5, "A"), Span(10, 12, "C"))


def test_overlaps_are_reported_once_a_document() -> None:
    reports: list[Report] = []
    build = Assembler(Path("f"), reports.append).build
    document = build("d", "0123456789", [Span(0, 4, "A"), Span(0, 4, "A"), Span(3, 9, "B")])
    assert document.spans == (Span(3, 9, "B"),)
    assert reports == [Report("d", "overlapping", 2)]


@pytest.mark.parametrize(
    ("span", "problem"),
    [
        (Span(2, 2, "A"), "span 2-2 is empty"),
        (Span(3, 2, "A"), "span 3-2 is outside the text of 5 characters"),
        (Span(-1, 2, "A"), "span -1-2 is outside the text of 5 characters"),
        (Span(3, 6, "A"), "span 3-6 is outside the text of 5 characters"),
        (Span(0, 1, ""), "span 0-1 has no label"),
    ],
)
def test_an_impossible_span_is_named(span: Span, problem: str) -> None:
    with pytest.raises(CorpusError) as caught:
        Assembler(Path("f.ann"), print).build("d7", "12345", [span])
    assert str(caught.value) == f"f.ann: document 'd7': {problem}"


def test_white_space_is_no_disagreement() -> None:
    assert agrees("a b", "a\r\nb")
    assert agrees("", "anything")
    assert agrees(None, "anything")
    assert not agrees("ab", "abc")
