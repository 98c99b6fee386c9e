"""Fitting in two processes gives the same models and errors as in one."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import DocumentError, UsageError
from multideid.parallel import effective_n_jobs
from multideid.scoring.scorer import Scorer
from multideid.stacking import (
    FailedDocument,
    MultiDeidentifier,
    ParallelPredictor,
    VoteDeidentifier,
    out_of_fold,
)
from multideid.stacking.fitting import FitJob, run_all, run_fit
from multideid.stacking.folds import document_folds
from multideid.stacking.out_of_fold import OutOfFold, fit_all, fit_out_of_fold, fit_stackers
from multideid.stacking.stacker import Stacker
from multideid.stacking.systems import make_systems
from multideid.taggers import registry
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

CORPUS = sample_corpus(8, seed=3)


def table(documents: list[Document]) -> tuple[TokenTable, TokenLabels]:
    tokens = TokenTable.from_documents(documents)
    return tokens, encode_bio(tokens, documents)


def saved(model: MultiDeidentifier, folder: Path) -> dict[str, bytes]:
    """Return all files of a model but the manifest."""
    model.save(folder)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in files if p.name != "manifest.json"}


def test_the_next_fit_begins_without_the_memory_of_the_one_before() -> None:
    tokens, labels = table(CORPUS)
    job = FitJob("lbj", make_systems(["lbj"])["lbj"], range(6), (6, 7), keep=False)
    gc.collect()
    before = number_of_scorers()
    gc.disable()
    try:
        run_fit(job, tokens, labels)
        assert number_of_scorers() == before
    finally:
        gc.enable()


def number_of_scorers() -> int:
    return sum(isinstance(thing, Scorer) for thing in gc.get_objects())


@pytest.mark.end_to_end
def test_an_ensemble_with_a_plug_in_is_the_same_from_two_processes(
    gate: str, badges: list[Document], tmp_path: Path
) -> None:
    systems = ["majority", "snow", gate]
    here, there = (MultiDeidentifier(systems, folds=3, n_jobs=n).fit(badges) for n in (1, 2))
    assert saved(there, tmp_path / "there") == saved(here, tmp_path / "here")
    notes = [Document("good", "Opened with B-7777 by the guard."), Document("bad", "CRASH")]
    found = list(there.predict_each([*CORPUS, *notes]))
    assert found == list(here.predict_each([*CORPUS, *notes]))
    assert Span(12, 18, "KEY") in found[-2].spans  # type: ignore[union-attr]
    assert isinstance(found[-1], FailedDocument)
    assert "'gate' failed with ValueError" in found[-1].problem


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_scores_of_a_document_come_from_fits_without_it(spy: type[BaseTagger], n_jobs: int) -> None:
    tokens, labels = table(CORPUS)
    fold = document_folds(len(CORPUS), 4, seed=0)
    # The spy refuses to score its training documents.
    taggers, out_of_fold = fit_out_of_fold(["spy"], tokens, labels, fold, n_jobs=n_jobs)
    sizes = len(CORPUS) - np.bincount(fold)[fold[tokens.document]]
    for scores in (*out_of_fold.scores, *(s for view in out_of_fold.augmented for s in view)):
        assert np.array_equal(scores[:, 0], sizes)
    assert taggers["spy"].trained_on_ == sorted(d.id for d in CORPUS)  # type: ignore[attr-defined]


@pytest.mark.end_to_end
def test_stackers_are_the_same_from_two_processes() -> None:
    tokens, labels = table(CORPUS)
    rng = np.random.default_rng(0)
    gold = np.eye(len(labels.names), dtype=np.float32)[labels.ids]
    scores = OutOfFold.empty(2, gold.shape)
    for system in range(2):
        views = [gold + rng.normal(0, 0.3, gold.shape).astype(np.float32) for _ in range(3)]
        scores.fill(system, np.arange(len(tokens)), views[0], views[1:])
    fold = document_folds(len(CORPUS), 3, seed=1)
    here, there = (
        list(fit_stackers(Stacker(), tokens, labels, scores, fold, (None, 0, 1, 2), n_jobs=n))
        for n in (1, 2)
    )
    for one, other in zip(here, there, strict=True):
        assert one.normalisations_ == other.normalisations_
        assert np.array_equal(one.model_.weights.toarray(), other.model_.weights.toarray())
        assert np.array_equal(one.model_.bias, other.model_.bias)


@pytest.mark.end_to_end
def test_a_large_corpus_is_not_written_to_disk(
    spy: type[BaseTagger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watcher(spy):  # type: ignore[misc, valid-type]
        """Records the temporary files that exist while it is fitted."""

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.found_ = [path.name for path in tmp_path.rglob("*") if path.is_file()]
            return super().fit(tokens, labels)  # type: ignore[no-any-return]

    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))
    tokens, labels = table([Document(str(n), "SECRET " * 200_000) for n in range(2)])
    # By default, joblib writes arrays above a megabyte to disk and shares the file.
    assert tokens.start.nbytes > 1_000_000
    jobs = [FitJob("watcher", Watcher(), [n], [1 - n], keep=True) for n in range(2)]
    found = [result.tagger.found_ for result in run_all(jobs, tokens, labels, n_jobs=2)]
    assert found == [[], []]


class Faulty:
    """A plug-in that cannot read one document."""

    name, summary = "faulty", "Fails on one document."

    def tag(self, document: Document) -> list[Span]:
        if document.id == "bad":
            raise ValueError(document.text)
        return []


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_an_error_in_training_names_the_document(
    n_jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_SESSION", {"faulty": Faulty()})
    before = set(active_children())
    model = MultiDeidentifier(["faulty"], folds=2, n_jobs=n_jobs)
    with pytest.raises(DocumentError, match=r"'bad': plug-in 'faulty'") as caught:
        model.fit([*CORPUS[:3], Document("bad", "My name is SECRET.")])
    assert "SECRET" not in str(caught.value)
    assert set(active_children()) == before


def test_all_processors_are_used_by_default_and_with_minus_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 2, 5}, raising=False)
    assert effective_n_jobs(None) == effective_n_jobs(-1) == 3
    assert effective_n_jobs(np.int64(2)) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("n_jobs", [0, -2, 1.5, "2"])
def test_invalid_n_jobs_is_refused_before_anything_is_fitted(
    n_jobs: Any, spy: type[BaseTagger], monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[BaseTagger] = []
    monkeypatch.setattr(spy, "fit", lambda self, *_: fitted.append(self))
    problem = f"n_jobs must be a whole number, at least 1, or -1 .*; got {n_jobs!r}$"
    starts: list[Callable[[], Any]] = [
        lambda: MultiDeidentifier(["spy"], folds=2, n_jobs=n_jobs).fit(CORPUS),
        lambda: VoteDeidentifier(["spy"], n_jobs=n_jobs).fit(CORPUS),
        lambda: ParallelPredictor(MultiDeidentifier(["spy"]), n_jobs),
    ]
    for start in starts:
        with pytest.raises(UsageError, match=problem):
            start()
    assert not fitted


@pytest.mark.parametrize("fit", [fit_all, fit_out_of_fold])
def test_fits_are_cancelled_when_a_result_cannot_be_used(
    fit: Callable[..., Any], spy: type[BaseTagger], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = (object() for _ in range(2))
    monkeypatch.setattr(out_of_fold, "run_all", lambda *_: results)
    tokens, labels = table(CORPUS)
    with pytest.raises(AttributeError):
        fit(["spy"], tokens, labels, *[np.arange(8) % 2] * (fit is fit_out_of_fold))
    assert next(results, None) is None
