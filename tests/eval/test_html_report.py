"""The report is one self-contained file, safe with any text."""

from __future__ import annotations

import json
import re
import stat
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval import Scoring, compare
from multideid.eval.metrics.mistakes import collect_mistakes
from multideid.eval.reports.blocks import Chart, Form, HeatMap, Point, Report, Section, Text
from multideid.eval.reports.html import (
    check_report_place,
    comparison_report,
    render_report,
    write_report,
)
from multideid.tables import Table

HOSTILE = "</script><img src=x onerror=alert(1)>"
NAME = f"Zoë \N{MATHEMATICAL FRAKTUR CAPITAL M} {HOSTILE}"
GOLD = [
    Document(f"n{n}", f"Seen by {NAME} on 3/4.", (Span(8, 8 + len(NAME), "NAME"),))
    for n in range(3)
]
NONE = [d.with_spans([]) for d in GOLD]
TRUST = pd.DataFrame([[0.25, 0.75]], index=["NAME"], columns=["mist", "lbj"])


class _Page(HTMLParser):
    """The tags, ids and links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action", "xlink:href"):
                self.links.append(value or "")


@pytest.fixture(scope="module")
def report() -> Report:
    systems = {"mist": NONE, "mega": GOLD, "multi": NONE}
    return comparison_report(
        {"notes": compare(GOLD, systems, Scoring(n_resamples=20))},
        trust={"notes": TRUST},
        mistakes={"notes": collect_mistakes(GOLD, systems)},
        curves=[Chart("Curve", "recall", "precision", {"all": [Point(0.5, 0.9, 0.8, 1.0)]})],
    )


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return render_report(report)


@pytest.fixture(scope="module")
def small() -> Report:
    return Report("Title", (Section("one", "One", (Text("A paragraph."),)),))


def _mistakes(page: str) -> dict:
    (data,) = re.findall(r'<script type="application/json" id="mistakes">(.*?)</script>', page)
    return json.loads(data)


def _only(block) -> str:
    return render_report(Report("Title", (Section("one", "One", (block,)),)))


def test_hostile_text_stays_text(page) -> None:
    assert "<img" not in page
    assert "img" not in _Page(page).tags
    records = _mistakes(page)["records"]
    assert len(records) == 6
    assert all(record[8] == NAME for record in records)


def test_a_record_has_the_place_and_all_predictions(page) -> None:
    data = _mistakes(page)
    assert (data["first"], data["systems"]) == ("multi", ["mist", "mega", "multi"])
    corpus, system, kind, document, start, end, leaks, before, _, after, spans = data["records"][0]
    assert (data["corpora"][corpus], data["systems"][system]) == ("notes", "mist")
    assert (data["kinds"][kind], data["documents"][document], leaks) == ("miss", "n0", 1)
    assert (start, end, before, after) == (8, 8 + len(NAME), "Seen by ", " on 3/4.")
    assert spans == [[-1, 0, 8, NAME], [1, 0, 8, NAME]]
    assert data["labels"] == ["NAME"]


def test_hostile_names_stay_text_in_every_block() -> None:
    heat = HeatMap(HOSTILE, (HOSTILE,), ("$x^{", "\x00"), [[1, 0.1]], [["1", HOSTILE]])
    chart = Chart(HOSTILE, HOSTILE, "y", {HOSTILE: [Point(1, 1)], "_hidden": [Point(2, 2)]})
    table = Table(HOSTILE, (HOSTILE,), ((HOSTILE,),))
    for block in (heat, chart, table, Text(HOSTILE)):
        assert not {"img"} & set(_Page(_only(block)).tags)
    assert "_hidden" in _only(chart)


def test_many_lines_get_a_panel_each_and_none_is_left_out() -> None:
    names = [f"CLASS_{n}" for n in range(11)]
    series = {name: [Point(0.5, 1.0), Point(1.0, 0.5)] for name in names}
    page = _only(Chart("Many", "recall", "precision", series, f_lines=True))
    assert all(f">{name}</text>" in page for name in names)
    assert "dotted: CLASS_0" in page


def test_only_the_reports_own_script_may_run(page) -> None:
    assert "default-src 'none'" in page
    assert len(re.findall(r"script-src 'sha256-[\w+/=]+'", page)) == 1


def test_nothing_is_asked_from_elsewhere(page) -> None:
    links = _Page(page).links
    assert links
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "url(http" not in page
    assert "@import" not in page


def test_ids_are_unique_and_links_lead_somewhere(page) -> None:
    found = _Page(page)
    assert len(found.ids) == len(set(found.ids))
    assert {link[1:] for link in found.links if link.startswith("#")} <= set(found.ids)


def test_plots_take_the_pages_colours_and_speak_to_screen_readers(page) -> None:
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawings) >= 6
    for drawing in drawings:
        assert not re.search(r"#[0-9a-f]{6}", drawing)
        assert 'role="img"' in drawing
        assert re.search(r"<title id=[^>]+>.+</title><desc id=[^>]+>.+</desc>", drawing)


def test_sections_without_data_are_left_out(page) -> None:
    alone = comparison_report({"notes": compare(GOLD, {"mist": NONE}, Scoring(n_resamples=20))})
    short = render_report(alone)
    for title in ("Trust", "Significance", "Precision and recall", "Errors"):
        assert f">{title}</h2>" in page
        assert f">{title}</h2>" not in short
    assert "mistakes" not in _Page(short).ids
    assert "text of the documents" not in short


def test_several_corpora_are_named() -> None:
    comparison = compare(GOLD, {"mega": NONE, "multi": GOLD}, Scoring(n_resamples=20))
    page = render_report(comparison_report({"one": comparison, "two": comparison}))
    assert "Confusion, multi: one" in page
    assert "Confusion, multi: two" in page
    assert page.count(str(comparison.signature)) == 2


def test_corpora_without_phi_or_text_have_a_report_without_nan() -> None:
    notes = [Document("a", "No name."), Document("b", "")]
    comparison = compare(notes, {"mega": notes, "multi": notes}, Scoring(n_resamples=20))
    trust = pd.DataFrame([[float("nan")]], index=["NAME"], columns=["mist"])
    mistakes = {"notes": collect_mistakes(notes, {"multi": notes})}
    page = render_report(
        comparison_report({"notes": comparison}, trust={"notes": trust}, mistakes=mistakes)
    )
    assert "nan" not in page
    assert "mistakes" not in _Page(page).ids


def test_a_report_on_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one comparison"):
        comparison_report({})


def test_the_same_report_is_the_same_file() -> None:
    chart = Chart(
        "DecisionThresholds", "recall", "precision", {"all": [Point(0.5, 0.9)]}, f_lines=True
    )
    assert _only(chart) == _only(chart)


def test_file_is_for_its_owner_alone(small, tmp_path) -> None:
    write_report(tmp_path / "deep" / "out.html", small)
    path = tmp_path / "deep" / "out.html"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["out.html"]


def test_an_existing_file_is_replaced_only_on_request(small, tmp_path) -> None:
    path = tmp_path / "out.html"
    path.write_text("older")
    path.chmod(0o644)
    with pytest.raises(UsageError, match="exists"):
        write_report(path, small)
    assert path.read_text() == "older"
    write_report(path, small, overwrite=True)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_is_refused_as_a_file(small, tmp_path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        write_report(tmp_path, small, overwrite=True)


def test_a_failure_leaves_what_was_there(small, tmp_path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.html"
    path.write_text("older")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write_report(path, small, overwrite=True)
    assert [p.read_text() for p in tmp_path.iterdir()] == ["older"]


def test_text_that_is_no_valid_unicode_can_be_written(tmp_path) -> None:
    odd = Document("n\ud800", "a \ud800 b", (Span(2, 3, "N\udfff"),))
    systems = {"mist": [odd.with_spans([])]}
    comparison = compare([odd], systems, Scoring(n_resamples=5))
    report = comparison_report(
        {"\ud800": comparison}, mistakes={"x": collect_mistakes([odd], systems)}
    )
    write_report(tmp_path / "out.html", report)
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert _mistakes(page)["records"][0][8] == "\ud800"


def test_report_does_not_show_text_by_repr(report) -> None:
    assert "Zoë" not in repr(report)


def test_tables_with_ragged_rows_are_refused() -> None:
    with pytest.raises(UsageError, match="2 cells; its header has 1"):
        Table("t", ("a",), (("1", "2"),))


def test_a_logarithmic_axis_has_no_place_for_zero() -> None:
    with pytest.raises(UsageError, match="x of 0 or less"):
        Chart("c", "x", "y", {"a": [Point(0, 1)]}, log_x=True)


def test_a_report_without_its_packages_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "multideid.eval.reports.html.render.find_spec"
    monkeypatch.setattr(module, lambda name: None if name == "jinja2" else name)
    with pytest.raises(UsageError, match=r"needs jinja2.*pip install 'multideid\[report\]'"):
        check_report_place(tmp_path / "page.html")


def test_a_form_has_boxes_for_answers_and_room_for_others() -> None:
    form = Form("Protocol", (("Drawn at random?", ("yes", "no")), ("Reader <1>:", ())))
    page = render_report(Report("Title", (Section("sign", "To sign", (form,)),)))
    shown = page[page.index('<figure class="fill">') : page.index("</figure>")]
    assert (
        "<dt>Drawn at random?</dt><dd><span>&#9744; yes</span> <span>&#9744; no</span> </dd>"
        in shown
    )
    assert "<dt>Reader &lt;1&gt;:</dt><dd></dd>" in shown
