"""The bundled model can be measured again."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agreement_figures import halves
from template_notes import sample_corpus
from typer.testing import CliRunner

import figures
from multideid.corpora import write_corpus
from multideid.document import Document
from multideid.eval import evaluate
from multideid.stacking import MultiDeidentifier
from recipe import FLAVOURS

SCRIPT = Path(__file__).parents[2] / "scripts" / "default_model"

app = runpy.run_path(str(SCRIPT / "__main__.py"), run_name="default_model")["app"]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """Write a dev set of one note for each flavour."""
    for n, flavour in enumerate(FLAVOURS):
        (tmp_path / flavour).mkdir()
        write_corpus(sample_corpus(1, seed=n), tmp_path / flavour / "dev.xml", "i2b2-2006")
    return tmp_path


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small Multi model."""
    path = tmp_path_factory.mktemp("models") / "rules"
    MultiDeidentifier(["mimic"], folds=2, n_jobs=1).fit(sample_corpus(2)).save(path)
    return path


def test_every_dev_set_is_measured_at_every_recall_point(
    corpora: Path, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "_MODULE", "no_such_module")
    monkeypatch.setattr(figures, "_HELD", 1)
    options = ["--model", str(rules), "--left-out", str(corpora)]
    result = CliRunner().invoke(app, ["measure", str(corpora), *options])
    assert result.exit_code == 0, result.output
    header, *rows = result.stdout.partition("\n\n")[0].splitlines()
    measured = [row.split(" | ")[:2] for row in rows[1:]]
    points = [f"`--recall {point}`" for point in ("balanced", "high", "maximum")]
    assert measured == [[f"| {c}", p] for c in (*FLAVOURS, figures.SAMPLES) for p in points]
    assert {row.count("|") for row in rows} == {header.count("|")}


def test_flavour_with_a_left_out_model_is_measured_with_it(corpora: Path, rules: Path) -> None:
    shutil.copytree(rules, corpora / "without-ambiguous")
    measured = {flavour: list(figures._left_out(corpora, flavour)) for flavour in FLAVOURS}
    assert [flavour for flavour, systems in measured.items() if systems] == ["ambiguous"]
    assert [system.name for system in measured["ambiguous"]] == ["trained without it"]


def test_labels_of_another_scheme_have_no_strict_figure() -> None:
    gold = Document("d", "Ann Lee", ((0, 3, "PATIENT"),))
    scores = evaluate([gold], [gold.with_spans([(0, 3, "PERSON")])])
    cells = str(figures.Row("made up", "peer", scores, has_labels=False)).split(" | ")
    assert cells[5:7] == ["1.0000", "—"]


def test_labels_missing_from_a_corpus_are_left_blank() -> None:
    gold = Document("d", "Ann 12", ((0, 3, "PATIENT"),))
    scores = evaluate([gold], [gold.with_spans([(0, 3, "PATIENT"), (4, 6, "ID")])])
    assert figures.by_label([figures.Row("one", "it", scores)]).splitlines()[-1] == (
        "| one | — | 1.0000 |"
    )


def test_an_unknown_flavour_is_refused(corpora: Path) -> None:
    options = ["--out", "model", "--without", "shufled"]
    result = CliRunner().invoke(app, ["train", str(corpora), *options])
    assert result.exit_code == 2
    assert "--without is one of" in result.stderr


@pytest.mark.end_to_end
def test_script_runs_from_a_checkout() -> None:
    command = [sys.executable, str(SCRIPT), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "train" in done.stdout
    assert "measure" in done.stdout


def test_members_are_measured_by_brief(rules: Path) -> None:
    options = ["briefs", "--model", str(rules), "--member", "mimic", "--documents", "9"]
    _, _, *rows = CliRunner().invoke(app, options).stdout.splitlines()
    cells = [row.strip("| ").split(" | ") for row in rows]
    assert sum(int(notes) for _, _, notes, _, _ in cells) == 9
    assert len({brief for brief, *_ in cells}) == len(cells) > 1
    assert all(0 <= float(recall) <= 1 for *_, recall in cells)


def test_scores_are_compared_with_shares_of_phi() -> None:
    result = CliRunner().invoke(app, ["calibration", "--refit", "--documents", "24"])
    assert result.exit_code == 0, result.output
    first, _, _, *rows, last = result.stdout.splitlines()
    tokens = [int(row.split(" | ")[1].replace(",", "")) for row in rows]
    assert first.endswith(f", {sum(tokens)} tokens")
    assert last.startswith("expected calibration error 0.0")


def test_identifiers_of_known_patients_are_counted_without_and_with_a_table(rules: Path) -> None:
    options = ["patients", "--model", str(rules), "--documents", "2"]
    lines = CliRunner().invoke(app, options).stdout.splitlines()
    assert lines[0].startswith("2 notes; in the table: ")
    left = [int(line.split("|")[2].split()[0]) for line in lines[3:5]]
    assert left[1] < left[0]


def test_agreement_is_measured_for_all_systems_and_in_and_across_halves(rules: Path) -> None:
    options = ["agreement", "--model", str(rules), "--documents", "2"]
    systems, halved = CliRunner().invoke(app, options).stdout.split("\n\n")
    header, _, *rows = systems.splitlines()
    assert [row.split(" | ")[0] for row in rows] == ["| mimic", "| vote", "| multi"]
    assert {row.count("|") for row in rows} == {header.count("|")}
    first, _, *rows = halved.splitlines()
    assert first.startswith("| 4 halves of notes |")
    assert [row.split(" | ")[0] for row in rows] == [
        "| no agreement", "| within each half", "| across the halves"
    ]  # fmt: skip


def test_halves_of_a_note_are_its_text_and_spans() -> None:
    text = "Ann Lee\nseen by Dr Roe\nin Oslo"
    spans = ((0, 3, "PATIENT"), (16, 28, "DOCTOR"))
    first, second = halves(Document("n", text, spans))
    assert (first.text, second.text) == ("Ann Lee\n", "seen by Dr Roe\nin Oslo")
    assert [half.span_text(span) for half in (first, second) for span in half.spans] == [
        "Ann",
        "Dr Roe\nin Os",
    ]
    assert {half.meta["patient"] for half in (first, second)} == {"n"}
    assert [half.text for half in halves(Document("n", "Ann"))] == ["Ann"]
