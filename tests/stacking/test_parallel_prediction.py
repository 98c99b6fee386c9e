"""Prediction in several processes gives the same results as in one, even if some die."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children

import pytest
from template_notes import sample_corpus

from multideid import parallel
from multideid.document import Document, Span
from multideid.scoring import scorer
from multideid.stacking import (
    FailedDocument,
    MultiDeidentifier,
    ParallelPredictor,
    SingleDeidentifier,
    deidentifier,
)
from multideid.taggers import registry

HERE = os.getpid()


class Letter:
    """Tags the first letter; fails on one text, and kills its process on another."""

    name, summary = "letter", "The first letter."

    def tag(self, document: Document) -> list[Span]:
        if document.text == "bad Zanzibar":
            raise ValueError(document.text)
        if document.text == "deadly" and os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return [Span(0, 1, "ID")]


@pytest.fixture
def model(monkeypatch) -> Iterator[SingleDeidentifier]:
    # Small batches, so that a few documents make many.
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 250)
    registry.register(Letter)
    yield SingleDeidentifier("letter").fit([Document("d", "a b", (Span(0, 1, "ID"),))])
    registry._SESSION.pop("letter")


def _documents(*texts: str) -> list[Document]:
    return [Document(f"d{n}", text) for n, text in enumerate(texts)]


def test_results_are_in_order_and_equal_those_of_one_process(model) -> None:
    documents = _documents(*(f"text {n}" for n in range(40)))
    with ParallelPredictor(model, 2) as predictor:
        assert list(predictor.predict_each(documents)) == list(model.predict_each(documents))


def test_a_failing_document_does_not_stop_the_others(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        results = list(predictor.predict_each(_documents("a", "b", "bad Zanzibar", "c", "d")))
    assert [isinstance(r, FailedDocument) for r in results] == [False, False, True, False, False]
    assert "Zanzibar" not in str(results)


def test_a_document_that_kills_its_process_fails_and_the_others_are_processed(model) -> None:
    documents = _documents("a", "b", "c", "deadly", "d", "e", "deadly", "f", "g")
    with ParallelPredictor(model, 2) as predictor:
        results = list(predictor.predict_each(documents))
    assert [r.id for r in results] == [d.id for d in documents]
    failed = [r for r in results if isinstance(r, FailedDocument)]
    assert [r.id for r in failed] == ["d3", "d6"]
    assert "ended abruptly" in failed[0].problem


def test_one_batch_starts_no_process(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        (result,) = predictor.predict_each(_documents("deadly"))
    assert isinstance(result, Document)


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


def test_one_pool_serves_several_corpora(model) -> None:
    with ParallelPredictor(model, 2) as predictor:
        first, second = (list(predictor.predict_each(_documents(*"abcdef"))) for _ in range(2))
    assert first == second


def test_an_interrupted_run_ends_its_processes(model) -> None:
    others = set(active_children())
    with pytest.raises(KeyboardInterrupt), ParallelPredictor(model, 2) as predictor:
        next(predictor.predict_each(_documents(*"abcdefgh")))
        started = set(active_children()) - others
        raise KeyboardInterrupt
    assert started
    assert not started & set(active_children())


def test_spawned_processes_find_the_same(monkeypatch) -> None:
    monkeypatch.setattr(parallel, "START_METHOD", "spawn")
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 250)
    corpus = sample_corpus(6, seed=3)
    fitted = MultiDeidentifier(["mimic", "stat-deid"], folds=2, n_jobs=1).fit(corpus)
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    found = fitted.predict(corpus)
    with ParallelPredictor(fitted, 2) as predictor:
        assert list(predictor.predict_each(corpus)) == found
