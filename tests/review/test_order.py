"""The order in which notes are offered: by what they teach, at random, or as given."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_review import tiny_review

from multideid.corpora import write_corpus
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.review import Proposal, Store
from multideid.review.order import GIVEN, ORDER, RANDOM, TEACHING, arrange, teaches, with_share
from multideid.review.outcome import reviewed_documents
from multideid.review.reading import MODEL, read_notes
from multideid.review.setup import open_review

N = 40
A = Span(0, 1, "NAME")


def _store(path: Path, order: str | None, n: int = N) -> Store:
    """Make a review in which a note teaches the more, the higher its number."""
    Store.create(path, ["NAME"]).set_fact("seed", "any")
    store = Store(path)
    store.set_fact(MODEL, "any")
    store.add([Document(str(number), "x y") for number in range(n)])
    store.propose((k, Proposal((A,), (1 - k / 1000,), {"a": (A,)})) for k in store.numbers())
    if order is not None:
        store.set_fact(ORDER, order)
    arrange(store)
    return store


def test_notes_that_teach_most_come_first_and_one_of_five_at_random(tmp_path: Path) -> None:
    store = _store(tmp_path / "r", TEACHING)
    queue, held_out = store.numbers(), store.held_out()
    teaching = [number for number in queue if number not in held_out]
    assert teaching == sorted(teaching, reverse=True)
    share = [number for number in queue if number in held_out]
    assert share not in (sorted(share), sorted(share, reverse=True))
    blocks = [queue[n : n + 5] for n in range(0, N, 5)]
    assert [len(held_out & {*block}) for block in blocks] == [1] * 8
    places = {n for block in blocks for n, number in enumerate(block) if number in held_out}
    assert len(places) > 1


def test_the_comparison_of_models_has_the_random_share_alone(tmp_path: Path) -> None:
    store = _store(tmp_path / "r", TEACHING)
    for number in store.numbers()[:10]:
        store.layers.accept(number, "anna")
    measured = {document.id for document in reviewed_documents(store, held_out=True)}
    assert measured == {store.note(n).document.id for n in store.numbers()[:10] if _held(store, n)}
    assert len(measured) == 2


def _held(store: Store, number: int) -> bool:
    return store.note(number).held_out


def test_a_long_note_is_not_first_for_being_long(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "r", ["NAME"])
    lengths = (4, 400, 100)
    store.add([Document(str(n), "x" * n) for n in lengths])
    proposal = Proposal((A,), (1.0,), {"a": (A,), "b": ()})
    worth = [teaches(proposal, store.lengths()[n]) for n in store.numbers()]
    assert worth == pytest.approx([1 / 2, 1 / 20, 1 / 10])
    assert teaches(None, 4) < 0


def test_an_order_is_stable_and_notes_that_are_begun_stay_in_front(tmp_path: Path) -> None:
    store = _store(tmp_path / "r", TEACHING)
    before = store.numbers()
    arrange(store)
    assert store.numbers() == before
    late = before[30]
    store.layers.accept(late, "anna")
    store.layers.accept(before[0], "ben")
    store.propose([(before[-1], Proposal((A,), (0.5,), {"a": (A,)}))])
    arrange(store)
    assert store.numbers()[:2] == [before[0], late]
    arrange(Store(tmp_path / "r"))
    assert store.numbers()[:2] == [before[0], late]


def test_notes_that_no_model_has_read_come_last(tmp_path: Path) -> None:
    store = _store(tmp_path / "r", TEACHING)
    store.add([Document(f"late {n}", "x") for n in range(10)])
    arrange(store)
    others = [n for n in store.numbers() if not _held(store, n)]
    late = [row.number for row in store.queue() if row.id[:4] == "late" and row.number in others]
    assert len(late) >= 6  # One of five is held out.
    assert others[-len(late) :] == late


def test_given_and_random_orders(tmp_path: Path) -> None:
    store = _store(tmp_path / "r", RANDOM)
    queue = store.numbers()
    assert queue != sorted(queue)
    assert sorted(queue) == [*range(1, N + 1)]
    store.add([Document("late", "x")])
    arrange(store)
    assert [n for n in store.numbers() if n <= N] == queue
    store.set_fact(ORDER, GIVEN)
    arrange(store)
    assert store.numbers() == [*range(1, N + 2)]


def test_a_review_without_an_order_is_left_as_it_is(tmp_path: Path) -> None:
    store = _store(tmp_path / "r", None)
    store.arrange([7, 3])
    arrange(store)
    assert store.numbers()[:3] == [7, 3, 1]


def test_the_share_goes_on_when_the_others_end() -> None:
    assert sorted(with_share([1, 2], [3, 4, 5], 0)) == [1, 2, 3, 4, 5]
    assert with_share([*range(9)], [], 0) == [*range(9)]
    assert with_share([], [], 0) == []


def test_a_model_that_has_read_the_notes_puts_them_in_order(tmp_path: Path) -> None:
    store = tiny_review(tmp_path, 6)
    store.set_fact(ORDER, TEACHING)
    scores = enumerate((0.99, 0.9, 0.8, 0.7, 0.6, 0.5), 1)
    store.propose((n, Proposal((A,), (score,), {})) for n, score in scores)
    store.add([Document("new", "Seen by Dr. Yew.")])
    read_notes(store.path)
    assert store.without_proposal() == []
    queue = [n for n in store.numbers() if not _held(store, n)]
    # The model of a single system is sure of the new one.
    assert queue == sorted(queue, key=lambda n: (n == 7, -n))


def test_the_order_is_chosen_when_a_review_is_opened(tmp_path: Path) -> None:
    store = tiny_review(tmp_path, 2)
    notes, model = tmp_path / "notes.jsonl", store.fact(MODEL)
    write_corpus([Document(f"n{n}", "Seen by Dr. Yew.") for n in range(30)], notes, "jsonl")
    with pytest.raises(UsageError, match="--model"):
        open_review(notes, order=TEACHING)
    assert not (tmp_path / "notes.jsonl.review").exists()
    with pytest.raises(UsageError, match="one of given, random, teaching"):
        open_review(notes, order="best")
    opened = open_review(notes, model=model)
    assert opened.fact(ORDER) == TEACHING
    opened = open_review(notes, order=RANDOM)
    queue = opened.numbers()
    assert queue != sorted(queue)
    assert open_review(notes).numbers() == queue
    assert open_review(notes, order=TEACHING).fact(ORDER) == TEACHING
    assert open_review(notes, tmp_path / "blind").fact(ORDER) is None
