"""Results of experiments become pages with charts, tables, notes and signatures."""

from __future__ import annotations

from html.parser import HTMLParser

from multideid.document import Document, Span
from multideid.eval.experiments import Curve, Record, Result, Source
from multideid.eval.experiments.learning_curve import learning_charts
from multideid.eval.experiments.operating_points import operating_charts
from multideid.eval.reports.blocks import Chart, Point
from multideid.eval.reports.html import render_report
from multideid.eval.signature import Scoring, Signature
from multideid.eval.statistics.significance import Interval
from multideid.tables import Column, Table

SCORE = Interval(0.8, 0.7, 0.9, 0.95)
NOTE = Document("n", "Seen by Lee.", (Span(8, 11, "NAME"),))
SIGNATURE = Signature.of([NOTE], ["mist"], Scoring(n_resamples=None))
SOURCE = Source("a", "12ab", 1, (), SIGNATURE)
COLUMNS = (Column("system", "system"), Column("F1", "f", ".4f"), Column("change", "change", "+.2f"))
ROWS = [Record(system="<b>", f=0.5, change=-0.25), Record(system="2-1", f=0.25, change=None)]


class _Cells(HTMLParser):
    """The cells of the tables of a page, row by row."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("th", "td")
        if self.inside:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


def _result(**more: object) -> Result:
    tables = [Table.of("Kernels", COLUMNS, ROWS)]
    return Result("kernels", {"rows": ROWS}, tables, sources=[SOURCE], **more)


def _points(*corpora: str) -> list[Record]:
    return [
        Record(corpus=c, system=s, fraction=f, scores={"span_f": SCORE, "token_f": SCORE})
        for c in corpora
        for s in ("mist", "multi")
        for f in (0.5, 1.0)
    ]


def test_learning_curves_have_a_line_per_system_with_intervals() -> None:
    charts = [*learning_charts(_points("a"))]
    assert len(charts) == 2
    for chart in charts:
        assert chart.log_x
        line = [Point(50, 0.8, 0.7, 0.9), Point(100, 0.8, 0.7, 0.9)]
        assert chart.series == {"mist": line, "multi": line}


def test_lines_of_several_corpora_have_different_names() -> None:
    chart = next(learning_charts(_points("a", "b")))
    assert list(chart.series) == ["mist, a", "multi, a", "mist, b", "multi, b"]


def test_operating_points_are_curves_by_class_and_achieved_over_requested_recall() -> None:
    curve = Curve("a", "NAME", 4, (0.5, 1.0), (1.0, 0.25), (0.0, 1.0), 0.6, 1.0, 0.5, 1.0)
    point = Record(corpus="a", requested=0.9, achieved=SCORE)
    curves, recalls = operating_charts([curve], [point])
    assert curves.series == {"NAME": [Point(0.5, 1.0), Point(1.0, 0.25)]}
    assert recalls.series == {"as requested": [Point(0.9, 0.9)], "a": [Point(0.9, 0.8, 0.7, 0.9)]}


def test_notes_and_signatures_follow_the_tables() -> None:
    blocks = _result(notes=("few", "few")).report().sections[1].blocks
    assert [block.caption for block in blocks if isinstance(block, Table)] == ["Kernels"]
    assert [block.text for block in blocks[1:]] == ["few", str(SOURCE)]


def test_page_shows_tables_as_tables_with_the_cells_of_the_text() -> None:
    result = _result()
    page = render_report(result.report())
    assert _Cells(page).rows == [
        ["system", "F1", "change"],
        ["<b>", "0.5000", "\N{MINUS SIGN}0.25"],
        ["2-1", "0.2500", ""],
    ]
    assert "<pre" not in page
    assert "Charts" not in page
    assert [line.split() for line in result.to_text().splitlines()[2:5]] == [
        ["system", "F1", "change"],
        ["<b>", "0.5000", "-0.25"],
        ["2-1", "0.2500"],
    ]


def test_charts_have_a_section_of_their_own() -> None:
    chart = Chart("Curve", "x", "y", {"mist": [Point(0.5, 0.5)]})
    page = render_report(_result(charts=[chart]).report())
    assert ">Charts</h2>" in page
    assert "<svg" in page


def test_records_are_a_data_frame_with_a_column_per_figure() -> None:
    frame = Result("x", {"rows": [Record(system="mist", f=SCORE)]}, [], [SOURCE]).to_frame("rows")
    assert list(frame.columns) == ["system", "f.estimate", "f.low", "f.high", "f.level"]
    assert frame["f.estimate"].tolist() == [0.8]
