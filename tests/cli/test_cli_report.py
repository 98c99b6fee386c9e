"""``--report``: a page with the figures."""

from __future__ import annotations

import json
import re
import stat

import pytest

from multideid.document import Span
from multideid.taggers import registry


def _mistakes(path):
    page = path.read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="mistakes">(.*?)</script>', page)
    return json.loads(data)


def test_evaluate_writes_a_page_and_prints_figures(invoke, corpus, half_right, tmp_path) -> None:
    out = tmp_path / "out.html"
    result = invoke("evaluate", corpus, half_right, "--json", "--report", out)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["spans"]["strict"]["micro"]["recall"] == 0.5
    assert "holds text of the documents; protect it as you protect the corpus" in result.stderr
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    data = _mistakes(out)
    assert (data["systems"], len(data["records"])) == (["predicted"], 6)


class Half:
    name, summary = "half", "Badge numbers that begin with 1."

    def tag(self, document):
        return [Span(*m.span(), "ID") for m in re.finditer(r"B-1\d+", document.text)]


@pytest.fixture
def half(monkeypatch):
    """Register a plug-in that misses every second badge number."""
    monkeypatch.setattr(registry, "_SESSION", dict(registry._SESSION))
    registry.register(Half)


@pytest.mark.usefixtures("half")
def test_compare_shows_trust_and_predictions_of_every_system(invoke, corpus, tmp_path) -> None:
    out = tmp_path / "out.html"
    options = ("--systems", "badge,half", "--folds", 2, "--jobs", 1, "--report", out)
    result = invoke("compare", "--train", corpus, "--test", corpus, *options)
    assert result.exit_code == 0, result.output
    page = out.read_text(encoding="utf-8")
    assert "Trust</h2>" in page
    assert "Multi&#39;s precision over recall" in page
    data = _mistakes(out)
    assert data["first"] == "multi"
    assert {"badge", "half", "vote", "mega", "multi"} == set(data["systems"])
    assert {data["systems"][record[1]] for record in data["records"]} >= {"half"}


def test_existing_report_is_refused_before_any_work(invoke, corpus, half_right, tmp_path) -> None:
    out = tmp_path / "out.html"
    out.write_text("older")
    result = invoke("evaluate", corpus, half_right, "--report", out)
    assert result.exit_code == 2
    assert "--overwrite" in result.stderr
    assert (result.stdout, out.read_text()) == ("", "older")
    assert invoke("evaluate", corpus, half_right, "--report", out, "--overwrite").exit_code == 0
    assert out.read_text(encoding="utf-8") != "older"


def test_a_report_inside_an_input_is_refused(invoke, corpus, half_right) -> None:
    result = invoke("evaluate", corpus, half_right, "--report", corpus / "out.html")
    assert result.exit_code == 2
    assert not (corpus / "out.html").exists()


@pytest.mark.usefixtures("half")
def test_an_experiment_is_drawn_with_its_tables_below(invoke, corpus, tmp_path) -> None:
    out = tmp_path / "out.html"
    options = ("--of", "half", "--folds", 2, "--jobs", 1, "--report", out)
    command = ("experiment", "learning-curve", "--train", corpus, "--test", corpus, *options)
    result = invoke(*command)
    assert result.exit_code == 0, result.output
    page = out.read_text(encoding="utf-8")
    assert "Learning curve, span F1, strict" in page
    assert result.stdout.strip().splitlines()[-1] in page
    assert invoke(*command).exit_code == 2
