"""Scores of spans are compared with the gold."""

from __future__ import annotations

import json

import pytest

from multideid.document import Document, Span
from multideid.eval import compare, evaluate, format_evaluation
from multideid.eval.reports.html import comparison_report
from multideid.evidence import with_scores

TEXT = "?!?!?!?!?!"  # Each mark is a token.
GOLD = Document("n", TEXT, (Span(0, 2, "ID"), Span(4, 6, "DATE")))


def _found(*scored: tuple[Span, float | None]) -> Document:
    spans, scores = zip(*scored, strict=True)
    return with_scores(GOLD.with_spans(spans), scores)


FOUND = _found(
    (Span(0, 2, "ID"), 1.0),
    (Span(3, 5, "DATE"), 0.92),
    (Span(6, 7, "ID"), 0.31),
    (Span(8, 9, "ID"), None),
)


def test_spans_are_counted_by_score_if_they_overlap_phi_and_if_they_are_right() -> None:
    reliability = evaluate([GOLD], [FOUND]).reliability
    assert reliability is not None
    low, high = reliability.bins
    assert [*low] == [0.3, 0.4, 1, 0.31, 0, 0, 0]
    assert [*high] == pytest.approx([0.9, 1.0, 2, 0.96, 0.75, 1, 0.5])
    assert reliability.unscored == 1
    assert reliability.overall()[2:] == pytest.approx((3, 2.23 / 3, 0.5, 2 / 3, 1 / 3))
    assert reliability.error == pytest.approx((0.31 + 2 * 0.21) / 3)
    assert reliability.overlap_error == pytest.approx((0.31 + 2 * 0.04) / 3)


def test_white_space_does_not_count_and_several_gold_spans_do() -> None:
    gold = Document("n", "ab  cd ef", (Span(0, 2, "ID"), Span(4, 6, "ID")))
    found = with_scores(gold.with_spans([Span(0, 9, "ID")]), [0.7])
    reliability = evaluate([gold], [found]).reliability
    assert reliability is not None
    assert reliability.overall()[4:] == pytest.approx((2 / 3, 1, 0))


def test_long_and_short_tokens_count_the_same_and_those_partly_phi_are_phi() -> None:
    gold = Document("n", "Wilhelmina Q rests", (Span(0, 10, "ID"), Span(13, 15, "ID")))
    found = with_scores(gold.with_spans([Span(0, 12, "ID"), Span(13, 18, "ID")]), [0.5, 0.9])
    reliability = evaluate([gold], [found]).reliability
    assert reliability is not None
    assert [row.inside for row in reliability.bins] == [0.5, 1]


def test_spans_of_a_document_without_phi_are_outside() -> None:
    gold = Document("n", "Foley out")
    found = with_scores(gold.with_spans([Span(0, 5, "ID")]), [0.4])
    reliability = evaluate([gold], [found]).reliability
    assert reliability is not None
    assert reliability.overall()[4:] == (0, 0, 0)


def test_spans_that_only_touch_phi_do_not_overlap_it() -> None:
    found = _found((Span(2, 4, "ID"), 0.5), (Span(6, 10, "ID"), 0.55))
    reliability = evaluate([GOLD], [found]).reliability
    assert reliability is not None
    assert [(row.inside, row.overlap) for row in reliability.bins] == [(0, 0)]


def test_the_table_is_shown_only_where_spans_have_scores() -> None:
    with_table = evaluate([GOLD], [FOUND])
    text = format_evaluation(with_table)
    assert "Scores of spans; 1 have none. Expected calibration error 0.2433 (inside)," in text
    assert "0.1300 (overlap)" in text
    assert "0.3 to 0.4" in text
    figures = json.loads(json.dumps(with_table.to_dict(), allow_nan=False))
    assert [row["spans"] for row in figures["reliability"]["bins"]] == [1, 2]
    without = evaluate([GOLD], [GOLD])
    assert without.reliability is None
    assert "reliability" not in without.to_dict()
    assert "Scores of spans" not in format_evaluation(without)


def test_reports_draw_the_share_of_phi_over_the_score() -> None:
    report = comparison_report({"notes": compare([GOLD], {"one": [FOUND], "two": [GOLD]})})
    (section,) = (section for section in report.sections if section.id == "scores")
    _, chart, table = section.blocks
    assert [(p.x, p.y) for p in chart.series["one"]] == [(0.31, 0), (pytest.approx(0.96), 0.75)]  # type: ignore[union-attr]
    assert table.caption.startswith("Scores of spans")  # type: ignore[union-attr]
    plain = comparison_report({"notes": compare([GOLD], {"two": [GOLD]})})
    assert not next(section.blocks for section in plain.sections if section.id == "scores")
