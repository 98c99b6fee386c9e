"""The report as a page holds what the other reports hold, and PHI only if asked."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import multideid
from multideid import files
from multideid.deid.report import open_report
from multideid.document import Document, Evidence, Span
from multideid.errors import CorpusError
from multideid.evidence import with_evidence
from multideid.pages.frame import page_head

HOSTILE = "</script><img src=x onerror=alert(1)>\udce9"
TEXT = "Ann Lee, 3/14 and 3/15."


def _note(name: str, *found: tuple[int, int, str, float | None, tuple[str, ...]]) -> Document:
    spans = ((Span(a, b, label), Evidence(p, votes=votes)) for a, b, label, p, votes in found)
    return with_evidence(Document(name, TEXT), spans)


NOTES = (
    _note("one", (0, 7, "NAME", 0.98765, ("mist", "lbj")), (9, 13, "DATE", 0.25, ("mist",))),
    _note("none"),
    _note(HOSTILE, (9, 13, "DATE", None, ("field",)), (18, 22, "DATE", 0.75, ())),
)


def _page(folder: Path, show_phi: bool = False) -> str:
    path = folder / "report.html"
    with open_report(path, show_phi, overwrite=True) as report:
        for note in NOTES:
            report.add(note)
    return path.read_text(encoding="utf-8")


def _tables(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', page, re.S)
    return {name: json.loads(data) for name, data in found}


def test_spans_have_scores_and_votes(tmp_path) -> None:
    spans = _tables(_page(tmp_path))["spans"]
    assert [column["name"] for column in spans["columns"]][3:] == ["label", "score", "systems"]
    assert spans["rows"] == [
        ["one", 0, 7, "NAME", 0.9877, ["mist", "lbj"]],
        ["one", 9, 13, "DATE", 0.25, ["mist"]],
        [HOSTILE, 9, 13, "DATE", None, ["field"]],
        [HOSTILE, 18, 22, "DATE", 0.75, []],
    ]
    assert spans["sort"] == [4, False]


def test_totals_are_by_label_system_and_note(tmp_path) -> None:
    tables = _tables(_page(tmp_path))
    assert tables["labels"]["rows"] == [
        ["DATE", 3, 2, 0.25, 0.5, 2 / 3],
        ["NAME", 1, 1, 0.9877, 0.9877, 2],
    ]
    assert tables["systems"]["rows"] == [
        ["field", 1, 0.25, 1], ["lbj", 1, 0.25, 0], ["mist", 2, 0.5, 1],
    ]  # fmt: skip
    assert [row[:4] for row in tables["notes"]["rows"]] == [
        ["one", 2, ["DATE", "NAME"], 0.25],
        ["none", 0, [], None],
        [HOSTILE, 2, ["DATE"], 0.75],
    ]


def test_phi_is_quoted_only_if_asked(tmp_path) -> None:
    page = _page(tmp_path)
    assert not any(part in page for part in ("Ann", "3/14", "3/15"))
    assert "quotes no PHI" in page
    shown = _page(tmp_path, show_phi=True)
    assert [row[-1] for row in _tables(shown)["spans"]["rows"]][:2] == ["Ann Lee", "3/14"]
    assert "quotes PHI" in shown


def test_hostile_names_stay_text_and_nothing_is_asked_from_elsewhere(tmp_path) -> None:
    page = _page(tmp_path, show_phi=True)
    assert "<img" not in page
    assert "default-src 'none'" in page
    links = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert links
    assert all(link.startswith(("#", "data:")) for link in links)
    assert set(re.findall(r'id="(part-\w+)"', page)) == {i[1:] for i in links if i[0] == "#"}


def test_only_the_script_of_the_page_may_run() -> None:
    assert page_head("a", "run()") != page_head("a", "run(1)")
    assert "<title>&lt;b&gt;</title>" in page_head("<b>", "")


def test_the_same_spans_are_in_every_kind_of_report(tmp_path) -> None:
    for name in ("r.json", "r.csv"):
        with open_report(tmp_path / name, show_phi=False, overwrite=False) as report:
            report.add(NOTES[0])
    spans = json.loads((tmp_path / "r.json").read_text())["documents"][0]["spans"]
    assert [span["score"] for span in spans] == [0.9877, 0.25]
    assert (tmp_path / "r.csv").read_text().splitlines() == [
        "document,start,end,label,score,systems",
        "one,0,7,NAME,0.9877,mist lbj",
        "one,9,13,DATE,0.25,mist",
    ]


@pytest.mark.parametrize("suffix", ["json", "html"])
def test_scores_are_those_of_the_model(tmp_path, suffix) -> None:
    model = multideid.load("en-default")
    text = "Seen by Dr. Martha Alder on 3/14/2007, ward 7."
    (expected,) = model.span_scores([model.predict(Document("n", text))])
    options = multideid.DeidOptions(model=model, report=tmp_path / f"r.{suffix}", isolated=False)
    (tmp_path / "n.txt").write_text(text)
    multideid.deidentify_folder(tmp_path / "n.txt", tmp_path / "out", options)
    content = (tmp_path / f"r.{suffix}").read_text()
    if suffix == "html":
        scores = [row[4] for row in _tables(content)["spans"]["rows"]]
    else:
        scores = [span["score"] for span in json.loads(content)["documents"][0]["spans"]]
    assert scores == [round(score, 4) for score in expected if score is not None] != []


REPORTS = ("r.json", "r.csv", "r.html")


@pytest.mark.parametrize("name", REPORTS)
def test_an_error_of_what_is_reported_is_not_that_of_the_report(tmp_path: Path, name: str) -> None:
    with (
        pytest.raises(OSError, match=r"^note$"),
        open_report(tmp_path / name, show_phi=False, overwrite=False),
    ):
        raise OSError("note")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch, name: str) -> None:
    monkeypatch.setattr(files, "atomic_path", lambda target: nullcontext(Path("/dev/full")))
    with (
        pytest.raises(CorpusError, match=f"{name}: cannot be written: No space left"),
        open_report(tmp_path / name, show_phi=False, overwrite=False) as report,
    ):
        for note in NOTES:
            report.add(note)
