"""Every place where a system is wrong is listed once, with the predictions of all systems."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.eval import AlignmentError
from multideid.eval.metrics.mistakes import KINDS, Mistake, collect_mistakes

TEXT = "Seen by Martha Alder on 3/14 in Oslo."
NAME, DATE, PLACE = Span(8, 20, "NAME"), Span(24, 28, "DATE"), Span(32, 36, "PLACE")
GOLD = Document("n1", TEXT, (NAME, DATE))


def _mistakes(*predicted: Span) -> list[Mistake]:
    return collect_mistakes([GOLD], {"mist": [GOLD.with_spans(predicted)]})


@pytest.mark.parametrize(
    ("predicted", "kind", "leaks"),
    [
        ((DATE,), "miss", True),
        ((NAME, DATE, PLACE), "false alarm", False),
        ((Span(8, 20, "PLACE"), DATE), "wrong label", False),
        ((Span(8, 14, "NAME"), DATE), "wrong boundary", True),
        ((Span(5, 21, "NAME"), DATE), "wrong boundary", False),
        ((Span(8, 14, "NAME"), Span(15, 20, "NAME"), DATE), "wrong boundary", False),
    ],
    ids=["missed", "invented", "renamed", "short", "long", "cut in two"],
)
def test_each_error_has_its_kind(predicted, kind, leaks) -> None:
    (mistake,) = _mistakes(*predicted)
    assert (mistake.kind, mistake.leaks) == (kind, leaks)


def test_right_spans_are_no_mistakes() -> None:
    assert _mistakes(NAME, DATE) == []


def test_spans_that_overlap_through_one_another_are_one_place() -> None:
    (mistake,) = _mistakes(Span(5, 26, "NAME"))
    assert (mistake.start, mistake.end) == (5, 28)
    assert mistake.gold == (NAME, DATE)


def test_spans_of_every_system_at_the_place_are_listed_and_no_others() -> None:
    systems = {
        "mist": [GOLD.with_spans([DATE])],
        "lbj": [GOLD.with_spans([Span(15, 20, "NAME"), Span(20, 21, "ID"), DATE])],
    }
    (mistake,) = collect_mistakes([GOLD], systems, wrong=["mist"])
    assert mistake.by_system == {"mist": (), "lbj": (Span(15, 20, "NAME"),)}


def test_mistakes_come_by_system_document_and_offset() -> None:
    other = Document("n0", TEXT, (NAME,))
    nothing = [d.with_spans([]) for d in (GOLD, other)]
    found = collect_mistakes([GOLD, other], {"b": nothing, "a": nothing})
    places = [(m.system, m.document.id, m.start) for m in found]
    assert places == [(s, d, n) for s in "ba" for d, n in (("n0", 8), ("n1", 8), ("n1", 24))]


def test_text_is_not_shown_by_repr() -> None:
    assert "Alder" not in repr(_mistakes())


def test_other_documents_are_refused_by_id() -> None:
    with pytest.raises(AlignmentError, match="lacks 'n1'"):
        collect_mistakes([GOLD], {"mist": [Document("n2", TEXT)]})


@st.composite
def _spans(draw) -> list[Span]:
    borders = sorted(draw(st.sets(st.integers(0, len(TEXT)), max_size=12)))
    pairs = zip(borders[::2], borders[1::2], strict=False)
    return [Span(a, b, draw(st.sampled_from(("NAME", "DATE")))) for a, b in pairs]


@given(_spans(), _spans())
def test_every_wrong_span_is_in_one_mistake_and_no_right_one_is(gold, predicted) -> None:
    document = Document("n1", TEXT, tuple(gold))
    mistakes = collect_mistakes([document], {"mist": [document.with_spans(predicted)]})
    assert sorted(s for m in mistakes for s in m.gold) == sorted(set(gold) - set(predicted))
    assert sorted(s for m in mistakes for s in m.predicted) == sorted(set(predicted) - set(gold))
    ends = [(m.start, m.end) for m in mistakes]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    assert {m.kind for m in mistakes} <= set(KINDS)
