"""Models by name, the default one, and ``--recall``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from multideid.cli.options.models import RecallPoint
from multideid.corpora import read_corpus
from multideid.models import DEFAULT_MODEL, bundled
from multideid.stacking.thresholds import OPERATING_POINTS


@pytest.fixture(scope="module")
def multi(invoke, corpus, badge, tmp_path_factory) -> Path:
    """Return a multi model of the plug-in alone."""
    path = tmp_path_factory.mktemp("models") / "multi"
    options = ("--systems", "badge", "--folds", 2, "--jobs", 1)
    result = invoke("train", corpus, *options, "--out", path)
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture
def default(multi, tmp_path, monkeypatch) -> Path:
    """Put a small model in the place of the bundled one."""
    place = tmp_path / "bundled"
    shutil.copytree(multi, place / DEFAULT_MODEL)
    monkeypatch.setattr(bundled, "_PLACE", place)
    return place / DEFAULT_MODEL


@pytest.fixture
def notes(tmp_path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("Seen by nurse B-1234 at noon.\n")
    return folder


def test_deid_without_a_model_takes_the_default_one(invoke, default, notes, tmp_path) -> None:
    result = invoke("deid", notes, "--out", tmp_path / "clean")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "clean" / "a.txt").read_text() == "Seen by nurse [ID] at noon.\n"


def test_predict_takes_a_bundled_model_by_name(invoke, default, corpus, tmp_path) -> None:
    result = invoke("predict", DEFAULT_MODEL, corpus, "--out", tmp_path / "found")
    assert result.exit_code == 0, result.output
    assert read_corpus(tmp_path / "found") == read_corpus(corpus)


@pytest.mark.parametrize("point", RecallPoint)
def test_deid_takes_each_recall_point(invoke, default, notes, tmp_path, point) -> None:
    result = invoke("deid", notes, "--out", tmp_path / "clean", "--recall", point.value)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "clean" / "a.txt").read_text() == "Seen by nurse [ID] at noon.\n"


def test_predict_takes_a_recall_point(invoke, multi, corpus, tmp_path) -> None:
    options = ("--out", tmp_path / "found", "--recall", "maximum")
    assert invoke("predict", multi, corpus, *options).exit_code == 0


def test_standard_input_takes_model_and_recall_point(invoke, default) -> None:
    result = invoke("deid", "-", "--recall", "high", stdin=b"Nurse B-1234")
    assert result.stdout == "Nurse [ID]"


def test_recall_points_are_those_of_multi_models() -> None:
    assert {point.value for point in RecallPoint} == {*OPERATING_POINTS}


def test_a_point_that_there_is_not_is_refused(invoke, default, notes, tmp_path) -> None:
    result = invoke("deid", notes, "--out", tmp_path / "clean", "--recall", "most")
    assert result.exit_code == 2
    assert "balanced" in result.output


def test_recall_of_another_kind_of_model_is_refused_and_nothing_written(
    invoke, model, notes, tmp_path
) -> None:
    options = ("--model", model, "--out", tmp_path / "clean", "--recall", "high")
    result = invoke("deid", notes, *options)
    assert result.exit_code == 2
    assert "recall is for multi models" in result.stderr
    assert "single" in result.stderr
    assert not (tmp_path / "clean").exists()


def test_unknown_model_is_refused_with_the_known_names(invoke, default, notes, tmp_path) -> None:
    result = invoke("deid", notes, "--model", "en-defautl", "--out", tmp_path / "clean")
    assert result.exit_code == 2
    assert f"there are: {DEFAULT_MODEL}" in " ".join(result.stderr.split())


def test_models_are_listed(invoke, default) -> None:
    (figures,) = json.loads(invoke("models", "--json").stdout)
    assert figures["name"] == DEFAULT_MODEL
    assert figures["labels"] == ["ID"]
    assert figures["folder"] == str(default)
    assert DEFAULT_MODEL in invoke("models").stdout


def test_bench_measures_a_model_by_name(invoke, default) -> None:
    options = ("--passes", "1", "--starts", "0", "--no-long", "--no-peers", "--json")
    result = invoke("bench", DEFAULT_MODEL, *options)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["notes"]["tokens_per_second"] > 0
