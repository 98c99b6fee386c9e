"""What is fitted in two processes is what is fitted in one, and fails as it does.

All that fits in several processes stands here: to start them takes a second each time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Event, Thread
from time import sleep
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
import pytest
from joblib import Parallel, cpu_count, delayed

from multideid import registry
from multideid.base_systems.snow import winnow_kernel
from multideid.document import Document, Span
from multideid.errors import DocumentError, UsageError
from multideid.learners import adagrad, perceptron_kernel
from multideid.samples import sample_corpus
from multideid.stacking import (
    CommitteeDeidentifier,
    FailedDocument,
    MultiDeidentifier,
    Workers,
    ensemble,
    processes,
)
from multideid.stacking.ensemble import OutOfFold, fit_all, fit_out_of_fold
from multideid.stacking.folds import document_folds
from multideid.stacking.jobs import FitJob, run_all, workers
from multideid.stacking.processes import in_any_order, in_processes
from multideid.stacking.stacker import Stacker
from multideid.stacking.stackers import fit_stackers
from multideid.tagger import BaseTagger
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

CORPUS = sample_corpus(8, seed=3)


def table(documents: list[Document]) -> tuple[TokenTable, TokenLabels]:
    tokens = TokenTable.from_documents(documents)
    return tokens, encode_bio(tokens, documents)


def saved(model: MultiDeidentifier, folder: Path) -> dict[str, bytes]:
    """Return all files of a model but the one that tells how many processes there were."""
    model.save(folder)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in files if p.name != "manifest.json"}


def test_an_ensemble_with_a_plug_in_is_the_same(
    gate: str, badges: list[Document], tmp_path: Path
) -> None:
    systems = ["mimic", "stat-deid", gate]
    here, there = (MultiDeidentifier(systems, folds=3, n_jobs=n).fit(badges) for n in (1, 2))
    assert saved(there, tmp_path / "there") == saved(here, tmp_path / "here")
    notes = [Document("good", "Opened with B-7777 by the guard."), Document("bad", "CRASH")]
    found = list(there.predict_each([*CORPUS, *notes]))
    assert found == list(here.predict_each([*CORPUS, *notes]))
    assert Span(12, 18, "KEY") in found[-2].spans  # type: ignore[union-attr]
    assert isinstance(found[-1], FailedDocument)
    assert "'gate' failed with ValueError" in found[-1].problem


def test_scores_come_from_fits_without_the_document(spy: type[BaseTagger]) -> None:
    tokens, labels = table(CORPUS)
    fold = document_folds(len(CORPUS), 4, seed=0)
    # The spy refuses a document that it was fitted on.
    taggers, out_of_fold = fit_out_of_fold(["spy"], tokens, labels, fold, n_jobs=2)
    sizes = len(CORPUS) - np.bincount(fold)[fold[tokens.document]]
    for scores in (*out_of_fold.scores, *(s for view in out_of_fold.disguised for s in view)):
        assert np.array_equal(scores[:, 0], sizes)
    assert taggers["spy"].seen_ == sorted(d.id for d in CORPUS)  # type: ignore[attr-defined]


def test_stackers_are_the_same() -> None:
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
        assert one.scales_ == other.scales_
        assert np.array_equal(one.model_.weights.toarray(), other.model_.weights.toarray())
        assert np.array_equal(one.model_.bias, other.model_.bias)


def test_nothing_of_a_large_corpus_is_written_to_disk(
    spy: type[BaseTagger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watcher(spy):  # type: ignore[misc, valid-type]
        """Notes what stands in the folder for temporary files while it is fitted."""

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.found_ = [path.name for path in tmp_path.rglob("*") if path.is_file()]
            return super().fit(tokens, labels)  # type: ignore[no-any-return]

    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))
    tokens, labels = table([Document(str(n), "SECRET " * 200_000) for n in range(2)])
    # From a megabyte on, joblib would write an array to disk and share the file.
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


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_document_that_fails_in_training_names_itself(
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
    assert workers(None) == workers(-1) == 3
    assert workers(np.int64(2)) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("n_jobs", [0, -2, 1.5, "2"])
def test_a_number_of_processes_that_makes_no_sense_is_named_before_anything_is_fitted(
    n_jobs: Any, spy: type[BaseTagger], monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[BaseTagger] = []
    monkeypatch.setattr(spy, "fit", lambda self, *_: fitted.append(self))
    problem = f"n_jobs must be a whole number, at least 1, or -1 .*; got {n_jobs!r}$"
    starts: list[Callable[[], Any]] = [
        lambda: MultiDeidentifier(["spy"], folds=2, n_jobs=n_jobs).fit(CORPUS),
        lambda: CommitteeDeidentifier(["spy"], n_jobs=n_jobs).fit(CORPUS),
        lambda: Workers(MultiDeidentifier(["spy"]), n_jobs),
    ]
    for start in starts:
        with pytest.raises(UsageError, match=problem):
            start()
    assert not fitted


class Threads(ThreadPoolExecutor):
    """Stand in for processes, which take a second to start."""

    def shutdown(self, *, kill_workers: bool = False) -> None:  # type: ignore[override]
        super().shutdown(wait=not kill_workers)


def test_results_are_in_order_and_one_call_at_most_waits_beyond_those_that_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_pool", Threads)
    taken, done = [], []

    def run(n: int) -> int:
        sleep(0.03 * (5 - n))
        done.append(n)
        return n

    def calls() -> Iterator[tuple[Any, tuple[int]]]:
        for n in range(5):
            taken.append(len(done))
            yield run, (n,)

    assert list(in_processes(calls(), 2)) == [0, 1, 2, 3, 4]
    assert all(ended >= n - 2 for n, ended in enumerate(taken))


def test_what_a_call_raises_is_raised_before_its_turn_and_no_more_calls_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_pool", Threads)
    over = Event()
    calls = iter([(over.wait, (5,)), (int, ("none",)), *[(abs, (-1,))] * 9])
    with pytest.raises(ValueError, match="'none'"):
        list(in_processes(calls, 2))  # type: ignore[arg-type]
    over.set()
    assert len(list(calls)) >= 7


def test_a_result_need_not_wait_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_pool", Threads)
    asked = Event()
    results = in_any_order([(asked.wait, (5,)), (abs, (-1,))], 2)  # type: ignore[list-item]
    assert next(results) == (1, 1)
    asked.set()
    assert list(results) == [(0, True)]
    assert list(in_any_order([], 2)) == []


def test_libraries_share_the_processors_among_the_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    found = list(in_processes([(os.getenv, (name,)) for name in names], 2))
    assert found == [str(max(cpu_count() // 2, 1)), "7"]


def test_no_process_is_left_of_what_is_broken_off() -> None:
    before = set(active_children())
    results = in_processes([(abs, (-1,)), (sleep, (60,)), (sleep, (60,))], 2)  # type: ignore[list-item]
    assert next(results) == 1
    assert set(active_children()) > before
    results.close()
    assert set(active_children()) == before


@pytest.mark.parametrize("fit", [fit_all, fit_out_of_fold])
def test_fits_are_broken_off_where_a_result_is_of_no_use(
    fit: Callable[..., Any], spy: type[BaseTagger], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = (object() for _ in range(2))
    monkeypatch.setattr(ensemble, "run_all", lambda *_: results)
    tokens, labels = table(CORPUS)
    with pytest.raises(AttributeError):
        fit(["spy"], tokens, labels, *[np.arange(8) % 2] * (fit is fit_out_of_fold))
    assert next(results, None) is None


def test_other_users_of_joblib_keep_their_processes() -> None:
    over, well = Event(), Event()

    def elsewhere() -> None:
        while not over.wait(0.02):
            assert Parallel(n_jobs=2)(delayed(abs)(-n) for n in range(8)) == list(range(8))
        well.set()

    Parallel(n_jobs=2)(delayed(abs)(-n) for n in range(2))
    Thread(target=elsewhere, daemon=True).start()
    assert list(in_processes([(abs, (-n,)) for n in range(3)], 2)) == [0, 1, 2]
    over.set()
    assert well.wait(timeout=30)


def test_a_worker_of_joblib_does_all_itself() -> None:
    def work() -> set[int]:
        return {os.getpid(), *in_processes([(os.getpid, ())] * 3, 2)}

    found = Parallel(n_jobs=2)(delayed(work)() for _ in range(2))
    assert all(len(pids) == 1 for pids in found)
    assert os.getpid() not in found[0] | found[1]


_PARENT = """
from time import sleep
from multideid.stacking.processes import in_processes
results = in_processes([(abs, (-1,)), (sleep, (60,)), (sleep, (60,))], 2)
print(next(results), flush=True)
sleep(60)
"""


def test_no_process_outlives_a_parent_that_was_killed() -> None:
    parent = Popen([sys.executable, "-c", _PARENT], stdout=PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "1\n"
    parent.kill()
    # The processes inherit the pipe, which comes to its end with the last of them.
    assert parent.communicate(timeout=10) == ("", None)


def test_a_process_ends_when_the_handle_of_its_parent_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As on Windows, where the parent's number stays.
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    end, parent = os.pipe()
    monkeypatch.setattr(processes, "parent_process", lambda: SimpleNamespace(sentinel=end))
    os.close(parent)
    processes._end_with(os.getppid())
    os.close(end)
    assert codes == [1]


def test_training_loops_let_a_process_watch_its_parent() -> None:
    loops = (adagrad._train, perceptron_kernel._train, winnow_kernel.train_epoch)
    assert all(loop.targetoptions["nogil"] for loop in loops)
