"""Agreement of reviewers, their differences, and the corpus that results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from multideid.document import Document, Span
from multideid.review import ADJUDICATED, Change, Store
from multideid.review.outcome import (
    agreements,
    differences,
    disputed,
    kappa,
    reviewed,
    reviewed_documents,
)

TEXT = "Lee saw Mary Poe on 3/14."
LEE, MARY, POE = Span(0, 3, "DOCTOR"), Span(8, 12, "PATIENT"), Span(13, 16, "PATIENT")
BOTH = Span(8, 16, "PATIENT")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.create(tmp_path / "notes.review")
    made.add([Document(f"n{n}", TEXT) for n in range(5)])
    yield made
    made.close()


def _accept(store: Store, note: int, name: str, *spans: Span) -> None:
    store.layers.change(note, name, Change(added=spans, accepted=True))


def test_only_what_counts_becomes_a_corpus(store: Store) -> None:
    _accept(store, 1, "anna", LEE)
    _accept(store, 2, "anna", LEE)
    _accept(store, 2, "ben", LEE)
    _accept(store, 3, "anna", LEE)
    _accept(store, 3, "ben", BOTH)
    store.layers.change(4, "anna", Change(added=[LEE]))
    assert [(d.id, d.spans) for d in reviewed_documents(store)] == [("n0", (LEE,)), ("n1", (LEE,))]
    assert disputed(store) == [3]
    assert [d.id for d in reviewed_documents(store, "ben")] == ["n1", "n2"]
    _accept(store, 3, ADJUDICATED, BOTH)
    assert [d.spans for d in reviewed_documents(store)][2] == (BOTH,)
    assert disputed(store) == []


def test_held_out_notes_are_apart(store: Store) -> None:
    for number in store.numbers():
        _accept(store, number, "anna", LEE)
    held_out = list(reviewed_documents(store, held_out=True))
    rest = list(reviewed_documents(store, held_out=False))
    assert (len(held_out), len(rest)) == (1, 4)


def test_differences_are_parts_of_overlapping_spans() -> None:
    found = differences({"anna": (LEE, MARY, POE), "ben": (LEE, BOTH), ADJUDICATED: ()})
    assert [(d.start, d.end) for d in found] == [(8, 16)]
    assert found[0].choices == {"anna": (MARY, POE), "ben": (BOTH,)}
    assert differences({"anna": (LEE,), "ben": ()})[0].choices == {"anna": (LEE,), "ben": ()}


SPANS = st.sampled_from([(LEE,), (MARY,), (BOTH,), (LEE, BOTH), (MARY, POE), ()])


@given(SPANS, SPANS)
def test_reviewers_differ_exactly_where_there_are_differences(
    first: tuple[Span, ...], second: tuple[Span, ...]
) -> None:
    layers = {"anna": first, "ben": second}
    assert bool(differences(layers)) == (reviewed(layers) is None) == (first != second)


def test_agreement_is_told_for_notes_that_both_accepted(store: Store) -> None:
    _accept(store, 1, "anna", LEE, BOTH)
    _accept(store, 1, "ben", LEE, MARY)
    _accept(store, 2, "anna", LEE)
    _accept(store, 2, "ben", LEE)
    _accept(store, 3, "anna", LEE)
    (found,) = agreements(store)
    assert (found.reviewers, found.notes, found.notes_equal) == (("anna", "ben"), 2, 1)
    assert found.span_f1 == pytest.approx(2 * 2 / 6)
    assert found.token_f1 == pytest.approx(2 * 3 / 7)
    first, second = [1, 0, 2, 2] + [0] * 5 + [1] + [0] * 8, [1, 0, 2, 0] + [0] * 5 + [1] + [0] * 8
    assert found.kappa == pytest.approx(cohen_kappa_score(first, second))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    counts = np.zeros((3, 3), np.int64)
    for row, column in pairs:
        counts[row, column] += 1
    rows, columns = zip(*pairs, strict=True)
    if len({*rows, *columns}) > 1:
        assert kappa(counts) == pytest.approx(cohen_kappa_score(rows, columns))
    else:
        assert kappa(counts) == 1.0
