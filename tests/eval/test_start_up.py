"""Start-up is measured in processes that have read nothing before."""

from __future__ import annotations

from pathlib import Path

import pytest
from template_notes import sample_corpus

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval import start_up
from multideid.stacking import SingleDeidentifier


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("start-up") / "model"
    SingleDeidentifier("mimic").fit(sample_corpus(3)).save(folder)
    return folder


@pytest.mark.end_to_end
def test_a_fresh_process_reports_every_step(model: Path) -> None:
    found = start_up.measure_start_up(model, sample_corpus(3), processes=1)
    assert (found.processes, found.notes) == (1, 3)
    assert min(found.load, found.first_note, found.new_note, found.warm_note) > 0


def test_the_least_of_all_processes_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([{"load": 1.0, "first_note": 5.0}, {"load": 2.0, "first_note": 3.0}])
    rest = {"new_note": 1.0, "warm_note": 1.0}
    monkeypatch.setattr(start_up, "_run", lambda model, texts: {**next(runs), **rest})
    found = start_up.measure_start_up("m", [Document("a", "x")], processes=2)
    assert (found.load, found.first_note) == (1.0, 3.0)


def test_notes_of_a_usual_length_are_chosen() -> None:
    notes = [Document(str(n), "x " * n) for n in (1, 0, 299, 5000, 310)]
    assert [len(text.split()) for text in start_up._typical(notes, 2)] == [299, 310]


@pytest.mark.end_to_end
def test_a_failed_process_is_reported_without_its_messages(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ended with status 1") as error:
        start_up.measure_start_up(tmp_path / "none", [Document("a", "Mary Jones")], 1)
    assert "Mary" not in str(error.value)


def test_nothing_to_read_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one note"):
        start_up.measure_start_up("en-default", [Document("a", " ")])
