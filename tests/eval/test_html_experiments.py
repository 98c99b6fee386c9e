"""Experiments are drawn from their figures, and their tables stand below."""

from __future__ import annotations

from multideid.eval.reports.html import Chart, Point, experiment_report, render_report

SCORE = {"estimate": 0.8, "low": 0.7, "high": 0.9, "level": 0.95}


def _points(*corpora: str) -> list[dict]:
    return [
        {"corpus": c, "system": s, "fraction": f, "scores": {"span_f": SCORE, "token_f": SCORE}}
        for c in corpora
        for s in ("mist", "multi")
        for f in (0.5, 1.0)
    ]


def _charts(figures: dict) -> list[Chart]:
    return list(experiment_report(figures, "").sections[0].blocks)


def test_learning_curves_have_a_line_a_system_with_its_intervals() -> None:
    charts = _charts({"experiment": "learning-curve", "points": _points("a")})
    assert len(charts) == 2
    for chart in charts:
        assert chart.log_x
        line = [Point(50, 0.8, 0.7, 0.9), Point(100, 0.8, 0.7, 0.9)]
        assert chart.series == {"mist": line, "multi": line}


def test_lines_of_several_corpora_are_told_apart() -> None:
    chart = _charts({"experiment": "learning-curve", "points": _points("a", "b")})[0]
    assert list(chart.series) == ["mist, a", "multi, a", "mist, b", "multi, b"]


def test_operating_points_are_curves_by_class_and_the_dial_beside_what_was_asked() -> None:
    curve = {"corpus": "a", "label": "NAME", "recall": [0.5, 1.0], "precision": [1.0, 0.25]}
    promise = {"corpus": "a", "wanted": 0.9, "recall": SCORE}
    figures = {"experiment": "operating-points", "curves": [curve], "promises": [promise]}
    curves, dial = _charts(figures)
    assert curves.series == {"NAME": [Point(0.5, 1.0), Point(1.0, 0.25)]}
    assert dial.series == {"as asked": [Point(0.9, 0.9)], "a": [Point(0.9, 0.8, 0.7, 0.9)]}


def test_notes_and_signatures_stand_below_the_tables() -> None:
    sources = [{"line": "a: trained on 1"}, {"line": "b: trained on 2"}]
    figures = {"experiment": "kernels", "notes": ["few", "few"], "sources": sources}
    tables = "kernel  F1\n\nNote: few.\n\na: trained on 1\nb: trained on 2"
    blocks = experiment_report(figures, tables).sections[1].blocks
    assert [block.text for block in blocks] == [
        "kernel  F1",
        "Note: few.",
        "a: trained on 1",
        "b: trained on 2",
    ]


def test_an_experiment_without_charts_has_its_tables() -> None:
    page = render_report(experiment_report({"experiment": "kernels"}, "kernel   F1\n<b>    0.5"))
    assert "kernel   F1\n&lt;b&gt;    0.5" in page
    assert "Charts" not in page
