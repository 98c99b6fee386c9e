"""Prediction in several processes gives the same results as in one, even if some die."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import DocumentError, UsageError
from multideid.evidence import votes_of
from multideid.isolation import HiddenOutputWarning
from multideid.scoring import scorer
from multideid.stacking import (
    FailedDocument,
    MultiDeidentifier,
    ParallelPredictor,
    SingleDeidentifier,
    deidentifier,
    load_folder,
)
from multideid.taggers import registry

pytestmark = pytest.mark.isolated

HERE = os.environ.setdefault("TEST_PROCESS", str(os.getpid()))  # Also known in its processes.


class Letter:
    """Tags the first letter; fails on one text, and kills its process on another."""

    name, summary = "letter", "The first letter."

    def tag(self, document: Document) -> list[Span]:
        if document.text == "bad Zanzibar":
            raise ValueError(document.text)
        if str(os.getpid()) != HERE:
            _misbehave(document.text)
        if document.text == "once Zanzibar":
            if document.text in SEEN:
                raise ValueError(document.text)
            SEEN.add(document.text)
        return [Span(0, 1, "ID")]


SEEN: set[str] = set()


def _misbehave(text: str) -> None:
    """Do in a process of its own what a base system should not do."""
    match text:
        case "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exits":
            os._exit(0)
        case "hangs":
            time.sleep(600)
        case "leaves Zanzibar":
            sys.exit(text)
        case "interrupts Zanzibar":
            raise KeyboardInterrupt(text)
        case "quotes Zanzibar":
            raise DocumentError("d0", text)
        case "prints Zanzibar":
            print(text)
            warnings.warn(text, stacklevel=1)
            logging.getLogger(__name__).error(text)


@pytest.fixture
def model(monkeypatch) -> Iterator[SingleDeidentifier]:
    # Small batches, so that a few documents make many.
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 250)
    registry.register(Letter)
    yield SingleDeidentifier("letter").fit([Document("d", "a b", (Span(0, 1, "ID"),))])
    registry._SESSION.pop("letter")


def _documents(*texts: str) -> list[Document]:
    return [Document(f"d{n}", text) for n, text in enumerate(texts)]


@pytest.mark.end_to_end
def test_results_are_in_order_and_equal_those_of_one_process(model) -> None:
    documents = _documents(*(f"text {n}" for n in range(40)))
    with ParallelPredictor(model, 2) as predictor:
        assert list(predictor.predict_each(documents)) == list(model.predict_each(documents))


@pytest.mark.end_to_end
def test_a_failing_document_does_not_stop_the_others(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        results = list(predictor.predict_each(_documents("a", "b", "bad Zanzibar", "c", "d")))
    assert [isinstance(r, FailedDocument) for r in results] == [False, False, True, False, False]
    assert "Zanzibar" not in str(results)


@pytest.mark.end_to_end
def test_a_document_that_kills_its_process_fails_and_the_others_are_processed(model) -> None:
    documents = _documents("a", "b", "c", "deadly", "d", "e", "deadly", "f", "g")
    with ParallelPredictor(model, 2) as predictor:
        results = list(predictor.predict_each(documents))
    assert [r.id for r in results] == [d.id for d in documents]
    failed = [r for r in results if isinstance(r, FailedDocument)]
    assert [r.id for r in failed] == ["d3", "d6"]
    assert "ended abruptly" in failed[0].problem


def test_strings_are_documents_too(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        results = list(predictor.predict_each(["a text", Document("d", "b")]))
    assert results == list(model.predict_each(["a text", Document("d", "b")]))


def test_one_batch_starts_no_process(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        (result,) = predictor.predict_each(_documents("deadly"))
    assert isinstance(result, Document)


@pytest.mark.end_to_end
@pytest.mark.parametrize("jobs", [1, 2])
def test_isolated_documents_fail_alone_whatever_a_base_system_does(model, jobs, capfd) -> None:
    bad = {
        "deadly": "the process that worked on it ended abruptly (SIGKILL; it may have run out of",
        "exits": "the process that worked on it ended abruptly",
        "hangs": "took longer than 3 s",
        "leaves Zanzibar": "failed with SystemExit",
        "interrupts Zanzibar": "failed with KeyboardInterrupt",
        "quotes Zanzibar": "plug-in 'letter' failed with DocumentError",
        "bad Zanzibar": "plug-in 'letter' failed with ValueError",
    }
    documents = _documents(*(text for word in bad for text in ("good", word)), "good")
    options = {"isolated": True, "timeout": 3}
    with ParallelPredictor(model, jobs, **options) as predictor:
        results = list(predictor.predict_each(documents))
    for problem, result in zip(bad.values(), results[1::2], strict=True):
        assert isinstance(result, FailedDocument)
        assert result.problem.startswith(problem)
    assert all(isinstance(r, Document) for r in results[::2])
    assert "Zanzibar" not in str(results) + "".join(capfd.readouterr())


@pytest.mark.end_to_end
def test_what_base_systems_print_is_counted_and_not_shown(model, capfd) -> None:
    warns = pytest.warns(HiddenOutputWarning, match=r"lines .* are not shown")
    with warns as warned, ParallelPredictor(model, 1, isolated=True) as predictor:
        (result,) = predictor.predict_each(_documents("prints Zanzibar"))
    assert isinstance(result, Document)
    assert "Zanzibar" not in str(warned[0].message) + "".join(capfd.readouterr())


@pytest.mark.end_to_end
def test_a_model_may_be_loaded_in_the_processes_only(model, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    loader = partial(load_folder, tmp_path / "model")
    with ParallelPredictor(loader, 2, isolated=True) as predictor:
        results = list(predictor.predict_each(_documents(*"abc")))
    assert results == list(model.predict_each(_documents(*"abc")))
    with ParallelPredictor(loader, 1) as predictor:
        assert list(predictor.predict_each(_documents(*"abc"))) == results


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=pytest.mark.end_to_end)])
def test_a_text_is_read_once_for_its_spans_and_votes(model, isolated: bool) -> None:
    SEEN.clear()
    with ParallelPredictor(model, 1, votes=True, isolated=isolated) as predictor:
        results = list(predictor.predict_each(_documents("a", "once Zanzibar", "c")))
    assert [votes_of(r) for r in results] == [(("letter",),)] * 3  # type: ignore[union-attr]


def test_votes_that_cannot_be_counted_fail_the_document_only(model) -> None:
    SEEN.clear()
    results = model.with_votes(model.predict_batch(_documents("a", "once Zanzibar", "c")))
    problem = "its votes cannot be counted: failed with DocumentError"
    assert results[1] == FailedDocument("d1", problem)
    assert [votes_of(r) for r in results[::2]] == [(("letter",),)] * 2


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_timeout_is_a_positive_number(model, seconds: float) -> None:
    with pytest.raises(UsageError, match="timeout must be a positive number"):
        ParallelPredictor(model, timeout=seconds)


@pytest.mark.end_to_end
def test_only_a_few_batches_are_read_ahead(model) -> None:
    read = 0

    def documents() -> Iterator[Document]:
        nonlocal read
        for document in _documents(*["text"] * 100):
            read += 1
            yield document

    with ParallelPredictor(model, 2) as predictor:
        results = predictor.predict_each(documents())
        next(results)
        # Four batches of two documents, and the one that did not fit into the last.
        assert read <= 9
        results.close()


@pytest.mark.end_to_end
def test_one_pool_serves_several_corpora(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        first, second = (list(predictor.predict_each(_documents(*"abcdef"))) for _ in range(2))
    assert first == second


@pytest.mark.end_to_end
def test_an_interrupted_run_ends_its_processes(model) -> None:
    before = _processes()
    with pytest.raises(KeyboardInterrupt), ParallelPredictor(model, 2) as predictor:
        next(predictor.predict_each(_documents(*"abcdefgh")))
        started = _processes() - before
        raise KeyboardInterrupt
    assert started
    assert not started & _processes()


def _processes() -> set[str]:
    """Return the processes that work for this one."""
    found = subprocess.run(["ps", "-eo", "ppid,pid"], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in found.stdout.splitlines()[1:]]
    mine = {str(os.getpid())}
    while more := {pid for parent, pid in pairs if parent in mine} - mine:
        mine |= more
    return mine - {str(os.getpid())}


@pytest.mark.end_to_end
def test_compiled_models_find_the_same_in_processes(monkeypatch) -> None:
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 250)
    corpus = sample_corpus(6, seed=3)
    fitted = MultiDeidentifier(["mimic", "stat-deid"], folds=2, n_jobs=1).fit(corpus)
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    found = fitted.predict(corpus)
    with ParallelPredictor(fitted, 2) as predictor:
        assert list(predictor.predict_each(corpus)) == found
