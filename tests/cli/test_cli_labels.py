"""``--labels`` trains and scores on a choice of classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.corpora import write_corpus
from multideid.document import Document, Span
from multideid.stacking import load_folder


@pytest.fixture(scope="module")
def two_classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return notes whose badge numbers are PHI, and so are first words."""
    texts = [f"Nurse of B-{1000 + n} at noon.\n" for n in range(6)]
    spans = (Span(0, 5, "DOCTOR"), Span(9, 15, "ID"))
    path = tmp_path_factory.mktemp("two") / "notes"
    write_corpus([Document(f"n{n}", text, spans) for n, text in enumerate(texts)], path, "brat")
    return path


def test_a_model_learns_the_chosen_labels_alone(invoke, two_classes, tmp_path) -> None:
    options = ("--mode", "mist", "--labels", "ID", "--out", tmp_path / "m", "--json")
    result = invoke("train", two_classes, *options)
    assert json.loads(result.stdout)["spans"] == {"ID": 6}
    model = load_folder(tmp_path / "m")
    assert (model.labels_, model.pass_through) == (("ID",), False)


@pytest.mark.parametrize(("labels", "gold"), [((), 12), (("--labels", "ID"), 6)])
@pytest.mark.parametrize("command", ["compare", "experiment"])
def test_figures_are_of_the_chosen_labels_alone(invoke, two_classes, command, labels, gold) -> None:
    name = ("hypotheses",) if command == "experiment" else ()
    shared = ("--systems", "badge", "--folds", 2, "--jobs", 1, "--json")
    parts = ("--train", two_classes, "--test", two_classes)
    figures = json.loads(invoke(command, *name, *parts, *shared, *labels).stdout)
    if command == "compare":
        assert figures["systems"]["badge"]["spans"]["strict"]["micro"]["gold"] == gold
    else:
        assert {"DOCTOR" in {row["label"] for row in figures["classes"]}} == {gold == 12}


@pytest.mark.parametrize("command", [("train", "--out", "m"), ("compare", "--systems", "badge")])
def test_a_label_that_is_not_in_the_corpus_is_refused(
    invoke, two_classes, command, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *more = command
    corpora = (
        ["--train", two_classes, "--test", two_classes] if name == "compare" else [two_classes]
    )
    result = invoke(name, *corpora, *more, "--labels", "ID,DOCTR")
    assert result.exit_code == 2
    assert "no span is labelled DOCTR; there are: DOCTOR, ID" in " ".join(result.output.split())
