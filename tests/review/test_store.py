"""The store of a review: what it says is kept is on disk, and spans are those of the text."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import DocumentError, UsageError
from multideid.review import ADJUDICATED, Change, Proposal, StaleLayerError, Store

TEXT = "Seen by Lee.\r\n𝔐ary e\u0301 saw Lee on 3/14.\0 Ω"  # noqa: RUF001
LEE, MARY = Span(8, 11, "DOCTOR"), Span(14, 18, "PATIENT")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.create(tmp_path / "notes.review", ["DOCTOR", "PATIENT"])
    made.add([Document(f"n{n}", TEXT) for n in range(10)])
    yield made
    made.close()


def test_texts_come_back_as_they_were(store: Store) -> None:
    store.close()
    again = Store(store.path)
    assert [note.document.text for note in again.notes()] == [TEXT] * 10
    assert again.labels == ("DOCTOR", "PATIENT")


def test_only_the_owner_can_read_any_of_its_files(store: Store) -> None:
    store.layers.accept(1, "anna")
    files = sorted(store.path.parent.iterdir())
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert [file.name for file in files][1:] == ["notes.review-shm", "notes.review-wal"]


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    with pytest.raises(UsageError, match="not a file of multideid review"):
        Store(path)
    path.write_text("Seen by Lee.")
    with pytest.raises(UsageError, match="not a file of multideid review"):
        Store(path)
    with pytest.raises(UsageError, match="exists"):
        Store.create(path)


def test_a_changed_text_is_refused_and_nothing_is_added(store: Store) -> None:
    with pytest.raises(DocumentError, match=r"'n3'.*another"):
        store.add([Document("new", "x"), Document("n3", "y")])
    assert "new" not in [row.id for row in store.queue()]
    assert store.add([Document("n3", TEXT), Document("new", "x")]) == 1


def test_half_a_character_is_refused(store: Store) -> None:
    with pytest.raises(DocumentError, match="offset 1 is no character"):
        store.add([Document("half", "a\ud83d")])


def test_one_of_five_notes_is_held_out_wherever_one_begins(store: Store) -> None:
    store.add([Document(f"later{n}", "x") for n in range(20)])
    held_out = [note.held_out for note in store.notes()]
    assert [sum(held_out[n : n + 5]) for n in range(0, 30, 5)] == [1] * 6


def test_a_layer_begins_with_what_the_model_proposes(store: Store) -> None:
    assert store.without_proposal() == store.numbers()
    store.propose([(1, Proposal((LEE,), (0.9,), {"mist": (LEE, MARY)}))])
    assert store.without_proposal() == store.numbers()[1:]
    assert store.layers.get(1, "anna").spans == (LEE,)
    assert store.note(1).proposal == Proposal((LEE,), (0.9,), {"mist": (LEE, MARY)})
    store.layers.change(1, "anna", Change(added=[MARY]))
    store.propose([(1, Proposal())])
    assert store.layers.get(1, "anna").spans == (LEE, MARY)
    assert store.layers.get(1, "ben").spans == ()


def test_what_nobody_saw_cannot_be_accepted(store: Store) -> None:
    seen = store.layers.get(1, "anna")
    store.propose([(1, Proposal((LEE,), (0.9,)))])
    with pytest.raises(StaleLayerError):
        store.layers.accept(1, "anna", version=seen.version)


def test_a_second_window_cannot_change_what_it_has_not_seen(store: Store) -> None:
    seen = store.layers.get(1, "anna").version
    store.layers.change(1, "anna", Change(added=[LEE]), version=seen)
    with pytest.raises(StaleLayerError, match="changed elsewhere"):
        store.layers.change(1, "anna", Change(added=[MARY]), version=seen)
    assert store.layers.get(1, "ben").version == seen


@pytest.mark.parametrize(
    "change",
    [
        Change(added=[Span(3, 3, "DOCTOR")]),
        Change(added=[Span(8, len(TEXT) + 1, "DOCTOR")]),
        Change(added=[Span(9, 12, "DOCTOR")]),
        Change(removed=[MARY]),
        Change(removed=[LEE], added=[MARY, Span(17, 20, "DATE")]),
    ],
)
def test_an_impossible_change_changes_nothing(store: Store, change: Change) -> None:
    before = store.layers.change(1, "anna", Change(added=[LEE], accepted=True))
    with pytest.raises(DocumentError, match="'n0'") as refused:
        store.layers.change(1, "anna", change)
    assert "Lee" not in str(refused.value)
    assert store.layers.get(1, "anna") == before


def test_a_change_takes_the_acceptance_back(store: Store) -> None:
    assert store.layers.accept(1, "anna").accepted
    assert not store.layers.change(1, "anna", Change(added=[LEE])).accepted
    assert store.layers.undo(1, "anna").accepted


def test_the_order_of_the_queue_can_be_changed(store: Store) -> None:
    store.arrange([7, 3])
    store.arrange([5])
    store.add([Document("late", "x")])
    assert store.numbers() == [5, 7, 3, 1, 2, 4, 6, 8, 9, 10, 11]


def test_search_finds_ids_and_text_in_any_case(store: Store) -> None:
    store.add([Document("STRASSE 5", "x")])
    assert store.search("straße 5") == [11]
    assert store.search("ω") == list(range(1, 11))


def test_adjudication_begins_with_what_all_agree_on(store: Store) -> None:
    store.layers.change(1, "anna", Change(added=[LEE, MARY], accepted=True))
    store.layers.change(1, "ben", Change(added=[LEE], accepted=True))
    begun = store.layers.get(1, ADJUDICATED)
    assert begun.spans == (LEE,)
    store.layers.change(1, "ben", Change(removed=[LEE], accepted=True))
    with pytest.raises(StaleLayerError):
        store.layers.accept(1, ADJUDICATED, version=begun.version)
    store.layers.accept(1, ADJUDICATED, reviewer="eva")
    assert store.layers.decisions(1)[-1]["reviewer"] == "eva"


def test_a_note_that_two_reviewers_have_not_accepted_is_not_adjudicated(store: Store) -> None:
    store.layers.accept(1, "anna")
    store.layers.change(1, "ben", Change(added=[LEE]))
    for decide in (store.layers.get, store.layers.accept):
        with pytest.raises(UsageError, match="two reviewers must have accepted it"):
            decide(1, ADJUDICATED)
    assert store.layers.names() == ["anna", "ben"]


WORDS = [Span(n, n + 2, label) for n in range(0, 12, 2) for label in ("A", "B")]
STEPS = st.one_of(
    st.tuples(st.just("change"), st.sets(st.sampled_from(WORDS), max_size=4)),
    st.tuples(st.sampled_from(["undo", "redo", "accept"]), st.just(set())),
)


@given(st.lists(STEPS, max_size=12))
def test_every_decision_can_be_undone_and_repeated(steps: list[tuple[str, set[Span]]]) -> None:
    """The layer is always the one that a list of all former states gives."""
    with TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "r")
        store.add([Document("n", TEXT)])
        other = Store(store.path)
        states: list[tuple[frozenset[Span], bool]] = [(frozenset(), False)]
        at = 0
        for kind, wanted in steps:
            now, accepted = states[at]
            if kind == "change":
                taken = {span.start for span in now}
                added = {s for s in wanted - now if s.start not in taken and s.label == "A"}
                removed = {s for s in now & wanted if s.start % 4}
                again = now & wanted - removed
                store.layers.change(1, "anna", Change(removed, added | again))
                kept = accepted and not (added or removed)
                states[at + 1 :] = [(now - removed | added, kept)]
                at += 1
            elif kind == "accept":
                store.layers.accept(1, "anna")
                states[at + 1 :] = [(now, True)]
                at += 1
            elif kind == "undo":
                store.layers.undo(1, "anna")
                at = max(at - 1, 0)
            else:
                store.layers.redo(1, "anna")
                at = min(at + 1, len(states) - 1)
            layer = other.layers.get(1, "anna")
            assert (frozenset(layer.spans), layer.accepted) == states[at]
            assert (layer.can_undo, layer.can_redo) == (at > 0, at < len(states) - 1)
        other.close()
        store.close()


def test_threads_and_processes_lose_nothing(store: Store) -> None:
    other = Store(store.path)

    def review(used: Store, name: str) -> None:
        for number in used.numbers():
            used.layers.change(number, name, Change(added=[LEE]))
            used.layers.accept(number, name)

    threads = [
        threading.Thread(target=review, args=(used, name))
        for used, name in ((store, "a"), (store, "b"), (other, "c"), (other, "d"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.layers.decisions()) == 80
    assert all(len(layers) == 4 for layers in store.layers.all_accepted().values())


WRITER = """
import sys
from multideid.document import Span
from multideid.review import Change, Store
store = Store(sys.argv[1])
for number in store.numbers() * 1000:
    layer = store.layers.get(number, "anna")
    spans = [Span(0, 4, "DATE"), Span(8, 11, "DOCTOR")]
    change = Change(removed=spans) if layer.spans else Change(added=spans)
    after = store.layers.change(number, "anna", change)
    print(number, after.version, len(after.spans), flush=True)
"""


@pytest.mark.end_to_end
@pytest.mark.parametrize("lines", [1, 7, 40])
def test_nothing_that_was_said_to_be_kept_is_lost_by_kill(store: Store, lines: int) -> None:
    store.close()
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(store.path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    said = [writer.stdout.readline() for _ in range(lines)]
    os.kill(writer.pid, signal.SIGKILL)
    said += writer.stdout.read().splitlines(keepends=True)
    writer.wait()
    again = Store(store.path)
    for number, version, spans in (map(int, line.split()) for line in said if line.endswith("\n")):
        layer = again.layers.get(number, "anna")
        assert layer.version >= version
        assert len(layer.spans) in (0, 2)
        assert layer.version > version or len(layer.spans) == spans
    assert again.layers.change(1, "ben", Change(added=[LEE])).spans == (LEE,)
