"""A model reads the notes in the background, and another learns from what was accepted."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from itertools import count
from math import inf
from pathlib import Path
from threading import Event, Thread

import pytest
from tiny_review import note, tiny_review

from multideid.corpora import write_corpus
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.models import load
from multideid.review import Change, Proposal, Store, reading, setup, training
from multideid.review.notes import proposal_of_row
from multideid.review.reading import (
    MODEL,
    RECALL,
    SITE,
    WANTED,
    Reader,
    _batches,
    proposals,
    read_notes,
)
from multideid.review.setup import open_review
from multideid.review.training import TRAINING, Trainer, train
from multideid.site import Site
from multideid.stacking import FailedDocument


def _wait(condition: Callable[[], object]) -> None:
    for _ in range(12_000):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def _accept_all(store: Store) -> None:
    for place, number in enumerate(store.numbers(), start=10):
        badge = note(place).spans[1]
        store.layers.change(number, "anna", Change(added=[badge], accepted=True))


def test_training_raises_the_figures_and_is_used_only_when_told(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    _accept_all(store)
    trainer, before = Trainer(store), store.fact(MODEL)
    counts = trainer.counts()
    assert counts == {"train": 8, "held_out": 2}
    number = store.jobs.begin(TRAINING, **counts)
    train(store.path, number)
    job = store.jobs.last(TRAINING)
    assert job is not None
    assert job.state == "done", job.content
    figures = job.content["figures"]
    assert figures["after"]["span_f1"] > figures["before"]["span_f1"]
    assert store.fact(MODEL) == before
    store.add([Document("new", "Seen by Dr. Yew.")])
    trainer.use(number)
    assert store.fact(MODEL) == job.content["model"]
    assert store.without_proposal() == [11]
    assert Path(job.content["model"]).stat().st_mode & 0o77 == 0


def _site(folder: Path, *allowed: str) -> Path:
    (folder / "allowed.txt").write_text("\n".join(allowed))
    (folder / "site.toml").write_text('[allow]\nfiles = ["allowed.txt"]\n')
    return folder / "site.toml"


def test_the_model_reads_with_what_the_site_knows(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    site = _site(tmp_path, "Lee")
    store.forget_proposals()
    model = store.fact(MODEL)
    open_review(store.path, site=site).close()
    open_review(store.path, model=model, site=site).close()
    read_notes(store.path)
    assert store.without_proposal() == []
    names = {n.document.span_text(s) for n in store.notes() for s in n.proposal.spans}
    assert names
    assert "Lee" not in names


def test_proposals_are_forgotten_if_the_site_knows_more(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    _accept_all(store)
    store.add([Document("new", "Seen by Dr. Lee.")])
    open_review(store.path, site=_site(tmp_path, "Lee")).close()
    read_notes(store.path)
    assert store.without_proposal() == []
    open_review(store.path, site=_site(tmp_path, "Lee")).close()
    assert store.without_proposal() == []
    open_review(store.path, site=_site(tmp_path, "Lee", "Yew")).close()
    assert store.without_proposal() == [11]


def test_models_are_compared_with_what_the_site_knows(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    _accept_all(store)
    names = [note(n).span_text(note(n).spans[0]) for n in range(15)]
    open_review(store.path, site=_site(tmp_path, *names)).close()
    number = store.jobs.begin(TRAINING)
    train(store.path, number)
    content = store.jobs.last(TRAINING).content
    assert content["figures"]["before"]["span_recall"] == 0
    assert 0 < content["figures"]["after"]["span_recall"] < 1


def _reader_of(store: Store) -> tuple[str | None, str | None]:
    site = store.fact(SITE)
    return store.fact(RECALL), site and Path(site[0]).name


def test_what_is_not_said_of_the_same_model_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "_labels_of", lambda reader: ())
    store = tiny_review(tmp_path)
    first, site = store.fact(MODEL), _site(tmp_path, "Lee")
    open_review(store.path, recall="maximum").close()
    assert _reader_of(store) == ("maximum", None)
    open_review(store.path, site=site).close()
    assert _reader_of(store) == ("maximum", "site.toml")
    open_review(store.path, recall="high", site=site).close()
    assert _reader_of(store) == ("high", "site.toml")
    for model in (None, first):
        open_review(store.path, model=model).close()
        assert _reader_of(store) == ("high", "site.toml")
    shutil.copytree(first, tmp_path / "other")
    open_review(store.path, model=tmp_path / "other").close()
    assert _reader_of(store) == (None, None)


def test_a_recall_needs_a_model(tmp_path: Path) -> None:
    write_corpus([note(1)], tmp_path / "notes.jsonl", "jsonl")
    with pytest.raises(UsageError, match="give --model with --recall"):
        open_review(tmp_path / "notes.jsonl", recall="high")
    assert not (tmp_path / "notes.jsonl.review").exists()


def test_a_site_needs_a_model(tmp_path: Path) -> None:
    write_corpus([note(1)], tmp_path / "notes.jsonl", "jsonl")
    with pytest.raises(UsageError, match="give --model with --site"):
        open_review(tmp_path / "notes.jsonl", site=_site(tmp_path, "Lee"))


def test_training_needs_notes_to_measure_with(tmp_path: Path) -> None:
    trainer = Trainer(tiny_review(tmp_path))
    with pytest.raises(UsageError, match="accept more notes"):
        trainer.start()
    with pytest.raises(UsageError, match="no model"):
        trainer.use(1)


def test_a_training_of_another_desk_goes_on_until_its_process_is_gone(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    _accept_all(store)
    store.jobs.begin(TRAINING)
    desk = Trainer(Store(store.path))
    with Trainer(store)._alone() as alone:
        assert alone
        job = desk.job()
        assert job is not None
        assert job.state == "running"
        with pytest.raises(UsageError, match="a training is running"):
            desk.start()
        store.jobs.update(job.number, "done")
        with pytest.raises(UsageError, match="a training is running"):
            desk.start()
    assert [path.name for path in tmp_path.iterdir() if "lock" in path.name] == []


def _wait_for_ever(path: Path, number: int) -> None:
    Event().wait()


@pytest.mark.end_to_end
def test_of_trainings_that_begin_at_once_one_does(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    _accept_all(store)
    desks = [Trainer(Store(store.path), _wait_for_ever) for _ in range(2)]
    begun, refused = [], []

    def start(desk: Trainer) -> None:
        try:
            begun.append((desk, desk.start()))
        except UsageError as error:
            refused.append(str(error))

    threads = [Thread(target=start, args=(desk,)) for desk in desks * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ((desk, job),) = begun
    assert refused == ["a training is running"] * 3
    assert {other.job().number for other in desks} == {job.number}
    assert store.jobs.last(TRAINING).state == "running"
    desk.close()
    _wait(lambda: store.jobs.last(TRAINING).state == desks[0].job().state == "failed")


def test_a_training_whose_process_is_gone_has_failed(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.jobs.begin(TRAINING)
    job = Trainer(store).job()
    assert job is not None
    assert (job.state, job.content["problem"]) == ("failed", "it was interrupted")


def _hang_at_the_second_step(path: Path, number: int) -> None:
    Store(path).jobs.update(number, stage="fit", done=1, total=9)
    Event().wait()


@pytest.mark.end_to_end
def test_a_training_that_hangs_has_failed_and_another_can_begin(tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    _accept_all(store)
    ticks = count(step=1000)

    def clock() -> float:
        job = store.jobs.last(TRAINING)
        # Time passes only at the step on which it hangs, however slow the machine is.
        return float(next(ticks)) if job and job.content.get("done") else 0.0

    trainer = Trainer(store, _hang_at_the_second_step, clock=clock)
    first = trainer.start()
    problem = "a step took longer than 21600 s"
    _wait(lambda: (job := trainer.job()) and job.content.get("problem") == problem)
    assert trainer.start().number == first.number + 1
    trainer.close()


@pytest.mark.parametrize("error", [UsageError("Zanzibar"), SystemExit("Zanzibar")])
def test_an_error_of_others_tells_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(training, "_train", fail)
    store = Store.create(tmp_path / "r")
    train(store.path, number := store.jobs.begin(TRAINING))
    job = store.jobs.last(TRAINING)
    assert job is not None
    assert (job.number, job.state) == (number, "failed")
    assert job.content["problem"] == f"failed with {type(error).__name__}"


def test_a_failure_tells_no_text(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    number = store.jobs.begin(TRAINING)
    train(store.path, number)
    job = store.jobs.last(TRAINING)
    assert job is not None
    assert job.state == "failed"
    assert job.content["problem"] == (
        "the model must be the name of a bundled model, or the path of a model folder; got None"
    )


def test_opened_notes_are_read_next(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.add([Document(str(n), "x") for n in range(20)])
    batches = _batches(store, 8)
    read = [next(batches)]
    store.propose((n, Proposal()) for n in read[-1])
    store.set_fact(WANTED, 15)
    read.append(next(batches))
    assert read == [[1, 2, 3, 4], [15]]


def test_proposals_say_what_each_system_finds(tmp_path: Path) -> None:
    store = tiny_review(tmp_path, 2)
    model = load(store.fact(MODEL))
    (_, proposal), _ = proposals(model, list(store.notes()))
    assert proposal.systems == {"mist": proposal.spans}
    assert proposal.scores == (None,) * len(proposal.spans)
    (margins,) = proposal.margins.values()
    assert len(margins) == len(proposal.spans)
    assert all(margin is not None and margin >= 0 for margin in margins)


def test_what_a_site_knows_has_no_margin(tmp_path: Path) -> None:
    store = tiny_review(tmp_path, 2)
    model = load(store.fact(MODEL)).with_site(Site(deny={"PATIENT": ["Dr"]}))
    (_, proposal), _ = proposals(model, list(store.notes()))
    known = proposal.systems["deny-list"]
    assert known
    assert proposal.margins["deny-list"] == (None,) * len(known)


def test_margins_are_kept_and_older_reviews_have_none(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.add([Document("n", "Dr. Lee")])
    lee = (Span(4, 7, "DOCTOR"),)
    said = {"mist": lee, "mimic": lee, "site": lee}
    margins = {"mist": (2.3456,), "mimic": (inf,), "site": (None,)}
    store.propose([(1, Proposal(lee, (0.9,), said, margins=margins))])
    proposal = store.note(1).proposal
    assert proposal is not None
    assert proposal.margins == {"mist": (2.35,), "mimic": (None,), "site": (None,)}
    row = {"proposed": "[]", "evidence": '{"scores": [], "systems": {}}', "problem": None}
    assert proposal_of_row(row) == Proposal()


class Failing:
    def read_batch(self, batch: list[Document], *, systems: bool) -> list[FailedDocument]:
        return [FailedDocument(document.id, "failed with KeyError") for document in batch]


def test_a_note_on_which_the_model_fails_is_told(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.add([Document("n", "x")])
    store.propose(proposals(Failing(), list(store.notes())))  # type: ignore[arg-type]
    found = store.note(1).proposal
    assert found is not None
    assert (found.problem, found.spans) == ("failed with KeyError", ())
    assert store.queue()[0].failed


def _hang_at_the_third(path: Path, most: int) -> None:
    store = Store(path)
    for number in store.without_proposal()[:most]:
        if number == 3:
            Event().wait()
        store.propose([(number, Proposal((Span(0, 1, "A"),), (None,)))])


@pytest.mark.end_to_end
def test_a_note_on_which_the_model_hangs_stops_nobody(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.set_fact(MODEL, "any")
    store.add([Document(str(n), "x") for n in range(1, 5)])
    ticks = count(step=1000)
    # Time passes only at the note on which it hangs, however slow the machine is.
    reader = Reader(
        store,
        _hang_at_the_third,
        clock=lambda: float(next(ticks)) if store.without_proposal()[:1] == [3] else 0.0,
    )
    reader.start()
    reader._thread.join(600)
    reader.close()
    assert [row.number for row in store.queue() if row.failed] == [3]
    found = store.note(3).proposal
    assert found is not None
    assert found.problem == "took longer than 300 s"


def _read_with_the_second(path: Path, most: int) -> None:
    store = Store(path)
    model = store.fact(MODEL)
    store.set_fact("loaded", model)
    if model == "first":
        Event().wait()
    store.propose([(n, Proposal((Span(0, 1, "A"),), (None,))) for n in store.without_proposal()])


@pytest.mark.end_to_end
def test_a_model_that_is_chosen_while_another_reads_reads_instead_of_it(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.set_fact(MODEL, "first")
    store.add([Document(str(n), "x") for n in range(1, 4)])
    reader = Reader(store, _read_with_the_second)
    reader.start()
    _wait(lambda: store.fact("loaded") == "first")
    with reader.paused():
        store.set_fact(MODEL, "second")
    _wait(lambda: not store.without_proposal())
    assert store.fact("loaded") == "second"
    assert not any(row.failed for row in store.queue())
    reader.close()


def _die_at_the_third(path: Path, most: int) -> None:
    store = Store(path)
    for number in store.without_proposal()[:most]:
        if number == 3:
            os._exit(9)
        store.propose([(number, Proposal((Span(0, 1, "A"),), (None,)))])


@pytest.mark.end_to_end
def test_a_note_that_kills_the_model_stops_nobody(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.set_fact(MODEL, "any")
    store.add([Document(str(n), "x") for n in range(1, 5)])
    reader = Reader(store, _die_at_the_third)
    reader.start()
    _wait(lambda: not store.without_proposal())
    reader.close()
    assert [row.number for row in store.queue() if row.failed] == [3]


def _die_at_the_fifth(path: Path, most: int) -> None:
    store = Store(path)
    for numbers in _batches(store, most):
        if 5 in numbers:
            os._exit(9)
        store.propose([(n, Proposal((Span(0, 1, "A"),), (None,))) for n in numbers])


@pytest.mark.end_to_end
def test_an_opened_note_that_kills_the_model_fails_alone(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r")
    store.set_fact(MODEL, "any")
    store.set_fact(WANTED, 5)
    store.add([Document(str(n), "x") for n in range(1, 7)])
    reader = Reader(store, _die_at_the_fifth)
    reader.start()
    reader._thread.join(600)
    reader.close()
    assert [row.number for row in store.queue() if row.failed] == [5]
    assert store.without_proposal() == []


def _load_slowly(path: Path, most: int) -> None:
    store = Store(path)
    store.set_fact("starts", (store.fact("starts") or 0) + 1)
    store.set_fact("seconds", 200)
    for numbers in _batches(store, most):
        _wait_for_looks(store)
        store.set_fact("seconds", 400)
        _wait_for_looks(store)
        store.propose([(n, Proposal((Span(0, 1, "A"),), (None,))) for n in numbers])


def _wait_for_looks(store: Store) -> None:
    before = store.fact("looks")
    while store.fact("looks") < before + 2:
        time.sleep(0.01)


@pytest.mark.end_to_end
def test_time_to_load_the_model_is_none_of_the_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_PAUSE", 0.05)
    store = Store.create(tmp_path / "r")
    store.set_fact(MODEL, "any")
    store.set_fact("looks", 0)
    store.add([Document(str(n), "x") for n in range(1, 4)])

    def clock() -> float:
        seconds = float(store.fact("seconds") or 0)
        store.set_fact("looks", store.fact("looks") + 1)
        return seconds

    reader = Reader(store, _load_slowly, clock=clock)
    reader.start()
    reader._thread.join(600)
    reader.close()
    assert store.without_proposal() == []
    assert store.fact("starts") == 1


@pytest.mark.parametrize(("seconds", "sizes"), [(1.0, [4, 8, 8]), (100.0, [4, 4, 4])])
def test_more_notes_are_read_at_once_if_that_is_quick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, sizes: list[int]
) -> None:
    store = Store.create(tmp_path / "r")
    store.add([Document(str(n), "x") for n in range(20)])
    ticks = count(step=seconds)
    monkeypatch.setattr(reading, "monotonic", lambda: next(ticks))
    batches, found = _batches(store, 8), []
    for _ in sizes:
        found.append(len(numbers := next(batches)))
        store.propose((n, Proposal()) for n in numbers)
    assert found == sizes
